import type { Element, Text } from '../../dom/node.ts';
import type { Names } from './hints.ts';
import type { Measure } from './measure.ts';

/** A block-level element that contains text. Its text is the run of blocks `[start, end)`. */
export interface Box {
	readonly element: Element;
	readonly parent: Box | null;
	readonly depth: number;
	/** Position among the boxes of the page, parents before children. */
	readonly index: number;
	/** Effects of styles and attributes on it: see `Looks`. */
	readonly bits: number;
	/** No reader sees it: it or an ancestor is hidden, and no control opens it. */
	hidden: boolean;
	/** Hiding effects that elements inside can undo: see `inherit`. */
	readonly inherited: number;
	/** Text inside undoes the hiding effects around it. */
	revealed: boolean;
	/** Names that the author gave it. */
	readonly names: Names;
	/** A number that it has in common with the boxes of the same tag and class. */
	readonly look: number;
	/** The kinds of parts that it is in: see `Names`. The names of the body speak of the page, not of its parts. */
	readonly kinds: number;
	/** The elements that it is or is in: see `aroundTags`. */
	readonly around: number;
	children: Box[];
	start: number;
	end: number;
}

/** A piece of text that stands by itself: a paragraph, a heading, a cell, a menu entry. */
export interface Block {
	readonly box: Box;
	readonly texts: Text[];
	/** White space collapsed, line breaks kept. */
	readonly text: string;
	readonly size: Measure;
	/** Characters inside links. */
	readonly linked: number;
	/** How many links stand in it. */
	readonly links: number;
	/** Characters before the first link; -1 where there is none. */
	readonly lead: number;
	/** Characters in bold, strong or emphasised elements. */
	readonly strong: number;
}
