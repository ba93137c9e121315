import { attributeBits } from './attribute-bits.ts';

/** A parsed HTML tree: plain objects, parents linked, nothing live. */
export interface Text {
	readonly kind: 'text';
	data: string;
	parent: Element | null;
}

export interface Element {
	readonly kind: 'element';
	/** Lower case; SVG and MathML names as written in lower case. */
	readonly tag: string;
	/** Lower-case names, decoded values. */
	readonly attributes: Readonly<Record<string, string>>;
	/** Which of some attributes it has: see `attributeBits`. */
	readonly attributeBits: number;
	children: Node[];
	parent: Element | null;
}

export type Node = Text | Element;

/** The tree of a page. `html`, `head` and `body` always exist, whatever the source left out. */
export interface Document {
	readonly html: Element;
	readonly head: Element;
	readonly body: Element;
	/** Its `style` and `template` elements in order. */
	readonly styles: readonly Element[];
	readonly templates: readonly Element[];
}

/**
 * A list to which nothing is added, in the form that the engine gives to lists of objects: code that reads lists is
 * compiled for each form that it has met.
 */
export function emptyList<T extends object>(): T[] {
	const list = [{} as T];
	list.length = 0;
	return list;
}

/** Many elements have no attributes, or nothing in them: they share one object, to which nothing is added. */
const noChildren = emptyList<Node>();
const noAttributes: Readonly<Record<string, string>> = Object.freeze({});

/** The attributes of a start tag or an element, looked through. */
export type OwnAttributes = Pick<Element, 'attributes' | 'attributeBits'>;

export function createElement(tag: string, attributes: Element['attributes'] = noAttributes): Element {
	return createWith(tag, lookThrough(attributes));
}

export const lookThrough = (attributes: Element['attributes']): OwnAttributes => ({
	attributes,
	attributeBits: attributeBits(attributes),
});

/** Creates an element with the attributes of a tag or of another element. */
export function createWith(tag: string, own: OwnAttributes | null): Element {
	return {
		kind: 'element',
		tag,
		attributes: own === null ? noAttributes : own.attributes,
		attributeBits: own === null ? 0 : own.attributeBits,
		children: noChildren,
		parent: null,
	};
}

/** A copy with other attributes: of the form of all elements, since code is compiled again for an object of another form. */
export function copyOf(element: Element, attributes = element.attributes): Element {
	const { tag, attributeBits, children, parent } = element;
	const copy = createWith(tag, { attributes, attributeBits });
	copy.children = children;
	copy.parent = parent;
	return copy;
}

export function createText(data: string): Text {
	return { kind: 'text', data, parent: null };
}

/** Adds `node` as the last child of `parent`; the node must not have a parent. */
export function append(parent: Element, node: Node): void {
	node.parent = parent;
	const { children } = parent;
	// A list that grows makes room for many; most elements have one or two.
	if (children.length === 0) parent.children = [node];
	else if (children.length === 1) parent.children = [children[0]!, node];
	else if (children.length === 2) parent.children = [children[0]!, children[1]!, node];
	else children.push(node);
}

/** Takes `node` out of its parent. The search runs from the end, where moved nodes usually are. */
export function detach(node: Node): void {
	const siblings = node.parent?.children;
	if (siblings === undefined) return;
	const index = siblings.lastIndexOf(node);
	if (index >= 0) siblings.splice(index, 1);
	node.parent = null;
}
