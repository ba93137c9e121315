import { keepsLinesBit, type Looks, unselectableBit } from '../dom/looks.ts';
import { copyOf, type Element, type Node } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import { isBlockTag } from './block-tags.ts';
import type { Builder } from './builder.ts';
import { codeBox, editor } from './class-marks.ts';
import { languageOf } from './code-language.ts';
import { anchor } from './links.ts';

/** Wrappers of highlighted code that are no `<pre>`: tables with a gutter, editors drawn with `<div>`. */
const codeTable =
	/(?:^|\s)(?:highlight(?:table)?|rouge-table|lntable|hljs-ln|crayon-table|blob-wrapper|js-file-line-container|code-?table|CodeRay|diff-table)(?=\s|$)/i;

/**
 * Whether an element that is no `<pre>` holds lines of code.
 *
 * @param marks of its classes
 */
export function isCodeContainer(element: Element, marks: number, visuals?: Looks): boolean {
	const { tag, attributes } = element;
	if (tag === 'table')
		return (attributes.class !== undefined && codeTable.test(attributes.class)) || hasGutter(element);
	if (tag !== 'div' && tag !== 'code' && tag !== 'span') return false;
	if (marks & editor) return true;
	if (tag === 'code') return isMultiLine(element) || keepsItsLines(element, visuals);
	if (marks & codeBox && isOneCodePerLine(element)) return true;
	if (tag === 'div' && isLinesOfCode(element)) return true;
	if (marks & codeBox) return false;
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
	return gutterCell.test(gutter?.attributes.class ?? '') && codeCell.test(code?.attributes.class ?? '');
}

const gutterCell = /(?:^|\s)(?:gutter|line-?nos?|line-?numbers?)(?=\s|$)/i;
const codeCell = /(?:^|\s)(?:code|content|code-content)(?=\s|$)/i;
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
	const isKept = visuals !== undefined && (visuals.of(element) & keepsLinesBit) !== 0;
	const isBlock = blockClass.test(attributes.class ?? '') || /display\s*:\s*block/i.test(style);
	return (
		(isKept || isBlock) &&
		parent.children.every((child) => child === element || child.kind === 'element' || child.data.trim() === '')
	);
}

const blockClass = /(?:^|[\s_-])(?:block|multi-?line|pre)(?=$|[\s_-])/i;

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
				(linePattern.test(line.attributes.class ?? '') || line.attributes.class === tooltip),
		)
	);
}

/** A block of code: its exact text without gutters and buttons, in a fence. */
export function codeElement(builder: Builder, element: Element): void {
	if (holdsDocument(element)) {
		builder.block(() => builder.children(element));
		return;
	}
	if (/(?:^|\s)code-with-filename-file(?=\s|$)/.test(element.parent?.attributes.class ?? '')) {
		builder.block(() => builder.children(element));
		return;
	}
	const isDiff = showsRemovedLines(element);
	const text = trimBlankLines(codeText(element, builder, isDiff));
	if (text === '') return;
	const named = languageOf(element);
	const language = isDiff ? 'diff' : named;
	builder.flush();
	builder.dropLabel(named);
	const name = fileName(element);
	if (name !== '') builder.add({ kind: 'paragraph', content: [{ kind: 'text', text: name }] });
	builder.add({ kind: 'code', text, language });
	for (const remark of remarksIn(element)) builder.block(() => builder.children(remark));
}

/** Lines that style sheets draw with a sign before them: Shiki's `diff remove`, Expressive Code's `highlight del`. */
const removed = /(?:^|\s)(?:diff remove|line-remove|highlight del)(?=\s|$)/;
const added = /(?:^|\s)(?:diff add|line-add|highlight ins)(?=\s|$)/;
const signOf = (name: string): string => (removed.test(name) ? '-' : added.test(name) ? '+' : ' ');
const isSourceLine = ({ attributes }: Element): boolean => /(?:^|\s)(?:ec-)?line(?=\s|$)/.test(attributes.class ?? '');

/** Without the signs, a reader of the Markdown would take the removed lines for code. */
function showsRemovedLines(element: Element): boolean {
	let found = element.tag === 'table' && /(?:^|\s)diff-table(?=\s|$)/.test(element.attributes.class ?? '');
	if (element.tag === 'pre')
		walk(element, (node) => {
			found ||= isElement(node) && isSourceLine(node) && removed.test(node.attributes.class ?? '');
			return !found;
		});
	return found;
}

/** Errors and results that Twoslash shows between the lines. */
function remarksIn(element: Element): Element[] {
	const found: Element[] = [];
	if (element.tag !== 'pre' || !/(?:^|\s)twoslash(?=\s|$)/.test(element.attributes.class ?? '')) return found;
	walk(element, (node) => {
		const isRemark = isElement(node) && remarkPattern.test(node.attributes.class ?? '');
		if (isRemark) found.push(node);
		return !isRemark;
	});
	return found;
}

/** Lines that Twoslash adds to the code. */
const remarkPattern = /(?:^|\s)twoslash-(?:meta-line|error-line|tag-line|query-line|query-persisted)(?=\s|$)/;
/** Types of names that Twoslash shows under the pointer, and its remarks. */
const popup = /(?:^|\s)twoslash-(?:popup|completion-list|meta-line|error-line|tag-line|query-line|query-persisted)/;

/** The name of the file in the head of a table of code. */
function fileName(table: Element): string {
	const caption = captionIn(table);
	if (caption !== undefined) return textOf(caption).trim();
	if (table.tag !== 'table') return '';
	for (const row of table.children.flatMap((child) => (isElement(child) ? [child, ...child.children] : [])))
		for (const cell of isElement(row) ? [row, ...row.children.filter(isElement)] : [])
			if (filename.test(cell.attributes.class ?? '')) return textOf(cell).trim();
	return '';
}

/** The caption of the table that a highlighter draws code with. */
function captionIn({ children, tag }: Element): Element | undefined {
	const parts = children.filter(isElement);
	const within = tag === 'table' ? parts : parts.find((child) => child.tag === 'table')?.children.filter(isElement);
	return within?.find((child) => child.tag === 'caption');
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

/** Source of a formula that a script would set: `<code class="language-math math-inline">`. */
const mathPattern = /(?:^|\s)math-inline(?=\s|$)/;

/** Inline code; a link that holds or fills it goes around the span. */
export function inlineCode(builder: Builder, element: Element): void {
	if (!builder.run.isOpen('link')) {
		const only = meaningful(element.children);
		if (only.length === 1 && only[0]!.kind === 'element' && only[0]!.tag === 'a') {
			const link = copyOf(only[0]!);
			const code = copyOf(element);
			code.children = link.children;
			code.parent = only[0]!;
			link.children = [code];
			anchor(builder, link);
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
	if (mathPattern.test(element.attributes.class ?? '')) {
		builder.math = true;
		builder.run.push({ kind: 'math', tex: text });
	} else if (text !== '') builder.run.push({ kind: 'code', text });
	if (raw.endsWith(' ')) builder.run.text(' ');
}

function meaningful(nodes: readonly Node[]): Node[] {
	return nodes.filter((node) => node.kind === 'element' || node.data.trim() !== '');
}

/** Class tokens of line numbers, and of what editors put beside the code. */
const gutterPattern =
	/(?:^|\s)(?:gutter|gl|lineno\w*|line-?no|linenos|linenodiv|line-?numbers?|line-numbers-rows|lnt|ln|nlnum|hljs-ln-(?:numbers|n)|blob-num\S*|crayon-nums\S*|CodeMirror-(?:gutter|linenumber)\S*|cm-gutters?|margin|react-line-number|rouge-gutter|code-lines?-numbers?|token-line-number|lineNumber\w*|linenumber)(?=\s|$)/;
/** Of these only what is a number. */
const maybeGutter = /(?:^|\s)(?:line-?numbers?|ln|gl|margin)(?=\s|$)/;
const tool =
	/(?:^|[\s_-])(?:copy|clipboard|toolbar|btn|button|tooltip|code-header|sr-only|visually-hidden|lang-label)(?=$|[\s_-])/i;
const tooltip = 'ttc';
/** Elements that hold one line each. */
const linePattern =
	/(?:^|\s)(?:line|code-?line|token-line|view-line|CodeMirror-line|cm-line|crayon-line|cl|ec-line|hljs-ln-line|blob-code|react-code-line\S*|LineContent)(?=\s|$)/;

const collapsible = /(?:^|\s)collapsible(?=\s|$)/;

/** The characters of the code. Lines that are elements get the line ends that only their display gave them. */
export function codeText(root: Element, builder: Builder, isDiff = false): string {
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
				const isNested = node.tag === 'ul' && collapsible.test(node.attributes.class ?? '');
				if (line) startLine();
				if (line && depth > 0 && node.tag === 'li') {
					push('  '.repeat(depth));
					atLineStart = true;
				}
				if (isNested) depth++;
				if (isDiff && line && isSourceLine(node)) {
					push(signOf(node.attributes.class ?? ''));
					atLineStart = true;
				}
				// GitHub's diffs: a style sheet draws the sign.
				const sign = node.attributes['data-code-marker'];
				if (sign !== undefined && /^[-+ ]$/.test(sign)) write(sign);
				const before = pieces.length;
				read(node.children);
				if (isNested) depth--;
				// Some highlighters put a blank into lines that are empty.
				if (line && pieces.length === before + 1 && blank.test(pieces[before]!)) pieces[before] = '';
				// A line that brings its own line end needs no other.
				if (line) pending = pieces.length === before || !atLineStart;
			}
		}
	};
	const { skip, visuals } = builder.context;
	const isDropped = (node: Element): boolean =>
		isGutter(node) ||
		isTool(node) ||
		annotation.test(node.attributes.class ?? '') ||
		(skip(node) && !isEmptyLine(node, visuals)) ||
		filename.test(node.attributes.class ?? '') ||
		node.tag === 'caption' ||
		popup.test(node.attributes.class ?? '') ||
		(isUnselectable(node, visuals) && besideCode.test(shallowText(node)));
	read(root.children);
	return pieces.join('');
}

/** The number of a remark that Quarto puts beside a line. */
const annotation = /(?:^|\s)code-annotation-anchor(?=\s|$)/;

const blank = /^[ \u00a0\u200b]$/;

/** A line with nothing but its number belongs to the code, though the number does not. */
const isEmptyLine = (node: Element, visuals: Looks | undefined): boolean => isLine(node) && !visuals?.hides(node);

/** The name of the file above a block of code. */
const filename = /(?:^|\s)(?:filename|code-?title|file-?name)(?=\s|$)/i;

function isLine({ tag, attributes, parent }: Element): boolean {
	if (tag === 'td' || tag === 'th') return false;
	if (isBlockTag(tag)) return tag !== 'tbody' && tag !== 'thead' && tag !== 'table' && tag !== 'ul' && tag !== 'ol';
	if (attributes.class !== undefined && linePattern.test(attributes.class)) return true;
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
	if (attributes.class === 'boring' || attributes.class === tooltip) return true;
	const name = attributes.class;
	if (name === undefined || !(gutterPattern.test(name) || maybeGutter.test(name))) return false;
	return /^[\d\s.:|-]*$/.test(shallowText(element));
}

/** Line numbers and prompts that a reader cannot select. */
function isUnselectable(element: Element, visuals: Looks | undefined): boolean {
	return visuals !== undefined && (visuals.of(element) & unselectableBit) !== 0;
}

/** Whether an element outside of the code holds nothing but its line numbers. */
export function isColumnOfNumbers(element: Element): boolean {
	return /^[\d\s]*$/.test(shallowText(element));
}

/** A number, or the prompt of a shell. */
const besideCode = /^[\s\d.:|]+$|^\s*(?:[$#%>❯]|>>>|\.\.\.|PS>|C:\\>|In ?\[\d*\]:)\s*$/;

function isTool({ tag, attributes }: Element): boolean {
	if (/^(?:button|script|style|svg|select|textarea|input|img)$/.test(tag)) return true;
	return (
		tag !== 'span' &&
		tag !== 'code' &&
		tag !== 'td' &&
		tag !== 'pre' &&
		attributes.class !== undefined &&
		tool.test(attributes.class)
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
