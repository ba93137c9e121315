/** What a typesetter has made of a formula, and what holds the source for one that has not run. */
export const TYPESET = 1;
export const MATH_SOURCE = 2;
/** Editors drawn with boxes, and boxes of code. */
export const EDITOR = 4;
export const CODE_BOX = 8;
/** Notes and warnings. */
export const ADMONITION = 16;
export const ADMONITION_TITLE = 32;
/** Captions outside of figures. */
export const CAPTION = 64;

const PATTERNS: readonly (readonly [mark: number, pattern: RegExp])[] = [
	[TYPESET, /(?:^|\s)(?:katex-display|katex|katex-error|MathJax\w*|mwe-math-element)(?=\s|$)/],
	[
		MATH_SOURCE,
		/(?:^|\s)(?:math|tex|latex|math-tex|arithmatex|math-inline|math-display|inline-math|display-math)(?=\s|$)/,
	],
	[EDITOR, /(?:^|\s)(?:syntaxhighlighter|CodeMirror-code|monaco-editor|cm-content)(?=\s|$)/],
	[CODE_BOX, /(?:^|\s)(?:code|code-?(?:block|box|lines?)|highlight|codehilite|snippet|source-?code)(?=\s|$)/i],
	[CAPTION, /(?:^|\s)(?:wp-caption-text|image-caption|img-caption|photo-caption|figure-caption)(?=\s|$)/],
];

/** A stem of each: names that have none need no further look. */
const STEM = /katex|math|mwe|tex|syntax|codemirror|editor|cm-|code|high|snippet|capt/i;

/** What the classes of an element tell of how to write it. */
export function classMarks(classes: string): number {
	let marks = noteMarks(classes);
	if (STEM.test(classes)) for (const [mark, pattern] of PATTERNS) if (pattern.test(classes)) marks |= mark;
	return marks;
}

/** Names of notes and warnings that need no other word: `admonition`, `bd-callout`, `stack-alert`, `Callout_root__x1Y2z`. */
const NOTE_NAMES = words('admonition admonitionblock callout alert notice notices notecard hint pageinfo');
/** Kinds of notes: alone (`class="warning"`), or behind a name of notes (`alert-info`, `is-warning`, `prompt-tip`). */
const NOTE_KINDS = words('note tip warning caution danger important');
const MORE_KINDS = words('info information success error danger primary secondary question example seealso attention');
/** Words that only say it is a box: `note-box`, `tip__root`. */
const BOX_WORDS = words('box block container root wrapper panel card macro message aside section div inline default');
const PREFIXES = words(
	'is has prompt aside message notification macro admonition callout alert notice hint note block',
);
const TITLES = words('title heading header headline caption label');

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
	if (!NOTE_STEM.test(classes)) return 0;
	let marks = 0;
	for (const token of classes.split(/\s+/)) if (NOTE_STEM.test(token)) marks |= noteMark(wordsOf(token));
	// `<div class="alert alert-heading">` is a title, not a note.
	return marks & ADMONITION_TITLE ? ADMONITION_TITLE : marks;
}

const NOTE_STEM =
	/admon|callout|alert|notice|hint|note|tip|warning|caution|danger|important|custom-(?:block|container)|blockquote-tag|is-info|prompt-|aside|-macro|pageinfo/i;

/** Whether one class token names a note or its title. Other words in it name something else: `alert-body`, `tip-jar`. */
function noteMark(parts: readonly string[]): number {
	const isName = (word: string): boolean => NOTE_NAMES.has(word) || (word === 'custom' && parts.length > 1);
	if (parts[0] === 'blockquote' && parts[1] === 'tag') return parts.at(-1) === 'title' ? ADMONITION_TITLE : ADMONITION;
	const named = parts.findIndex(isName);
	const isKind = (word: string): boolean => NOTE_KINDS.has(word) || MORE_KINDS.has(word);
	if (parts.length === 1) return isName(parts[0]!) || NOTE_KINDS.has(parts[0]!) ? ADMONITION : 0;
	const last = parts.at(-1)!;
	const rest = parts.slice(0, -1);
	if (TITLES.has(last) || (last === 'container' && TITLES.has(parts.at(-2)!)))
		return rest.some((word) => isName(word) || NOTE_KINDS.has(word)) ? ADMONITION_TITLE : 0;
	if (named >= 0) {
		const after = parts.slice(named + 1);
		return after.every((word) => isName(word) || isKind(word) || BOX_WORDS.has(word)) ? ADMONITION : 0;
	}
	// `starlight-aside--tip`, `confluence-information-macro-note`
	const prefix = parts.findLastIndex((word) => PREFIXES.has(word));
	if (prefix >= 0 && prefix < parts.length - 1 && parts.slice(prefix + 1).every(isKind)) return ADMONITION;
	const isBox = NOTE_KINDS.has(parts.at(-2)!) && BOX_WORDS.has(last);
	return parts.length === 2 && isBox ? ADMONITION : 0;
}
