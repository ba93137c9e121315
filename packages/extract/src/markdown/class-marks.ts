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
	[
		ADMONITION,
		/(?:^|\s)(?:admonition|admonitionblock|theme-admonition|callout|markdown-alert|custom-block|custom-container|hint-container|NOTE|TIP|WARNING|IMPORTANT|CAUTION|alert(?:-(?:info|warning|danger|success|primary|secondary|note|tip))?|notices?|hint|book-hint|note|tip|warning|caution|danger|important)(?=\s|$)/,
	],
	[
		ADMONITION_TITLE,
		/(?:^|\s)(?:admonition-title|callout-title(?:-container)?|markdown-alert-title|custom-(?:block|container)-title|hint-container-title|admonitionHeading_\w+)(?=\s|$)/,
	],
	[CAPTION, /(?:^|\s)(?:wp-caption-text|image-caption|img-caption|photo-caption|figure-caption)(?=\s|$)/],
];

/** A stem of each: names that have none need no further look. */
const STEM =
	/katex|math|mwe|tex|syntax|codemirror|editor|cm-|code|high|snippet|admon|callout|alert|block|container|hint|note|tip|warning|important|caution|capt/i;

/** What the classes of an element tell of how to write it. */
export function classMarks(classes: string): number {
	if (!STEM.test(classes)) return 0;
	let marks = 0;
	for (const [mark, pattern] of PATTERNS) if (pattern.test(classes)) marks |= mark;
	return marks;
}
