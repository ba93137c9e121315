import type { Addresses } from '../addresses.ts';
import type { Looks } from '../dom/looks.ts';
import type { Element, Node } from '../dom/node.ts';
import { Builder } from './builder.ts';
import { loadsTypesetter, textWithMath } from './math.ts';
import type { Block } from './model.ts';
import { findFootnotes } from './notes.ts';
import { visit } from './visit.ts';
import { writeMarkdown } from './write.ts';

export interface MarkdownContext {
	/** Resolves links. */
	readonly addresses: Addresses;
	/** Elements to leave out, with all that is in them: what is hidden, what is not content. */
	readonly skip?: (element: Element) => boolean;
	/** Effects of the page's styles on its elements: preserved line breaks, text that cannot be selected. */
	readonly visuals?: Looks;
	/** The text is a converted file: the anchors of its pages stay. */
	readonly isFile?: boolean;
}

/**
 * Writes nodes as CommonMark with GFM tables, task lists, strikethrough and footnotes, formulas as TeX between
 * dollars. Text comes back unchanged from a CommonMark parser. Linear in the size of the nodes.
 */
export function toMarkdown(
	roots: readonly Node[],
	{ addresses, skip = () => false, visuals, isFile = false }: MarkdownContext,
): string {
	const first = roots.find((root) => root.kind === 'element');
	const typeset = first !== undefined && loadsTypesetter(first) ? textWithMath : undefined;
	const { signs, ...footnotes } = findFootnotes(roots, visuals);
	const builder = new Builder({ addresses, skip, visit, typeset, visuals, isFile, ...footnotes });
	for (const sign of signs) builder.dropped.add(sign);
	const blocks = builder.collect(() => builder.nodes(roots));
	return writeMarkdown(withoutIdleRules([...blocks, ...builder.asides]), { math: builder.math });
}

/** A heading for footnotes only, which Markdown collects at the end. */
const notes =
	/^(?:foot-?|end-?)?notes?$|^fu(?:ß|ss)noten?$|^anmerkungen$|^notes de bas de page$|^notas(?: al pie)?$|^脚注$|^注释$/i;

function isHeadingOfNotes(block: Block): boolean {
	if (block.kind !== 'heading' || block.content.length !== 1) return false;
	const [only] = block.content;
	return only!.kind === 'text' && notes.test(only!.text.trim());
}

/** Rules that part nothing: at the ends, before another, before footnotes. */
function withoutIdleRules(blocks: readonly Block[]): Block[] {
	const kept: Block[] = [];
	for (const block of blocks) {
		const last = kept.at(-1)?.kind;
		if (block.kind === 'rule' && (last === undefined || last === 'rule')) continue;
		if (block.kind === 'note' && kept.length > 0 && isHeadingOfNotes(kept.at(-1)!)) kept.pop();
		if (block.kind === 'note' && kept.at(-1)?.kind === 'rule') kept.pop();
		kept.push(block);
	}
	if (kept.at(-1)?.kind === 'rule') kept.pop();
	return kept;
}
