import type { Element, Node } from '../dom/node.ts';
import { Builder } from './builder.ts';
import { findFootnotes } from './notes.ts';
import { visit } from './visit.ts';
import { writeMarkdown } from './write.ts';

export interface MarkdownContext {
	/** What relative links are resolved against: absolute. */
	readonly baseUrl: string;
	/** Elements to leave out, with all that is in them: what is hidden, what is not content. */
	readonly skip?: (element: Element) => boolean;
}

/**
 * Writes nodes as CommonMark with GFM tables, task lists, strikethrough and footnotes, formulas as TeX between
 * dollars. Text comes back unchanged from a CommonMark parser. Linear in the size of the nodes.
 */
export function toMarkdown(roots: readonly Node[], { baseUrl, skip = () => false }: MarkdownContext): string {
	const builder = new Builder({ baseUrl, skip, visit, ...findFootnotes(roots) });
	const blocks = builder.collect(() => builder.nodes(roots));
	return writeMarkdown(blocks, { math: builder.math });
}
