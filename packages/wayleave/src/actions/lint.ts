import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { LintFlags } from '../commands/lint.ts';
import { type RawFile, readInputs } from '../lint/inputs.ts';
import { type FileProblems, identify, lintFiles } from '../lint/lint.ts';
import { explain } from '../lint/problems.ts';
import { type FormatName, formatNames, recognise } from '../lint/recognise.ts';
import { toSarif } from '../lint/sarif.ts';
import { quantity } from '../output/quantities.ts';
import { tellFailure } from '../output/tell-failure.ts';
import { writeNamed } from '../output/write-file.ts';

export async function runLint(names: readonly string[], flags: LintFlags, terminal: Terminal): Promise<number> {
	if (flags.json && flags.sarif === '-') throw new UsageError('--json and --sarif - both want stdout');
	const { files, unread } = await readInputs(names, flags, terminal);
	const robots = await readCompanion(flags.robots, 'robots', flags, terminal);
	const previous = await readCompanion(flags.previous, 'pagedigest', flags, terminal);
	const { known, unknown } = identify(files, flags.format);
	const results = lintFiles(known, {
		cwd: terminal.cwd,
		...(robots && { robots }),
		...(previous && { previous }),
	});
	const tell = (code: string, file: string, detail: string) =>
		tellFailure(terminal, flags, { code, message: `${file}: ${detail}`, file });
	for (const { name, code, detail, absent } of unread)
		if (absent) terminal.note(`${name}: ${detail}\n`);
		else tell(code, name, detail);
	for (const { name } of unknown) tell('unknown-format', name, unknownFormat);
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
	flags: LintFlags,
	terminal: Terminal,
): Promise<RawFile | undefined> {
	if (name === undefined) return undefined;
	const { stdinName: _, ...client } = flags;
	const { files, unread } = await readInputs([name], client, terminal);
	const file = files.find((each) => recognise(each.name, each.text) === format) ?? files[0];
	if (file !== undefined) return file;
	const [first] = unread;
	const why = unread.map(({ detail }) => detail).join('; ');
	throw Object.assign(new Error(`${name}: ${why}`), { code: first?.code ?? 'failed' });
}

function print(all: readonly FileProblems[], flags: LintFlags, terminal: Terminal): void {
	// As with eslint, `--quiet` shows errors only.
	const shown = ({ file, problems }: FileProblems) => ({
		file,
		problems: problems.filter(({ severity }) => severity === 'error' || !terminal.quiet),
	});
	const results = all.map(shown);
	const sarif = () => `${JSON.stringify(toSarif(results, terminal.cwd), undefined, 2)}\n`;
	if (flags.sarif === '-') terminal.out(sarif());
	else if (flags.sarif !== undefined) writeNamed(flags.sarif, sarif(), terminal);
	if (flags.json) terminal.out(jsonLines(results));
	else if (flags.sarif !== '-') terminal.out(textLines(results));
	const kinds = severities.map(([severity, one]) => quantity(count(results, severity), one));
	terminal.note(`${kinds.join(', ')} in ${quantity(results.length, 'file')}\n`);
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
