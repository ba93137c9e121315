import { dirname, resolve } from 'node:path';
import {
	type FileProblems,
	identify,
	type LintOptions,
	lintFault,
	lintFiles,
	type RawFile,
} from '@wayleave/gateway/lint';
import { allProblems, explain, type LintCode, type LintProblem } from '@wayleave/gateway/lint/problems';
import { nearestWord } from '@wayleave/io/messages';
import { type FormatName, formatNames } from '@wayleave/protocols/lint/format-names';
import { recognise } from '@wayleave/protocols/lint/formats';
import { quantity } from '@wayleave/protocols/text';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { writeNamed } from '../../shared/output/write-file.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { LintFlags } from './flags.ts';
import { readInputs } from './inputs.ts';
import { toSarif } from './sarif.ts';

export async function runLint(names: readonly string[], flags: LintFlags, terminal: Terminal): Promise<number> {
	if (flags.explain !== undefined) return explainCode(flags.explain, terminal);
	if (names.length === 0) throw new UsageError('name a file, a folder, a URL, or - for stdin');
	if (flags.json && flags.github) throw new UsageError('--json and --github both write to stdout: choose one');
	if (flags.github && flags.sarif === '-')
		throw new UsageError('--github and --sarif - both write to stdout: choose one');
	if (flags.json && flags.sarif === '-') throw new UsageError('--json and --sarif - both write to stdout: choose one');
	const { files, unread } = await readInputs(names, flags, terminal);
	const robots = await readCompanion(flags.robots, 'robots', flags, terminal);
	const previous = await readCompanion(flags.previous, 'pagedigest', flags, terminal);
	const { known, unknown } = identify(files, flags.format);
	const options: LintOptions = { folderOf: (name) => dirname(resolve(terminal.cwd, name)), robots, previous };
	const fault = lintFault(known, options);
	if (fault !== undefined) throw new UsageError(faults[fault]);
	const results = lintFiles(known, options);
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

const faults = {
	'robots-without-robots2': '--robots needs a robots2.txt to compare with: pass one',
	'previous-without-manifest': '--previous needs exactly one pagedigest manifest: pass one',
} as const;

/** Prints the meaning of a code, and its documentation page. */
function explainCode(written: string, terminal: Terminal): number {
	const code = written.toLowerCase();
	if (!Object.hasOwn(allProblems, code)) {
		const near = nearestWord(code, Object.keys(allProblems));
		throw new UsageError(`lint has no code ${written}${near === undefined ? '' : `; did you mean ${near}?`}`);
	}
	const { severity, sentence } = allProblems[code as LintCode];
	// Placeholders that a finding would fill in stay open here.
	const open = sentence.replace(/"?\{\w+\}"?/g, '…');
	terminal.out(
		`${code} (${severity === 'info' ? 'remark' : severity})\n${open}\nhttps://github.com/wayleave/wayleave/blob/main/docs/problems/${code}.md\n`,
	);
	return exitCodes.ok;
}

const unknownFormat = `neither name nor content shows the format: set it with --format ${formatNames.join('|')}`;

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
	else if (flags.github) terminal.out(githubLines(results));
	else if (flags.sarif !== '-') terminal.out(textLines(results));
	const kinds = severities.map(([severity, one]) => quantity(count(results, severity), one));
	terminal.note(`${kinds.join(', ')} in ${quantity(results.length, 'file')}\n`);
}

const severities = [
	['error', 'error'],
	['warning', 'warning'],
	['info', 'remark'],
] as const;

/** Findings of one code shown per file; the others are counted. */
const shownOfCode = 3;
/** Up to this many findings, the order of lines is kept. */
const fewProblems = 10;
/** The most line numbers named for them. */
const namedLines = 8;

/**
 * `file:line:col severity code message`; a problem of the whole file has 0:0. In a file with many findings, the most
 * serious come first, and repeated ones are counted.
 */
function textLines(results: readonly FileProblems[]): string {
	return results.flatMap(({ file, problems }) => ranked(problems).map((line) => `${file}:${line}\n`)).join('');
}

function ranked(problems: FileProblems['problems']): string[] {
	if (problems.length <= fewProblems) return problems.map(lineOf);
	const byCode = new Map<string, LintProblem[]>();
	for (const problem of problems) {
		const key = `${problem.severity} ${problem.code}`;
		const same = byCode.get(key) ?? [];
		same.push(problem);
		byCode.set(key, same);
	}
	return severities.flatMap(([severity]) => {
		const ofSeverity = [...byCode.values()].filter(([first]) => first?.severity === severity);
		const shown = ofSeverity.flatMap((same) =>
			same.slice(0, same.length > shownOfCode + 1 ? shownOfCode : same.length),
		);
		const lines = shown.sort((a, b) => a.line - b.line || a.column - b.column).map(lineOf);
		return [...lines, ...ofSeverity.flatMap(counted)];
	});
}

const lineOf = (problem: LintProblem): string =>
	`${problem.line}:${problem.column} ${problem.severity} ${problem.code} ${explain(problem)}`;

/** The findings of one code that are not shown: their number and their lines. */
function counted(same: readonly LintProblem[]): string[] {
	const more = same.length > shownOfCode + 1 ? same.slice(shownOfCode) : [];
	const [first] = more;
	if (first === undefined) return [];
	const lines = [...new Set(more.map(({ line }) => line))];
	const named = `${lines.slice(0, namedLines).join(', ')}${lines.length > namedLines ? ', …' : ''}`;
	const where = named === '0' ? '' : `: ${lines.length === 1 ? 'line' : 'lines'} ${named}`;
	return [`${first.line}:${first.column} ${first.severity} ${first.code} ${more.length} more of these${where}`];
}

/** Workflow commands, which GitHub Actions shows next to the lines of a change. */
function githubLines(results: readonly FileProblems[]): string {
	const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
	const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
	return everyProblem(results, ({ file, problem }) => {
		const { line, column, severity, code } = problem;
		const level = severity === 'info' ? 'notice' : severity;
		const place = line > 0 ? `,line=${line},col=${column}` : '';
		return `::${level} file=${escapeProperty(file)}${place},title=${code}::${escapeData(explain(problem))}`;
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
