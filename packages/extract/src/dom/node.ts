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
	readonly attributes: Record<string, string>;
	children: Node[];
	parent: Element | null;
}

export type Node = Text | Element;

/** The tree of a page. `html`, `head` and `body` always exist, whatever the source left out. */
export interface Document {
	readonly html: Element;
	readonly head: Element;
	readonly body: Element;
}
