import { classBit } from '../dom/attribute-bits.ts';
import type { Element, Node } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';
import { asciiMathToTex } from './asciimath.ts';
import type { Builder } from './builder.ts';
import { mathSource, typeset } from './class-marks.ts';
import { drawnFormula } from './mathjax.ts';
import { mathmlToTex } from './mathml.ts';

/** Images whose alternative text is TeX. */
const texImage = /(?:^|\s)(?:latex|tex|math|mwe-math-fallback-image-\w+|texhtml|formula)(?=\s|$)/i;

/**
 * Whether an element is a formula, or what a typesetter has made of one.
 *
 * @param marks of its classes
 */
export function isMath(element: Element, marks: number): boolean {
	const { tag, attributes, attributeBits } = element;
	if (tag === 'math' || tag === 'mjx-container') return true;
	if (tag === 'script') return isMathScript(element);
	const name = attributeBits & classBit ? attributes.class : undefined;
	if (name === undefined) return false;
	if (tag === 'img') return texImage.test(name) && !!attributes.alt && /[\\^_=]|^\w$/.test(attributes.alt);
	if (marks & typeset) return tag !== 'body' && tag !== 'html';
	return (tag === 'span' || tag === 'div') && (marks & mathSource) !== 0 && delimited.test(shortSource(element));
}

function isMathScript({ attributes }: Element): boolean {
	return /^math\/(?:tex|latex|asciimath)/i.test(attributes.type?.trim() ?? '');
}

/** The text of an element that holds nothing but text, besides the number of an equation. */
function shortSource({ children }: Element): string {
	const rest = children.length > 1 ? children.filter((child) => !isNumber(child)) : children;
	const [only] = rest;
	return rest.length === 1 && only!.kind === 'text' ? only!.data : '';
}

const isNumber = (node: Node): boolean =>
	node.kind === 'text' ? node.data.trim() === '' : /(?:^|\s)eqno(?=\s|$)/.test(node.attributes.class ?? '');

/** A formula between the delimiters of TeX and nothing else. */
const delimited = /^\s*(?:\\\([\s\S]*\\\)|\\\[[\s\S]*\\\]|\$[\s\S]*\$|\\begin\{[\s\S]*\})\s*$/;

/** Writes a formula once, as TeX: whichever of source, MathML and glyphs the page holds. */
export function mathElement(builder: Builder, element: Element): void {
	const { tag, attributes } = element;
	const name = attributes.class ?? '';
	if (/(?:^|\s)MathJax_Preview(?=\s|$)/.test(name)) return;
	// MathJax 2 puts its glyphs before the script that holds the source.
	if (/(?:^|\s)MathJax(?:_\w+)?(?=\s|$)/.test(name) && tag !== 'mjx-container' && hasSourceNearby(builder, element))
		return;
	const source = sourceOf(element);
	if (source === undefined) {
		if (tag !== 'script') builder.run.text(textContent(element));
		return;
	}
	const tex = cleanTex(source);
	if (tex === '') return;
	builder.math = true;
	if (isDisplay(element)) builder.add({ kind: 'math', tex });
	else builder.run.push({ kind: 'math', tex });
}

function sourceOf(element: Element): string | undefined {
	const { tag, attributes } = element;
	if (tag === 'img') return attributes.alt;
	if (tag === 'script') return scriptSource(element);
	for (const name of ['data-tex', 'data-latex', 'data-math', 'data-formula'])
		if (attributes[name]) return attributes[name];
	const math = tag === 'math' ? element : (first(element, 'math') ?? drawnFormula(element));
	if (math !== undefined) return texOf(math);
	const script = first(element, 'script');
	if (script !== undefined && isMathScript(script)) return scriptSource(script);
	const annotation = first(element, 'annotation');
	if (annotation !== undefined) return textContent(annotation);
	const text = (shortSource(element) || textContent(element)).trim();
	return delimited.test(text) ? text : undefined;
}

function scriptSource(script: Element): string {
	const source = textContent(script);
	return /asciimath/i.test(script.attributes.type ?? '') ? (asciiMathToTex(source) ?? source) : source;
}

function texOf(math: Element): string | undefined {
	const annotation = first(math, 'annotation', ({ attributes }) => /tex/i.test(attributes.encoding ?? ''));
	if (annotation !== undefined) return textContent(annotation);
	return math.attributes.alttext ?? mathmlToTex(math);
}

function first(root: Element, tag: string, test: (element: Element) => boolean = () => true): Element | undefined {
	for (const child of root.children) {
		if (child.kind !== 'element') continue;
		if (child.tag === tag && test(child)) return child;
		const inside = first(child, tag, test);
		if (inside !== undefined) return inside;
	}
	return undefined;
}

function hasSourceNearby({ mathParents }: Builder, { parent }: Element): boolean {
	return holdsSource(parent, mathParents) || holdsSource(parent?.parent ?? null, mathParents);
}

/** Asked for each formula of a parent, found out once. */
function holdsSource(parent: Element | null, known: Map<Element, boolean>): boolean {
	if (parent === null) return false;
	let holds = known.get(parent);
	if (holds === undefined) {
		holds = parent.children.some((node) => node.kind === 'element' && node.tag === 'script' && isMathScript(node));
		known.set(parent, holds);
	}
	return holds;
}

function isDisplay(element: Element): boolean {
	const { tag, attributes, children } = element;
	if (tag === 'script') return /mode\s*=\s*display/i.test(attributes.type ?? '');
	if (attributes.display === 'block' || attributes.display === 'true' || attributes.mode === 'display') return true;
	if (
		// Formulas on lines of their own.
		/(?:^|\s)(?:katex-display|MathJax_Display|mwe-math-fallback-image-display|display)(?=\s|$)/.test(
			attributes.class ?? '',
		)
	)
		return true;
	if (tag === 'div' && /(?:^|\s)arithmatex(?=\s|$)/.test(attributes.class ?? '')) return true;
	if (/^\s*(?:\\\[|\$\$|\\begin)/.test(shortSource(element))) return true;
	return tag !== 'math' && tag !== 'img' && children.some((child) => child.kind === 'element' && isDisplay(child));
}

/** Delimiters of the page and Wikipedia's `{\displaystyle …}` come off; white space means nothing in TeX. */
function cleanTex(source: string): string {
	let tex = source
		.replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, '')
		.replace(/\s+/g, ' ')
		.trim();
	tex = tex.replace(/^(?:\\\[|\\\(|\$\$?)\s*([\s\S]*?)\s*(?:\\\]|\\\)|\$\$?)$/, '$1');
	const wrapped = /^\{\\(?:displaystyle|textstyle)\s+([\s\S]*)\}$/.exec(tex);
	return (wrapped ? wrapped[1]! : tex).trim();
}

/** Boxes of equations as LaTeXML writes them. */
const equations = /(?:^|\s)(?:ltx_equation|ltx_equationgroup|ltx_eqn_table|ltx_eqn_align)(?=\s|$)/;

/** A table that only puts the number of a formula beside it. */
export function isEquationTable({ tag, attributes }: Element): boolean {
	return tag === 'table' && attributes.class !== undefined && equations.test(attributes.class);
}

/** Each row as one formula with its number. */
export function equationTable(builder: Builder, element: Element): void {
	const rows: Element[] = [];
	walk(element, (node) => {
		if (node.kind === 'element' && node.tag === 'tr') rows.push(node);
		return node.kind === 'text' || node.tag !== 'tr';
	});
	for (const row of rows) equationRow(builder, row);
}

function equationRow(builder: Builder, row: Element): void {
	const parts: string[] = [];
	let number = '';
	walk(row, (node) => {
		if (node.kind === 'text') return false;
		if (node.tag === 'math') parts.push(cleanTex(texOf(node) ?? ''));
		else if (
			// Numbers of equations as LaTeXML writes them.
			/(?:^|\s)ltx_tag_equation(?:group)?(?=\s|$)|(?:^|\s)ltx_eqn_eqno(?=\s|$)/.test(node.attributes.class ?? '')
		)
			number ||= textContent(node).trim();
		return node.tag !== 'math';
	});
	const tex = parts.filter((part) => part !== '').join(' ');
	if (tex === '') return;
	builder.math = true;
	const tag = number === '' ? '' : ` \\tag{${number.replace(/^\(|\)$/g, '')}}`;
	builder.add({ kind: 'math', tex: tex + tag });
}

const typesetter = /mathjax|katex/i;
/** Formulas in running text: `\\(…\\)`, `\\[…\\]`, `$$…$$`, and `$…$` around a sign of TeX or a single letter. */
const inText =
	/\\\(([\s\S]{1,2000}?)\\\)|\\\[([\s\S]{1,5000}?)\\\]|\$\$([^$]{1,5000})\$\$|(?<![\\$\w])\$(?![\s$])((?:[^$\n]{0,300}[\\^_{}=<>+*/(|][^$\n]{0,300}|[\p{L}]\d?))(?<!\s)\$(?![\d$])/gu;

/** Whether the page loads a typesetter, which would find formulas in its text. */
export function loadsTypesetter(root: Element): boolean {
	let top = root;
	while (top.parent !== null) top = top.parent;
	let found = false;
	walk(top, (node) => {
		if (found || node.kind === 'text') return false;
		if (node.tag === 'script') found = typesetter.test(`${node.attributes.src ?? ''} ${node.attributes.id ?? ''}`);
		return !found && (node.tag === 'head' || node.tag === 'body' || node.tag === 'html' || node.tag === 'div');
	});
	return found;
}

/** Writes text whose formulas are still to be set. */
export function textWithMath(builder: Builder, text: string): void {
	let done = 0;
	for (const match of text.matchAll(inText)) {
		const [whole, brackets, bracketed, dollars, dollar] = match;
		const inline = brackets ?? dollar;
		builder.run.text(text.slice(done, match.index));
		done = match.index + whole.length;
		const tex = cleanTex(inline ?? bracketed ?? dollars ?? '');
		if (tex === '') continue;
		builder.math = true;
		if (inline === undefined) builder.add({ kind: 'math', tex });
		else builder.run.push({ kind: 'math', tex });
	}
	builder.run.text(text.slice(done));
}
