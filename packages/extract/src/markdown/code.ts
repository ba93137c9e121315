import { KEEPS_LINES, type Looks, UNSELECTABLE } from '../dom/looks.ts';
import type { Element, Node } from '../dom/node.ts';
import { isBlockTag } from './block-tags.ts';
import type { Builder } from './builder.ts';
import { CODE_BOX, EDITOR } from './class-marks.ts';
import { languageOf } from './code-language.ts';
import { anchor } from './links.ts';

/** Wrappers of highlighted code that are no `<pre>`: tables with a gutter, editors drawn with `<div>`. */
const CODE_TABLE =
	/(?:^|\s)(?:highlight(?:table)?|rouge-table|lntable|hljs-ln|crayon-table|blob-wrapper|js-file-line-container|code-?table|CodeRay|diff-table)(?=\s|$)/i;

/**
 * Whether an element that is no `<pre>` holds lines of code.
 *
 * @param marks of its classes
 */
export function isCodeContainer(element: Element, marks: number, visuals?: Looks): boolean {
	const { tag, attributes } = element;
	if (tag === 'table')
		return (attributes.class !== undefined && CODE_TABLE.test(attributes.class)) || hasGutter(element);
	if (tag !== 'div' && tag !== 'code' && tag !== 'span') return false;
	if (marks & EDITOR) return true;
	if (tag === 'code') return isMultiLine(element) || keepsItsLines(element, visuals);
	if (marks & CODE_BOX && isOneCodePerLine(element)) return true;
	if (tag === 'div' && isLinesOfCode(element)) return true;
	if (marks & CODE_BOX) return false;
	const { style } = attributes;
	return (
		style !== undefined &&
		/white-space\s*:\s*pre\b(?!-line|-wrap)/i.test(style) &&
		/font-family[^;]*mono|courier|consolas/i.test(style)
	);
}

/** A table whose first row is a cell of line numbers and a cell of code. */
function hasGutter(table: Element): boolean {
	const body = table.children.find(isElement);
	const row = body?.tag === 'tr' ? body : body?.children.find(isElement);
	const [gutter, code] = row?.children.filter(isElement) ?? [];
	return GUTTER_CELL.test(gutter?.attributes.class ?? '') && CODE_CELL.test(code?.attributes.class ?? '');
}

const GUTTER_CELL = /(?:^|\s)(?:gutter|line-?nos?|line-?numbers?)(?=\s|$)/i;
const CODE_CELL = /(?:^|\s)(?:code|content|code-content)(?=\s|$)/i;
const isElement = (node: Node): node is Element => node.kind === 'element';

/** A box that holds nothing but blocks, each of them nothing but a `<code>`. */
function isOneCodePerLine({ children }: Element): boolean {
	const lines = meaningful(children);
	return (
		lines.length > 1 &&
		lines.every((line) => {
			const only = line.kind === 'element' && isBlockTag(line.tag) ? meaningful(line.children) : [];
			return only.length === 1 && isCode(only[0]!);
		})
	);
}

/** A `<code>` outside of `<pre>` whose lines are parted by `<br>` or blocks. */
function isMultiLine(element: Element): boolean {
	const breaks = element.children.some(
		(child) => child.kind === 'element' && (child.tag === 'br' || isBlockTag(child.tag)),
	);
	return breaks && element.parent?.tag !== 'pre';
}

/** A block-level `<code>` among paragraphs whose style keeps the line breaks of the source. */
function keepsItsLines(element: Element, visuals: Looks | undefined): boolean {
	const { parent, attributes } = element;
	if (parent === null || parent.tag === 'pre' || !textOf(element).trim().includes('\n')) return false;
	const style = attributes.style ?? '';
	const isKept = visuals !== undefined && (visuals.of(element) & KEEPS_LINES) !== 0;
	const isBlock = BLOCK_CLASS.test(attributes.class ?? '') || /display\s*:\s*block/i.test(style);
	return (
		(isKept || isBlock) &&
		parent.children.every((child) => child === element || child.kind === 'element' || child.data.trim() === '')
	);
}

const BLOCK_CLASS = /(?:^|[\s_-])(?:block|multi-?line|pre)(?=$|[\s_-])/i;

/** A box with only lines of code, as Doxygen writes them: `<div class="fragment"><div class="line">`. */
function isLinesOfCode({ children, attributes }: Element): boolean {
	if (!/(?:^|\s)(?:fragment|code|listing|source|snippet)(?=\s|$)/i.test(attributes.class ?? '')) return false;
	const lines = meaningful(children);
	return (
		lines.length > 0 &&
		lines.every(
			(line) =>
				line.kind === 'element' &&
				line.tag === 'div' &&
				(LINE.test(line.attributes.class ?? '') || line.attributes.class === TOOLTIP),
		)
	);
}

/** A block of code: its exact text without gutters and buttons, in a fence. */
export function codeElement(builder: Builder, element: Element): void {
	if (holdsDocument(element)) {
		builder.block(() => builder.children(element));
		return;
	}
	const text = trimBlankLines(codeText(element, builder));
	if (text === '') return;
	const language = languageOf(element);
	builder.flush();
	builder.dropLabel(language);
	const name = element.tag === 'table' ? fileName(element) : '';
	if (name !== '') builder.add({ kind: 'paragraph', content: [{ kind: 'text', text: name }] });
	builder.add({ kind: 'code', text, language });
}

/** The name of the file in the head of a table of code. */
function fileName(table: Element): string {
	for (const row of table.children.flatMap((child) => (isElement(child) ? [child, ...child.children] : [])))
		for (const cell of isElement(row) ? [row, ...row.children.filter(isElement)] : [])
			if (FILENAME.test(cell.attributes.class ?? '')) return textOf(cell).trim();
	return '';
}

/** A `<pre>` around whole page parts is a mistake of the page, not code. */
function holdsDocument(element: Element): boolean {
	return (
		element.tag === 'pre' &&
		element.children.some(
			(child) => child.kind === 'element' && /^(?:h[1-6]|figure|article|section|img|blockquote)$/.test(child.tag),
		)
	);
}

/** Inline code; a link that holds or fills it goes around the span. */
export function inlineCode(builder: Builder, element: Element): void {
	if (!builder.run.isOpen('link')) {
		const only = meaningful(element.children);
		if (only.length === 1 && only[0]!.kind === 'element' && only[0]!.tag === 'a') {
			const link = only[0]!;
			anchor(builder, { ...link, children: [{ ...element, children: link.children, parent: link }] });
			return;
		}
	}
	const [image] = element.children;
	if (element.children.length === 1 && image?.kind === 'element' && image.tag === 'img') {
		builder.children(element);
		return;
	}
	const raw = codeText(element, builder).replace(/[\s\u00a0]+/g, ' ');
	const text = raw.trim();
	if (raw.startsWith(' ')) builder.run.text(' ');
	if (text !== '') builder.run.push({ kind: 'code', text });
	if (raw.endsWith(' ')) builder.run.text(' ');
}

function meaningful(nodes: readonly Node[]): Node[] {
	return nodes.filter((node) => node.kind === 'element' || node.data.trim() !== '');
}

/** Class tokens of line numbers, and of what editors put beside the code. */
const GUTTER =
	/(?:^|\s)(?:gutter|gl|lineno\w*|line-?no|linenos|linenodiv|line-?numbers?|line-numbers-rows|lnt|ln|nlnum|hljs-ln-(?:numbers|n)|blob-num\S*|crayon-nums\S*|CodeMirror-(?:gutter|linenumber)\S*|cm-gutters?|margin|react-line-number|rouge-gutter|code-lines?-numbers?|token-line-number|lineNumber\w*|linenumber)(?=\s|$)/;
/** Of these only what is a number. */
const MAYBE_GUTTER = /(?:^|\s)(?:line-?numbers?|ln|gl|margin)(?=\s|$)/;
const TOOL =
	/(?:^|[\s_-])(?:copy|clipboard|toolbar|btn|button|tooltip|code-header|sr-only|visually-hidden|lang-label)(?=$|[\s_-])/i;
const TOOLTIP = 'ttc';
/** Elements that hold one line each. */
const LINE =
	/(?:^|\s)(?:line|code-?line|token-line|view-line|CodeMirror-line|cm-line|crayon-line|cl|ec-line|hljs-ln-line|blob-code|react-code-line\S*|LineContent)(?=\s|$)/;

const COLLAPSIBLE = /(?:^|\s)collapsible(?=\s|$)/;

/** The characters of the code. Lines that are elements get the line ends that only their display gave them. */
export function codeText(root: Element, builder: Builder): string {
	const pieces: string[] = [];
	let atLineStart = true;
	/** A line element has ended, and its line end is not written yet. */
	let pending = false;
	/** Of the lists that JSON is drawn with. */
	let depth = 0;
	const push = (text: string): void => {
		pieces.push(text);
		atLineStart = text.endsWith('\n');
	};
	const write = (text: string): void => {
		if (text === '') return;
		if (pending && !text.startsWith('\n')) push('\n');
		pending = false;
		push(text);
	};
	const startLine = (): void => {
		if (pending || !atLineStart) push('\n');
		pending = false;
	};
	const read = (nodes: readonly Node[]): void => {
		for (const node of nodes) {
			if (node.kind === 'text') write(node.data);
			else if (node.tag === 'br') write('\n');
			else if (!isDropped(node)) {
				const line = isLine(node);
				const isNested = node.tag === 'ul' && COLLAPSIBLE.test(node.attributes.class ?? '');
				if (line) startLine();
				if (line && depth > 0 && node.tag === 'li') {
					push('  '.repeat(depth));
					atLineStart = true;
				}
				if (isNested) depth++;
				const before = pieces.length;
				read(node.children);
				if (isNested) depth--;
				// Some highlighters put a blank into lines that are empty.
				if (line && pieces.length === before + 1 && BLANK.test(pieces[before]!)) pieces[before] = '';
				// A line that brings its own line end needs no other.
				if (line) pending = pieces.length === before || !atLineStart;
			}
		}
	};
	const { skip, visuals } = builder.context;
	const isDropped = (node: Element): boolean =>
		isGutter(node) ||
		isTool(node) ||
		(skip(node) && !isEmptyLine(node, visuals)) ||
		FILENAME.test(node.attributes.class ?? '') ||
		(isUnselectable(node, visuals) && BESIDE_CODE.test(shallowText(node)));
	read(root.children);
	return pieces.join('');
}

const BLANK = /^[ \u00a0\u200b]$/;

/** A line with nothing but its number belongs to the code, though the number does not. */
const isEmptyLine = (node: Element, visuals: Looks | undefined): boolean => isLine(node) && !visuals?.hides(node);

/** The name of the file above a block of code. */
const FILENAME = /(?:^|\s)(?:filename|code-?title|file-?name)(?=\s|$)/i;

function isLine({ tag, attributes, parent }: Element): boolean {
	if (tag === 'td' || tag === 'th') return false;
	if (isBlockTag(tag)) return tag !== 'tbody' && tag !== 'thead' && tag !== 'table' && tag !== 'ul' && tag !== 'ol';
	if (attributes.class !== undefined && LINE.test(attributes.class)) return true;
	if (attributes['data-line'] !== undefined && tag === 'span') return true;
	// `<pre><code>one</code><code>two</code></pre>`
	return tag === 'code' && parent?.tag === 'pre' && hasSeveralCodes(parent);
}

function hasSeveralCodes({ children }: Element): boolean {
	const first = children.findIndex(isCode);
	return children.length > first + 1 && children.slice(first + 1, first + 5).some(isCode);
}

function isCode(node: Node): boolean {
	return node.kind === 'element' && node.tag === 'code';
}

function isGutter(element: Element): boolean {
	const { attributes } = element;
	if (attributes['data-line-number'] !== undefined && element.children.length === 0) return true;
	// Lines that mdBook compiles but hides, and what Doxygen shows of a name under the pointer.
	if (attributes.class === 'boring' || attributes.class === TOOLTIP) return true;
	const name = attributes.class;
	if (name === undefined || !(GUTTER.test(name) || MAYBE_GUTTER.test(name))) return false;
	return /^[\d\s.:|-]*$/.test(shallowText(element));
}

/** Line numbers and prompts that a reader cannot select. */
function isUnselectable(element: Element, visuals: Looks | undefined): boolean {
	return visuals !== undefined && (visuals.of(element) & UNSELECTABLE) !== 0;
}

/** A number, or the prompt of a shell. */
const BESIDE_CODE = /^[\s\d.:|]+$|^\s*(?:[$#%>❯]|>>>|\.\.\.|PS>|C:\\>|In ?\[\d*\]:)\s*$/;

function isTool({ tag, attributes }: Element): boolean {
	if (/^(?:button|script|style|svg|select|textarea|input|img)$/.test(tag)) return true;
	return (
		tag !== 'span' &&
		tag !== 'code' &&
		tag !== 'td' &&
		tag !== 'pre' &&
		attributes.class !== undefined &&
		TOOL.test(attributes.class)
	);
}

function textOf({ children }: Element): string {
	return children.map((child) => (child.kind === 'text' ? child.data : textOf(child))).join('');
}

/** Enough of the text to tell a column of numbers. */
function shallowText(element: Element): string {
	let text = '';
	const read = (nodes: readonly Node[]): void => {
		for (const node of nodes) {
			if (text.length > 2000) return;
			if (node.kind === 'text') text += node.data;
			else read(node.children);
		}
	};
	read(element.children);
	return text;
}

function trimBlankLines(text: string): string {
	return text
		.replace(/\r\n?/g, '\n')
		.replace(/\u00a0/g, ' ')
		.replace(/^(?:[ \t]*\n)+/, '')
		.trimEnd();
}
