// Measures how plainly the sources speak: npm run language [-- --list KIND] [-- --since COMMIT] [-- PATH…]
// Comments and identifiers come from TypeScript's own scanner, so that words in strings do not count.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LanguageVariant, SyntaxKind } from 'typescript/unstable/ast';
import { computeLineStarts, createScanner } from 'typescript/unstable/ast/scanner';

const root = fileURLToPath(new URL('../', import.meta.url));

/** One comment; lines of `//` directly below each other are one. */
export interface Comment {
	readonly line: number;
	readonly text: string;
}

export interface Word {
	readonly line: number;
	readonly name: string;
}

export interface Title {
	readonly line: number;
	readonly text: string;
}

/** A regular expression, and the line on which the comment before it ends, if there is one. */
export interface Pattern {
	readonly line: number;
	readonly text: string;
	readonly comment: number | undefined;
}

/** Comments, identifiers, test titles and regular expressions of one source file. */
export interface Scanned {
	readonly comments: readonly Comment[];
	readonly identifiers: readonly Word[];
	readonly titles: readonly Title[];
	readonly patterns: readonly Pattern[];
}

/** After these tokens a slash divides; after any other it starts a regular expression. */
const endsOperand = new Set([
	SyntaxKind.Identifier,
	SyntaxKind.PrivateIdentifier,
	SyntaxKind.NumericLiteral,
	SyntaxKind.BigIntLiteral,
	SyntaxKind.StringLiteral,
	SyntaxKind.RegularExpressionLiteral,
	SyntaxKind.NoSubstitutionTemplateLiteral,
	SyntaxKind.TemplateTail,
	SyntaxKind.CloseParenToken,
	SyntaxKind.CloseBracketToken,
	SyntaxKind.CloseBraceToken,
	SyntaxKind.ThisKeyword,
	SyntaxKind.SuperKeyword,
	SyntaxKind.TrueKeyword,
	SyntaxKind.FalseKeyword,
	SyntaxKind.NullKeyword,
]);

export function scan(source: string): Scanned {
	const scanner = createScanner(false, LanguageVariant.Standard, source);
	const lines = computeLineStarts(source);
	let lineAt = 0;
	const lineOf = (position: number): number => {
		while (lineAt + 1 < lines.length && (lines[lineAt + 1] ?? 0) <= position) lineAt++;
		return lineAt + 1;
	};
	const comments: Comment[] = [];
	const identifiers: Word[] = [];
	const titles: Title[] = [];
	const patterns: Pattern[] = [];
	let lastComment: number | undefined;
	/** Open braces inside each template that is being read. */
	const templates: number[] = [];
	/** The last line of the comment above, while only `//` comments follow each other. */
	let lineComment: { last: number; line: number; text: string } | undefined;
	let before = SyntaxKind.Unknown;
	/** Whether the next string after `(` is the title of a test. */
	let inCall = false;
	for (;;) {
		let token: SyntaxKind = scanner.scan();
		if ((token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken) && !endsOperand.has(before))
			token = scanner.reScanSlashToken();
		if (token === SyntaxKind.CloseBraceToken && templates.at(-1) === 0) {
			token = scanner.reScanTemplateToken(false);
			if (token === SyntaxKind.TemplateTail) templates.pop();
		} else if (token === SyntaxKind.TemplateHead) templates.push(0);
		else if (token === SyntaxKind.OpenBraceToken && templates.length > 0) templates.push((templates.pop() ?? 0) + 1);
		else if (token === SyntaxKind.CloseBraceToken && templates.length > 0) templates.push((templates.pop() ?? 0) - 1);

		const line = lineOf(scanner.getTokenStart());
		const text = scanner.getTokenText();
		if (token === SyntaxKind.WhitespaceTrivia || token === SyntaxKind.NewLineTrivia) continue;
		if (token === SyntaxKind.SingleLineCommentTrivia) {
			const words = text.replace(/^\/\/+\s?/, '');
			lastComment = line;
			if (lineComment?.last === line - 1) {
				lineComment.text += `\n${words}`;
				lineComment.last = line;
			} else {
				if (lineComment !== undefined) comments.push(lineComment);
				lineComment = { line, last: line, text: words };
			}
			continue;
		}
		if (lineComment !== undefined) comments.push(lineComment);
		lineComment = undefined;
		if (token === SyntaxKind.EndOfFile) break;
		if (token === SyntaxKind.MultiLineCommentTrivia) {
			const words = text.replace(/^\/\*+\s?|\s*\*+\/$/g, '').replace(/^\s*\* ?/gm, '');
			comments.push({ line, text: words });
			lastComment = line + text.split('\n').length - 1;
			continue;
		}
		if (token === SyntaxKind.Identifier || token === SyntaxKind.PrivateIdentifier) {
			const name = text.replace(/^#/, '');
			identifiers.push({ line, name });
			if (before !== SyntaxKind.DotToken) inCall = /^(?:it|test|describe)$/.test(name);
		} else if (inCall && isTitle(token) && before === SyntaxKind.OpenParenToken) {
			titles.push({ line, text: scanner.getTokenValue() });
			inCall = false;
		} else if (token === SyntaxKind.SemicolonToken || token === SyntaxKind.EqualsGreaterThanToken) inCall = false;
		if (token === SyntaxKind.RegularExpressionLiteral) patterns.push({ line, text, comment: lastComment });
		before = token;
	}
	return { comments, identifiers, titles, patterns };
}

const isTitle = (token: SyntaxKind): boolean =>
	token === SyntaxKind.StringLiteral ||
	token === SyntaxKind.NoSubstitutionTemplateLiteral ||
	token === SyntaxKind.TemplateHead;

/** "What …", "Whoever …", "Of what …", "That which …": a clause in the place of a noun. */
const clause =
	/^(?:(?:of|for|to|by|as|from|with|on) )?(?:what|who|whom|whose|whoever|whomever|whatever|whichever|which|that which|those who|those which)\b/i;
/** "Where it is kept." stands for a noun; "Where it is missing, …" is a condition. */
const place = /^where\b[^,]*?(?:[.:;]\s|[.:;]?$)/i;

/** Whether a text starts with a clause in the place of a noun. A question does not count. */
export function startsWithClause(text: string): boolean {
	const words = text
		.trim()
		.replace(/\s+/g, ' ')
		.replace(/^[-*–]\s+/, '');
	if (/^[^.]*\?/.test(words)) return false;
	return clause.test(words) || place.test(words);
}

/**
 * Names that we made up for things which the field has a word for. A lower-case entry is a part of a name
 * (`lesson` is in `lessonOf`); an entry with a capital is a whole name.
 */
export const coined: readonly (string | RegExp)[] = [
	'World',
	'createWorld',
	'manners',
	'Turns',
	'NoTurn',
	'Way',
	'travel',
	'journey',
	'Arrived',
	'Stopped',
	'learn',
	'Learned',
	'standing',
	'stands',
	'stood',
	'widened',
	'widening',
	'withdrawn',
	'Look',
	'lookNow',
	'told',
	'handed',
	'carry',
	'settle',
	'living',
	'story',
	'likeness',
	'Signal',
	'Gate',
	/^(?:most|longest)[A-Z]/,
	'heed',
	'silently',
	'asItself',
	'Judge',
	'Judged',
	'Ruling',
	'acquaintance',
	'acquaintances',
	'Edition',
	'lesson',
	'PageLearner',
	'Hop',
	'PlainHop',
	'PlainLane',
	'dress',
	'meant',
	'Room',
	'Foundations',
	'furnish',
	'face',
	'OwnersWill',
	'AtHand',
	'Flight',
	'Wish',
	/^say[A-Z]/,
	/[a-z]Voice$/,
	'Occasion',
	'tame',
	'unkept',
	'whyNotWritten',
];

/** `pageLearner2` → page, learner, 2; `HTTPGate` → http, gate. */
export const partsOf = (name: string): string[] =>
	name
		.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$]+/)
		.filter((part) => part !== '')
		.map((part) => part.toLowerCase());

const isCapital = (word: string): boolean => /[A-Z]/.test(word);
const coinedNames = new Set(coined.filter((word): word is string => typeof word === 'string' && isCapital(word)));
const coinedParts = new Set(coined.filter((word): word is string => typeof word === 'string' && !isCapital(word)));
const coinedPatterns = coined.filter((word): word is RegExp => word instanceof RegExp);

interface Exception {
	readonly names: readonly string[];
	readonly files: readonly string[];
	readonly why: string;
}

/** Coined names that have to stay, each in the files that need it. */
export const exceptions: readonly Exception[] = [
	{ names: ['disableFontFace'], files: ['packages/files/src/pdf/open-pdf.ts'], why: 'an option of pdf.js' },
	{
		names: ['stands', 'likeness', 'widened'],
		files: ['schema/tables.ts', 'pages/save-page.ts', 'pages/site-pages.ts'].map(
			(file) => `packages/crawler/src/store/${file}`,
		),
		why: 'tables and columns of existing stores',
	},
	{
		names: ['dress', 'withdrawn'],
		files: ['packages/gateway/src/publish/file-index.ts', 'packages/gateway/src/publish/pages.ts'],
		why: 'columns of existing publish databases',
	},
	{
		names: ['meant'],
		files: ['jafar/lines.ts', 'jafar/parse.ts', 'robots/parse.ts', 'robots2/check.ts'].map(
			(file) => `packages/protocols/src/${file}`,
		),
		why: 'a member of `args` in the JSON of problems',
	},
	{ names: ['carry'], files: ['packages/protocols/src/jafar/compile.ts'], why: 'the carry of an addition' },
];

const isException = (file: string, name: string): boolean =>
	exceptions.some(({ names, files }) => names.includes(name) && files.includes(file));

export const isCoined = (name: string): boolean =>
	coinedNames.has(name) ||
	coinedPatterns.some((pattern) => pattern.test(name)) ||
	partsOf(name).some((part) => coinedParts.has(part));

/** Ids of private lists. Those of requirements (`R2-46`, `AWI-12`) are public, and not among them. */
export const privateId = /\b(?:CB|PB|XB|AMB|[CDGPSU]2)-\d+\b/g;

/** Phrases that LANGUAGE asks to avoid, whatever the sentence. */
const worn =
	/\b(?:(?<!there )(?:is|are) none|is no [a-z]+ (?:but|of)|to be had|anew|heed(?:s|ed)?|by whomever|whoever|whomever|somebody|nobody|is told|are told|was told|stands for itself|has gone)\b/gi;

export type Kind = 'clauses' | 'coined' | 'answers' | 'ids' | 'phrases' | 'titles' | 'commits';

export interface Offender {
	readonly kind: Kind;
	readonly file: string;
	readonly line: number;
	readonly text: string;
}

export interface Measured {
	readonly comments: number;
	readonly titles: number;
	readonly responses: number;
	readonly offenders: readonly Offender[];
}

/** Files by the words of a network protocol or of an ask endpoint, where an answer is an answer. */
const otherAnswers = /(?:^|\/)(?:dns|ask|asks|demo|init)(?:[-/.]|$)/;

const listFiles = (folder: string): string[] =>
	existsSync(join(root, folder))
		? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => !file.includes('node_modules'))
				.map((file) => `${folder}/${file.split(sep).join('/')}`)
				.sort()
		: [];

const isTest = (file: string): boolean => /\.test\.tsx?$|\/testing\/|\/fixtures\//.test(file);
/** Data that a script writes. */
const isGenerated = (file: string): boolean => /\/model-data\.ts$|\/catalogue\.ts$/.test(file);

export const sourceFiles = (): string[] =>
	readdirSync(join(root, 'packages'))
		.flatMap((name) => listFiles(`packages/${name}/src`))
		.filter((file) => /\.tsx?$/.test(file) && !isGenerated(file));

/** Pages for users: not the changelog, nor the records for maintainers. */
export const userPages = (): string[] => [
	'README.md',
	...listFiles('docs').filter(
		(file) => file.endsWith('.md') && !/^docs\/(?:decisions\/|reference\/(?:rulings|specifications)\.md)/.test(file),
	),
	...readdirSync(join(root, 'packages'))
		.map((name) => `packages/${name}/README.md`)
		.filter((file) => existsSync(join(root, file))),
];

export function measure(isWanted: (file: string) => boolean = () => true): Measured {
	const offenders: Offender[] = [];
	let comments = 0;
	let titles = 0;
	let responses = 0;
	for (const file of sourceFiles().filter(isWanted)) {
		const scanned = scan(readFileSync(join(root, file), 'utf8'));
		const note = (kind: Kind, line: number, text: string): void => {
			offenders.push({ kind, file, line, text });
		};
		if (isTest(file)) {
			titles += scanned.titles.length;
			for (const { line, text } of scanned.titles) if (startsWithClause(withoutIds(text))) note('titles', line, text);
			continue;
		}
		comments += scanned.comments.length;
		for (const { line, text } of scanned.comments) {
			if (startsWithClause(text)) note('clauses', line, firstLine(text));
			for (const [phrase] of text.matchAll(worn)) note('phrases', line, phrase);
		}
		for (const { line, name } of scanned.identifiers) {
			if (isCoined(name) && !isException(file, name)) note('coined', line, name);
			const parts = partsOf(name);
			if (parts.includes('response') || parts.includes('responses')) responses++;
			if ((parts.includes('answer') || parts.includes('answers')) && !otherAnswers.test(file))
				note('answers', line, name);
		}
		for (const { line, text } of idsIn(file)) note('ids', line, text);
	}
	for (const file of userPages().filter(isWanted)) {
		for (const { line, text } of idsIn(file)) offenders.push({ kind: 'ids', file, line, text });
		const lines = readFileSync(join(root, file), 'utf8').split('\n');
		for (const [at, text] of lines.entries())
			for (const [phrase] of text.matchAll(worn)) offenders.push({ kind: 'phrases', file, line: at + 1, text: phrase });
	}
	return { comments, titles, responses, offenders };
}

function idsIn(file: string): Title[] {
	const lines = readFileSync(join(root, file), 'utf8').split('\n');
	return lines.flatMap((text, at) => [...text.matchAll(privateId)].map(([id]) => ({ line: at + 1, text: id })));
}

/** A title may begin with the ids of the cases that it covers. */
const withoutIds = (title: string): string => title.replace(/^(?:[A-Z][A-Z0-9]*-\d+[a-z]?[,:]?\s*)+/, '');
const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

/** Commits after `since` whose subject has more than 72 characters. */
export function longSubjects(since: string): Offender[] {
	const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s', `${since}..HEAD`], {
		cwd: root,
		encoding: 'utf8',
	});
	return log
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }))
		.filter(({ subject }) => subject.length > 72)
		.map(({ hash, subject }) => ({ kind: 'commits', file: hash, line: subject.length, text: subject }));
}

/** The aims: the share of comments that start with a clause, and how many coined names there are. */
export const aims = { clauses: 0.02, coined: 0 } as const;

/** What `language.test.ts` allows today. Lower these as the sources get better, until they are the aims. */
export const limits = { clauses: 0.02, coined: 0, ids: 0, phrases: 0 } as const;

function main(words: readonly string[]): void {
	const option = (name: string): string | undefined => {
		const at = words.indexOf(name);
		return at === -1 ? undefined : words[at + 1];
	};
	const list = option('--list');
	const since = option('--since');
	const paths = words.filter((word, at) => !word.startsWith('--') && !words[at - 1]?.startsWith('--'));
	const measured = measure((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)));
	const offenders = [...measured.offenders, ...(since === undefined ? [] : longSubjects(since))];
	const of = (kind: Kind): number => offenders.filter((each) => each.kind === kind).length;
	for (const each of offenders.filter(({ kind }) => kind === list || list === 'all'))
		console.log(`${each.file}:${each.line}: ${list === 'all' ? `${each.kind}: ` : ''}${each.text}`);
	const share = (count: number, all: number): string => (all === 0 ? '–' : `${((100 * count) / all).toFixed(1)} %`);
	console.log(
		`comments that start with a clause: ${of('clauses')} of ${measured.comments}, ${share(of('clauses'), measured.comments)} (aim: under ${100 * aims.clauses} %)`,
	);
	console.log(
		`test titles that start with a clause: ${of('titles')} of ${measured.titles}, ${share(of('titles'), measured.titles)}`,
	);
	console.log(`coined names: ${of('coined')} (aim: ${aims.coined})`);
	console.log(`"answer" in names: ${of('answers')}, "response": ${measured.responses}`);
	console.log(`ids of private lists in sources and user docs: ${of('ids')}`);
	console.log(`phrases to avoid in comments and user docs: ${of('phrases')}`);
	if (since !== undefined) console.log(`commit subjects over 72 characters since ${since}: ${of('commits')}`);
	if (list === undefined)
		console.log('Lists with file and line: --list clauses|titles|coined|answers|ids|phrases|commits|all');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
	main(process.argv.slice(2));
