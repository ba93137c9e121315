/** A colour as red, green and blue from 0 to 255; undefined: a pattern, or an image. */
export type Colour = readonly [number, number, number] | undefined;

/** `[left, top, right, bottom]` in points; y grows downwards, as on the page. */
export type Box = readonly [number, number, number, number];

/** What the layout needs of a font. */
export interface Typeface {
	readonly bold: boolean;
	readonly italic: boolean;
	readonly mono: boolean;
}

/** One painted character (or ligature) where it stands on the page. */
export interface Glyph {
	readonly text: string;
	readonly x: number;
	/** Of the baseline. */
	readonly y: number;
	readonly width: number;
	/** Points, after all transformations. */
	readonly size: number;
	readonly typeface: Typeface;
	/** Marked content that it belongs to (ISO 32000-1 §14.7.4). */
	readonly mcid: number | undefined;
	/** A space that the file paints. */
	readonly space: boolean;
	/** Direction of text that does not run from left to right. */
	readonly turned?: number;
}

/** A straight thin line. */
export interface Rule {
	readonly horizontal: boolean;
	/** y of a horizontal line, x of a vertical one. */
	readonly at: number;
	readonly from: number;
	readonly to: number;
}

/** All of a page that matters for its text. */
export interface PageMarks {
	readonly glyphs: readonly Glyph[];
	readonly rules: readonly Rule[];
	/** Small circles and squares. */
	readonly dots: readonly Box[];
	/** Marked content that holds an image. */
	readonly imageIds: ReadonlySet<number>;
	readonly images: number;
	/** Characters that are on the page but not visible. */
	readonly hidden: number;
}

/** A run of characters in one style on one line. */
export interface Segment {
	text: string;
	readonly x0: number;
	readonly x1: number;
	readonly y: number;
	readonly size: number;
	readonly typeface: Typeface;
	readonly mcid: number | undefined;
	/** Place in the order of painting. */
	readonly order: number;
	readonly rtl: boolean;
	href?: string;
	/** Raised or lowered. */
	shift?: 'sup' | 'sub';
}

/** A line of one column, its segments in reading order. */
export interface Line extends Pick<Segment, 'x0' | 'x1' | 'y' | 'size' | 'rtl'> {
	readonly segments: readonly Segment[];
	readonly text: string;
}

/** A piece of text in one style, or the start of a page inside a paragraph. */
export type Inline =
	| {
			readonly text: string;
			readonly bold?: boolean;
			readonly italic?: boolean;
			readonly code?: boolean;
			readonly shift?: 'sup' | 'sub';
			readonly href?: string;
			readonly note?: string;
	  }
	| { readonly page: number };

export interface Cell {
	readonly header: boolean;
	readonly columns: number;
	readonly rows: number;
	readonly blocks: readonly Block[];
	/** Left and right end of its text. */
	readonly extent?: readonly [number, number];
}

export type Block =
	| { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
	| { readonly kind: 'paragraph'; readonly content: readonly Inline[]; readonly open?: boolean }
	| { readonly kind: 'code'; readonly text: string }
	| { readonly kind: 'list'; readonly ordered: boolean; readonly start: number; readonly items: Block[][] }
	| { readonly kind: 'table'; readonly rows: readonly (readonly Cell[])[]; readonly caption?: readonly Inline[] }
	| { readonly kind: 'figure'; readonly alt: string }
	| { readonly kind: 'quote'; readonly blocks: readonly Block[] }
	| { readonly kind: 'note'; readonly label: string; readonly content: readonly Inline[] }
	| { readonly kind: 'page'; readonly page: number };
