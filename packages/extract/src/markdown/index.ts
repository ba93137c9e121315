import type { Addresses } from '../addresses.ts';
import type { Element, Node } from '../dom/node.ts';
import { Builder } from './builder.ts';
import { loadsTypesetter, textWithMath } from './math.ts';
import type { Block } from './model.ts';
import { findFootnotes } from './notes.ts';
import { visit } from './visit.ts';
import { writeMarkdown } from './write.ts';

export interface MarkdownContext {
	/** What links are resolved with. */
	readonly addresses: Addresses;
	/** Elements to leave out, with all that is in them: what is hidden, what is not content. */
	readonly skip?: (element: Element) => boolean;
}

/**
 * Writes nodes as CommonMark with GFM tables, task lists, strikethrough and footnotes, formulas as TeX between
 * dollars. Text comes back unchanged from a CommonMark parser. Linear in the size of the nodes.
 */
export function toMarkdown(roots: readonly Node[], { addresses, skip = () => false }: MarkdownContext): string {
	const first = roots.find((root) => root.kind === 'element');
	const typeset = first !== undefined && loadsTypesetter(first) ? textWithMath : undefined;
	const builder = new Builder({ addresses, skip, visit, typeset, ...findFootnotes(roots) });
	const blocks = builder.collect(() => builder.nodes(roots));
	return writeMarkdown(withoutIdleRules([...blocks, ...builder.asides]), { math: builder.math });
}

/** Rules that part nothing: at the ends, before another, before footnotes. */
function withoutIdleRules(blocks: readonly Block[]): Block[] {
	const kept: Block[] = [];
	for (const block of blocks) {
		const last = kept.at(-1)?.kind;
		if (block.kind === 'rule' && (last === undefined || last === 'rule')) continue;
		if (block.kind === 'note' && last === 'rule') kept.pop();
		kept.push(block);
	}
	if (kept.at(-1)?.kind === 'rule') kept.pop();
	return kept;
}
