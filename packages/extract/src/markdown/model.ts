// A page between HTML and Markdown: blocks that hold blocks or inline runs. Marks are flat, so that a run can be
// trimmed, merged and cut without recursion.

export type MarkName = 'strong' | 'em' | 'del' | 'sup' | 'sub' | 'link';

export interface Mark {
	readonly name: MarkName;
	/** Of a link: absolute. */
	readonly url?: string;
}

export type Inline =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'code'; readonly text: string }
	| { readonly kind: 'math'; readonly tex: string }
	| { readonly kind: 'image'; readonly url: string; readonly alt: string }
	/** A reference to a footnote. */
	| { readonly kind: 'note'; readonly label: string }
	/** A target of links in a converted file: where a page begins. */
	| { readonly kind: 'anchor'; readonly id: string }
	| { readonly kind: 'break' }
	| { readonly kind: 'open'; readonly mark: Mark }
	| { readonly kind: 'close'; readonly mark: Mark };

export interface ListItem {
	/** Of an ordered list: the number that a browser shows. */
	readonly number: number;
	/** Of a task list. */
	checked?: boolean;
	readonly children: Block[];
}

export interface Cell {
	readonly header: boolean;
	readonly columns: number;
	readonly rows: number;
	readonly align: '' | 'left' | 'center' | 'right';
	readonly children: Block[];
}

export interface Table {
	readonly kind: 'table';
	readonly caption: Inline[];
	readonly rows: Cell[][];
	/** How many of the rows belong to the head. */
	readonly head: number;
}

export type Block =
	| { readonly kind: 'paragraph'; readonly content: Inline[] }
	| { readonly kind: 'heading'; readonly level: number; readonly content: Inline[] }
	| { readonly kind: 'code'; readonly text: string; readonly language: string }
	| { readonly kind: 'math'; readonly tex: string }
	| { readonly kind: 'rule' }
	| { readonly kind: 'quote'; readonly children: Block[] }
	| { readonly kind: 'list'; readonly ordered: boolean; readonly items: ListItem[] }
	/** A term of a definition list, and what is said of it. */
	| { readonly kind: 'term'; readonly content: Inline[] }
	| { readonly kind: 'detail'; readonly children: Block[] }
	/** The content of a footnote. */
	| { readonly kind: 'note'; readonly label: string; readonly children: Block[] }
	| Table;
