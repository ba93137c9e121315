import { append, createElement, createText, type Element, type Node } from '../dom/node.ts';
import { parseHtml } from '../dom/parse.ts';
import { walk } from '../dom/walk.ts';

/** MathML elements with text and no children. */
const leaves: ReadonlySet<string> = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
/** MathML elements whose children MathJax writes in a different order. */
const rows: ReadonlySet<string> = new Set([
	'mrow',
	'mfrac',
	'msqrt',
	'mroot',
	'msup',
	'msub',
	'msubsup',
	'munder',
	'mover',
	'munderover',
	'mtable',
	'mtr',
	'mtd',
]);
/** Elements that only draw: struts, lines, radicals, spaces. */
const drawingPattern = /^mjx-(?:n?d?strut|line|surd|spacer|mspace|assistive-mml|speech)$/;

/**
 * The MathML of a formula that exists only as a drawing: MathJax's CHTML (`mjx-` elements), its SVG (`data-mml-node`),
 * or the `data-mathml` of MathJax 2. `undefined` for other elements.
 */
export function drawnFormula(element: Element): Element | undefined {
	const source = element.attributes['data-mathml'];
	if (source !== undefined) return find(parseHtml(source).body, (tag) => tag === 'math');
	const drawing = find(element, (tag, { attributes }) => tag === 'mjx-math' || attributes['data-mml-node'] === 'math');
	if (drawing === undefined) return undefined;
	const math = createElement('math');
	for (const node of formulaOf(drawing.children)) append(math, node);
	return math;
}

function find(root: Element, test: (tag: string, element: Element) => boolean): Element | undefined {
	let found: Element | undefined;
	walk(root, (node) => {
		if (found === undefined && node.kind === 'element' && test(node.tag, node)) found = node;
		return found === undefined;
	});
	return found;
}

function formulaOf(nodes: readonly Node[]): Element[] {
	return nodes.flatMap((node) => (node.kind === 'text' ? [] : elementOf(node)));
}

function elementOf(element: Element): Element[] {
	const { tag } = element;
	if (drawingPattern.test(tag)) return [];
	const name = element.attributes['data-mml-node'] ?? (tag.startsWith('mjx-') ? tag.slice(4) : '');
	if (leaves.has(name)) return [leaf(name, element)];
	if (!rows.has(name)) return formulaOf(element.children);
	const parts = tag === `mjx-${name}` ? chtmlParts(name, element) : svgParts(name, formulaOf(element.children));
	const made = createElement(name);
	for (const part of parts) append(made, part);
	return [made];
}

/** The operands of a CHTML element in MathML order: CHTML draws scripts and limits from the top down. */
function chtmlParts(name: string, element: Element): Element[] {
	switch (name) {
		case 'mfrac':
			return [part(element, 'mjx-num'), part(element, 'mjx-den')];
		case 'mroot':
			return [part(element, 'mjx-box'), part(element, 'mjx-root')];
		case 'msub':
		case 'msup':
		case 'msubsup': {
			const scripts = childrenOf(element).find(({ tag }) => tag === 'mjx-script');
			const base = childrenOf(element).filter((child) => child !== scripts);
			const upDown = formulaOf(scripts?.children ?? []);
			return [row(formulaOf(base)), ...(name === 'msubsup' ? upDown.reverse() : [row(upDown)])];
		}
		case 'munder':
			return [part(element, 'mjx-base'), part(element, 'mjx-under')];
		case 'mover':
			return [part(element, 'mjx-base'), part(element, 'mjx-over')];
		case 'munderover':
			return [part(element, 'mjx-base'), part(element, 'mjx-under'), part(element, 'mjx-over')];
		default:
			return formulaOf(element.children);
	}
}

/** SVG has the superscript before the subscript. */
const svgParts = (name: string, parts: Element[]): Element[] =>
	name === 'msubsup' && parts.length === 3 ? [parts[0]!, parts[2]!, parts[1]!] : parts;

const childrenOf = ({ children }: Element): Element[] =>
	children.filter((child): child is Element => child.kind === 'element');

function part(element: Element, tag: string): Element {
	const found = find(element, (name) => name === tag);
	return row(found === undefined ? [] : formulaOf(found.children));
}

function row(elements: readonly Element[]): Element {
	if (elements.length === 1) return elements[0]!;
	const made = createElement('mrow');
	for (const element of elements) append(made, element);
	return made;
}

/** Characters are text, or appear only as code points: `mjx-c1D45B`, `data-c="1D45B"`. */
function leaf(name: string, element: Element): Element {
	let text = '';
	walk(element, (node) => {
		if (node.kind === 'text') text += node.data;
		else if (node.children.length === 0) text += characterOf(node);
		return true;
	});
	const made = createElement(name);
	append(made, createText(text.normalize('NFKC')));
	return made;
}

function characterOf({ attributes }: Element): string {
	const code = attributes['data-c'] ?? /(?:^|\s)mjx-c([\dA-F]{2,6})(?=\s|$)/i.exec(attributes.class ?? '')?.[1];
	const point = code !== undefined && /^[\dA-F]{2,6}$/i.test(code) ? Number.parseInt(code, 16) : 0;
	return point > 0x20 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
