/** Marks: output of a typesetter for a formula; source of a formula that was not typeset. */
export const typeset = 1;
export const mathSource = 2;
/** Editors drawn with boxes, and boxes of code. */
export const editor = 4;
export const codeBox = 8;
/** Notes and warnings. */
export const admonition = 16;
export const admonitionTitle = 32;
/** Captions outside of figures. */
export const caption = 64;
/** Line numbers beside a block of code. */
export const gutter = 128;
/** Lists of tabs, and boxes with the same name. */
export const tabs = 256;

const patterns: readonly (readonly [mark: number, pattern: RegExp])[] = [
	// Formulas that KaTeX, MathJax and MediaWiki have typeset.
	[typeset, /(?:^|\s)(?:katex-display|katex|katex-error|MathJax\w*|mwe-math-element)(?=\s|$)/],
	[
		mathSource,
		// TeX source that a script typesets later.
		/(?:^|\s)(?:math|tex|latex|math-tex|arithmatex|math-inline|math-display|inline-math|display-math)(?=\s|$)/,
	],
	// Code shown by a script, with an element for each line.
	[editor, /(?:^|\s)(?:syntaxhighlighter|CodeMirror-code|monaco-editor|cm-content|enlighter)(?=\s|$)/],
	[codeBox, /(?:^|\s)(?:code|code-?(?:block|box|lines?)|highlight|codehilite|snippet|source-?code)(?=\s|$)/i],
	// Line numbers of WordPress, Prism and Pygments.
	[gutter, /(?:^|\s)(?:line-?numbers?(?:-wrapper|-rows)?|linenodiv|linenos|code-lines|code-gutter)(?=\s|$)/],
	[tabs, /(?:^|\s)(?:nav-tabs|tabbed-labels|tablist|tab-list|tabs-nav|tabs__nav|tabs|CodeTabs-toolbar)(?=\s|$)/i],
	// Captions that are no `<figcaption>`.
	[caption, /(?:^|\s)(?:wp-caption-text|image-caption|img-caption|photo-caption|figure-caption)(?=\s|$)/],
];

/** A stem of each: names that have none need no further look. */
const stem =
	/katex|math|mwe|tex|syntax|codemirror|editor|cm-|code|high|snippet|capt|enlight|line-?num|lineno|tabs|tabbed|tab-?list/i;

/** Marks in the classes of an element that change how it is written. */
export function classMarks(classes: string): number {
	let marks = noteMarks(classes);
	if (stem.test(classes)) for (const [mark, pattern] of patterns) if (pattern.test(classes)) marks |= mark;
	return marks;
}

/** Names of notes and warnings that need no other word: `admonition`, `bd-callout`, `stack-alert`, `Callout_root__x1Y2z`. */
const noteNames = words('admonition admonitionblock callout alert notice notices notecard hint pageinfo');
/** Kinds of notes: alone (`class="warning"`), or behind a name of notes (`alert-info`, `is-warning`, `prompt-tip`). */
const noteKinds = words('note tip warning caution danger important');
const moreKinds = words('info information success error danger primary secondary question example seealso attention');
/** Words that only say it is a box: `note-box`, `tip__root`. */
const boxWords = words('box block container root wrapper panel card macro message aside section div inline default');
const prefixes = words(
	'is has prompt aside message notification macro admonition callout alert notice hint note block',
);
const titles = words('title heading header headline caption label');

function words(list: string): ReadonlySet<string> {
	return new Set(list.split(' '));
}

/** The words of a class token, without the hash that CSS modules append: `admonitionHeading_tbUL` → admonition heading. */
function wordsOf(token: string): string[] {
	return token
		.replace(/(?<=[a-z]{3})_{1,2}(?=[\w-]*[A-Z\d])[\w-]{4,6}$/, '')
		.split(/[-_]+|(?<=[a-z])(?=[A-Z])/)
		.map((word) => word.toLowerCase())
		.filter((word) => word !== '');
}

function noteMarks(classes: string): number {
	if (!noteStem.test(classes)) return 0;
	let marks = 0;
	for (const token of classes.split(/\s+/)) if (noteStem.test(token)) marks |= noteMark(wordsOf(token));
	// `<div class="alert alert-heading">` is a title, not a note.
	return marks & admonitionTitle ? admonitionTitle : marks;
}

/** A part of every class name of an admonition; tested first, because it is fast. */
const noteStem =
	/admon|callout|alert|notice|hint|note|tip|warning|caution|danger|important|custom-(?:block|container)|blockquote-tag|is-info|prompt-|aside|-macro|pageinfo/i;

/** Whether one class token names a note or its title. Other words in it name something else: `alert-body`, `tip-jar`. */
function noteMark(parts: readonly string[]): number {
	const isName = (word: string): boolean => noteNames.has(word) || (word === 'custom' && parts.length > 1);
	if (parts[0] === 'blockquote' && parts[1] === 'tag') return parts.at(-1) === 'title' ? admonitionTitle : admonition;
	const named = parts.findIndex(isName);
	const isKind = (word: string): boolean => noteKinds.has(word) || moreKinds.has(word);
	if (parts.length === 1) return isName(parts[0]!) || noteKinds.has(parts[0]!) ? admonition : 0;
	const last = parts.at(-1)!;
	const rest = parts.slice(0, -1);
	if (titles.has(last) || (last === 'container' && titles.has(parts.at(-2)!)))
		return rest.some((word) => isName(word) || noteKinds.has(word)) ? admonitionTitle : 0;
	if (named >= 0) {
		const after = parts.slice(named + 1);
		return after.every((word) => isName(word) || isKind(word) || boxWords.has(word)) ? admonition : 0;
	}
	// `starlight-aside--tip`, `confluence-information-macro-note`
	const prefix = parts.findLastIndex((word) => prefixes.has(word));
	if (prefix >= 0 && prefix < parts.length - 1 && parts.slice(prefix + 1).every(isKind)) return admonition;
	const isBox = noteKinds.has(parts.at(-2)!) && boxWords.has(last);
	return parts.length === 2 && isBox ? admonition : 0;
}
