import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { LintFlags } from '../commands/lint.ts';
import { type RawFile, readInputs } from '../lint/inputs.ts';
import { type FileProblems, identify, lintFiles } from '../lint/lint.ts';
import { explain } from '../lint/problems.ts';
import { type FormatName, formatNames, recognise } from '../lint/recognise.ts';
import { toSarif } from '../lint/sarif.ts';
import { quantity } from '../output/quantities.ts';

export async function runLint(names: readonly string[], flags: LintFlags, terminal: Terminal): Promise<number> {
	if (flags.json && flags.sarif === '-') throw new UsageError('--json and --sarif - both want stdout');
	const { files, unread } = await readInputs(names, terminal.cwd);
	const robots = await readCompanion(flags.robots, 'robots', terminal);
	const previous = await readCompanion(flags.previous, 'pagedigest', terminal);
	const { known, unknown } = identify(files, flags.format);
	const results = lintFiles(known, {
		cwd: terminal.cwd,
		...(robots && { robots }),
		...(previous && { previous }),
	});
	for (const { name, detail } of unread) terminal.err(`${name}: ${detail}\n`);
	for (const { name } of unknown) terminal.err(`${name}: ${unknownFormat}\n`);
	print(results, flags, terminal);
	if (files.length === 0 || unread.some(({ absent }) => !absent)) return exitCodes.failed;
	if (unknown.length > 0) return exitCodes.usage;
	return count(results, 'error') > 0 ? exitCodes.found : exitCodes.ok;
}

const unknownFormat = `neither name nor content tells what this is: say it with --format ${formatNames.join('|')}`;

/** A file that is not checked itself. An address without a path stands for the site's file of that format. */
async function readCompanion(
	name: string | undefined,
	format: FormatName,
	{ cwd }: Terminal,
): Promise<RawFile | undefined> {
	if (name === undefined) return undefined;
	const { files, unread } = await readInputs([name], cwd);
	const file = files.find((each) => recognise(each.name, each.text) === format) ?? files[0];
	if (file === undefined) throw new Error(`${name}: ${unread.map(({ detail }) => detail).join('; ')}`);
	return file;
}

function print(results: readonly FileProblems[], flags: LintFlags, terminal: Terminal): void {
	const sarif = () => `${JSON.stringify(toSarif(results, terminal.cwd), undefined, 2)}\n`;
	if (flags.sarif === '-') terminal.out(sarif());
	else if (flags.sarif !== undefined) writeFileSync(resolve(terminal.cwd, flags.sarif), sarif());
	if (flags.json) terminal.out(jsonLines(results));
	else if (flags.sarif !== '-') terminal.out(textLines(results));
	const kinds = severities.map(([severity, one]) => quantity(count(results, severity), one));
	terminal.err(`${kinds.join(', ')} in ${quantity(results.length, 'file')}\n`);
}

const severities = [
	['error', 'error'],
	['warning', 'warning'],
	['info', 'remark'],
] as const;

/** `file:line:col severity code message`; a problem of the whole file has 0:0. */
function textLines(results: readonly FileProblems[]): string {
	return everyProblem(results, ({ file, problem }) => {
		const { line, column, severity, code } = problem;
		return `${file}:${line}:${column} ${severity} ${code} ${explain(problem)}`;
	});
}

function jsonLines(results: readonly FileProblems[]): string {
	return everyProblem(results, ({ file, problem }) => JSON.stringify({ file, ...problem, message: explain(problem) }));
}

type Line = { readonly file: string; readonly problem: FileProblems['problems'][number] };

function everyProblem(results: readonly FileProblems[], write: (line: Line) => string): string {
	return results.flatMap(({ file, problems }) => problems.map((problem) => `${write({ file, problem })}\n`)).join('');
}

function count(results: readonly FileProblems[], severity: string): number {
	return results.reduce((sum, { problems }) => sum + problems.filter((each) => each.severity === severity).length, 0);
}
