import { checkAIDocument } from '../aidocument/index.ts';
import { decodeUtf16 } from '../internal/utf16.ts';
import { narrowRanges, parseRangeLines, readRangesJson } from '../jafar/index.ts';
import { checkSuccession, type Manifest, parseManifest } from '../pagedigest/index.ts';
import { checkUsageRecords, type FileVocabularyName, fileVocabularies, type PolicyProblem } from '../policy/index.ts';
import type { Problem } from '../problem.ts';
import { checkOwnRules, checkRobots, parseRobots } from '../robots/index.ts';
import { checkRobots2, parseRobots2 } from '../robots2/index.ts';
import { checkSom, checkSomDocument } from '../som/index.ts';
import { checkDocumentLines } from './document-lines.ts';
import type { FormatName } from './format-names.ts';
import { type LintCode, type LintProblem, lintProblems } from './problems.ts';
import { formatTitles } from './recognise.ts';
import { compareVocabularies } from './vocabularies.ts';

/** A file as it arrived. */
export interface LintFile {
	/** As the user named it. */
	readonly name: string;
	readonly bytes: Uint8Array;
	/** The bytes as UTF-8, a byte order mark kept. */
	readonly text: string;
	readonly format: FormatName;
}

type Companion = Pick<LintFile, 'name' | 'bytes'>;

/** Other facts about the site. */
export interface LintContext {
	/** The robots.txt that stands beside a robots2.txt. */
	readonly robots?: Companion;
	/** The manifest that was published before. */
	readonly previous?: Companion;
}

/** Checks that this package cannot make: they need the policy files and the client names of a gateway. */
export interface OutsideChecks<Code extends string> {
	/** Names in the groups of a robots.txt that match no client. */
	robotsNames(text: string): readonly Problem<Code>[];
	policyFile(file: Pick<LintFile, 'text'>): readonly Problem<Code>[];
}

/** All problems of a file, in the order of its lines; those of the file as a whole come first. */
export function checkFile<Code extends string>(
	file: LintFile,
	context: LintContext,
	outside: OutsideChecks<Code>,
): readonly LintProblem<LintCode | Code>[] {
	const found = isWebPage(file) ? [webPage(file)] : [...checkEncoding(file), ...checkFormat(file, context, outside)];
	return [...found].sort((a, b) => a.line - b.line || a.column - b.column);
}

function checkFormat<Code extends string>(
	file: LintFile,
	context: LintContext,
	outside: OutsideChecks<Code>,
): readonly LintProblem<LintCode | Code>[] {
	if (file.format === 'robots') return checkRobotsFile(file, outside);
	return file.format === 'policy' ? outside.policyFile(file) : checks[file.format](file, context);
}

type Check = (file: LintFile, context: LintContext) => readonly LintProblem[];

const vocabularyChecks = Object.fromEntries(
	fileVocabularies.map(({ name, file }): [string, Check] => [
		name,
		({ bytes }) => file.parse(bytes).problems as readonly PolicyProblem[],
	]),
) as Record<FileVocabularyName, Check>;

const checks: Record<Exclude<FormatName, 'robots' | 'policy'>, Check> = {
	robots2: ({ name, bytes }, { robots }) => {
		const beside = robots && { source: robots.name, file: parseRobots(robots.bytes).value };
		const own = { source: name, file: parseRobots2(bytes).value };
		return [...checkRobots2(bytes, beside && { robots: beside.file }), ...compareVocabularies(name, beside, own)];
	},
	pagedigest: ({ bytes }, { previous }) => {
		const { value, problems } = parseManifest(bytes);
		return previous === undefined ? problems : [...problems, ...compareRevisions(previous, value)];
	},
	ranges({ bytes, text }) {
		const { value, problems } = readRangesJson(bytes, text);
		return value === undefined ? problems : [...problems, ...narrowRanges(value).problems];
	},
	'range-lines': ({ text }) => parseRangeLines(text).problems,
	aidocument: ({ text }) => checkAIDocument(text),
	'aidocument-lines': ({ text }) => checkDocumentLines(text),
	som: ({ text }) => checkSomDocument(text),
	...vocabularyChecks,
};

const aboutNames: ReadonlySet<string> = new Set([
	'agent-begins-with-digit',
	'agent-cut',
	'agent-list',
	'agent-version',
	'browser-user-agent',
	'empty-agent',
	'full-ua-string',
	'invisible-character',
	'lost-line-break',
	'no-agent',
	'text-after-star',
]);

function checkRobotsFile<Code extends string>(
	{ name, bytes, text }: LintFile,
	outside: OutsideChecks<Code>,
): readonly LintProblem<LintCode | Code>[] {
	const problems = checkRobots(bytes);
	// That the lines of a web page are no records goes without saying.
	const html = problems.find(({ code }) => code === 'html-instead-of-robots');
	if (html !== undefined) return [html];
	const { value: file } = parseRobots(bytes);
	const usage = checkUsageRecords(file);
	// The problem of a usage record outside all groups is more exact than the general one.
	const groupless = new Set(usage.filter(({ code }) => code === 'signal-outside-group').map(({ line }) => line));
	// A name that no reader matches needs no second finding about names.
	const unnamed = new Set(problems.filter(({ code }) => aboutNames.has(code)).map(({ line }) => line));
	return [
		...problems.filter(({ code, line }) => code !== 'record-outside-group' || !groupless.has(line)),
		...usage,
		...checkSom(file.records),
		...outside.robotsNames(text).filter(({ line }) => !unnamed.has(line)),
		...checkOwnRules(file),
		...compareVocabularies(name, { source: name, file }, undefined),
	];
}

function compareRevisions(previous: Companion, next: Manifest | undefined): readonly LintProblem[] {
	const { value: before } = parseManifest(previous.bytes);
	if (before === undefined) return [problemOf('lint-previous-invalid', 0, { source: previous.name })];
	return next === undefined ? [] : checkSuccession(before, next);
}

/** robots.txt has its own word for it. */
function isWebPage({ format, text }: LintFile): boolean {
	return format !== 'robots' && /^[\ufeff\s]*<(?:!doctype\s+html|html|head|body)\b/i.test(text);
}

/** The other formats are checked from their bytes, or are read in UTF-16 too. */
const utf8Formats: ReadonlySet<FormatName> = new Set(['aidocument', 'aidocument-lines', 'som']);

function checkEncoding({ format, bytes }: LintFile): LintProblem[] {
	const isRefused = utf8Formats.has(format) && decodeUtf16(bytes) !== undefined;
	return isRefused ? [problemOf('lint-utf-16', 1, { format: formatTitles[format] })] : [];
}

function webPage({ format }: LintFile): LintProblem {
	return problemOf('lint-web-page', 1, { format: formatTitles[format] });
}

function problemOf(code: keyof typeof lintProblems, line: number, args: LintProblem['args']): LintProblem {
	return { code, severity: lintProblems[code].severity, line, column: line, args };
}
