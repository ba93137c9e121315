import { isInFurniture } from '../read/around.ts';
import type { Segments } from '../read/blocks.ts';
import type { Block } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';
import { onlyBox } from './simple.ts';

/** The most words of a short page. */
const most = 300;
/** A part with this share of its words chosen is content as a whole, */
const chosen = 0.6;
/** but for blocks less likely than this. */
const least = 0.1;

/**
 * Keeps the only `article` of a page, or its `main`, where it is short and most of it is chosen. In so little text the
 * list of the pages that follow looks like a menu, and the note at the end like a footer.
 *
 * @param judged probability of each block; 0 where it is certain that the block is no content
 */
export function keepShort({ blocks, boxes }: Segments, keep: Flags, judged: Float64Array): Flags {
	const kept = keep.slice();
	const part = onlyBox(boxes, 'article') ?? onlyBox(boxes, 'main');
	if (part === undefined) return kept;
	let words = 0;
	let own = 0;
	for (let i = part.start; i < part.end; i++) {
		if (!isOwn(blocks[i]!, judged[i]!)) continue;
		words += blocks[i]!.size.words;
		if (keep[i]) own += blocks[i]!.size.words;
	}
	if (words > most || own < chosen * words) return kept;
	for (let i = part.start; i < part.end; i++) if (judged[i]! >= least && isOwn(blocks[i]!, judged[i]!)) kept[i] = 1;
	return kept;
}

const isOwn = ({ box }: Block, judged: number): boolean => judged > 0 && !box.hidden && !isInFurniture(box);
