import { resolve } from 'node:path';
import type { LineOptions } from '@wayleave/crawler';
import { outputFormats } from '@wayleave/crawler/formats';
import type { SchemaReader } from '@wayleave/extract/fields';
import { chunkOptions, refuseLostChunks } from '../../shared/options/chunks.ts';
import { fieldOptions } from '../../shared/options/fields.ts';
import { linesOf } from '../../shared/options/lines.ts';
import { readNamedText } from '../../shared/options/read-named.ts';
import { distinctOuts, isArchive } from '../../shared/output/destination.ts';
import { isNoArchive, outFormatsText } from '../../shared/output/formats.ts';
import { type Input, listInputs } from '../../shared/page-files.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import type { ConvertFlags } from './flags.ts';
import { checkNames, fillName, isPerInput } from './output-names.ts';
import { isIn } from './shard.ts';
import { checkSummaries } from './summary.ts';

/** Inputs that are written to the same outputs, in order. */
export interface Step {
	readonly inputs: readonly Input[];
	/** As `sinkFor` takes them; none where documents are printed. */
	readonly outs: readonly string[];
	/** One input with outputs of its own, which a later run need not make again. */
	readonly isOwn: boolean;
}

export interface Plan {
	readonly steps: readonly Step[];
	/** Inputs of this shard. */
	readonly inputs: readonly Input[];
	readonly writes: boolean;
	readonly lines: LineOptions;
	/** The schema whose fields are read. */
	readonly fields: SchemaReader | undefined;
}

/** Checks the command line and lists the work of this shard. @throws UsageError, FileError */
export async function planConversion(files: readonly string[], flags: ConvertFlags, terminal: Terminal): Promise<Plan> {
	const outs = distinctOuts(flags.out ?? [], terminal.cwd);
	checkOutputs(outs, flags);
	checkSummaries(flags.summary ?? [], flags.shard);
	const all = inputsOf(files, flags, terminal);
	const { shard, shardBy: by } = flags;
	checkNames(outs, all, { shard, by, cwd: terminal.cwd });
	const inputs = shard === undefined || by === 'page' ? all : all.filter((_, at) => isIn(shard, at));
	const isOwn = outs.some(isPerInput);
	const steps = isOwn
		? inputs.map((input) => ({ inputs: [input], outs: outs.map((out) => fillName(out, input, shard)), isOwn }))
		: [{ inputs, outs: outs.map((out) => fillName(out, undefined, shard)), isOwn }];
	const { fields } = await fieldOptions(flags, terminal);
	const lines = { outcomes: false, ...(await chunkOptions(flags)), ...(fields && { fields }) };
	return { steps, inputs, writes: outs.length > 0, lines, fields };
}

/** @throws UsageError */
function checkOutputs(outs: readonly string[], flags: ConvertFlags): void {
	if (outs.length > 0 && flags.format !== undefined) {
		throw new UsageError(
			`--format applies to stdout only; with --out the file name sets the format: ${outFormatsText((format) => isNoArchive(format) && format !== outputFormats.stdout)}`,
		);
	}
	if (outs.length > 0) refuseLostChunks(flags, outs);
	else if (flags.chunks !== undefined && flags.format !== undefined && flags.format !== 'json')
		throw new UsageError(`--chunks and --format ${flags.format} cannot be combined: omit --format`);
	refuseFieldsOf(outs, flags);
	if (flags.json && outs.includes('-')) throw new UsageError('--json and --out - both write to stdout: choose one');
	if (flags.json && flags.format === 'markdown')
		throw new UsageError('--json and --format markdown cannot be combined: choose one');
	if (outs.some(isArchive))
		throw new UsageError('convert writes documents, and an archive holds HTTP responses: choose another format');
	if (flags.shardBy === 'page' && flags.shard === undefined)
		throw new UsageError('--shard-by says what --shard INDEX/COUNT divides: add --shard');
}

/** Printed documents have their fields beside them as JSON only. @throws UsageError */
function refuseFieldsOf(outs: readonly string[], { fields, format, chunks }: ConvertFlags): void {
	if (fields === undefined || outs.length > 0) return;
	const other =
		chunks !== undefined ? '--chunks' : format === undefined || format === 'json' ? undefined : `--format ${format}`;
	if (other !== undefined)
		throw new UsageError(
			`--fields and ${other} cannot be combined on stdout: omit one of them, or name an output with --out`,
		);
}

function inputsOf(files: readonly string[], flags: ConvertFlags, terminal: Terminal): Input[] {
	const { filesFrom } = flags;
	if (filesFrom === undefined) return listInputs(files, flags, terminal);
	const listed = linesOf(readNamedText(filesFrom, terminal, `--files-from ${filesFrom}`), filesFrom);
	const named = [...files, ...listed.map(({ text }) => text)];
	// A scheduler may give a part of the work that is empty.
	return named.length === 0 && flags.manifest === undefined ? [] : listInputs(named, flags, terminal);
}

/** The paths of the outputs of a step; stdout has none. */
export const pathsOf = ({ outs }: Step, { cwd }: Terminal): string[] =>
	outs.flatMap((out) => (out === '-' ? [] : resolve(cwd, out)));
