import { isInFurniture } from './around.ts';
import type { Block, Box, Segments } from './blocks.ts';

/** Pages with fewer words than this have no boilerplate worth telling apart by measure. */
const TINY = 60;
/** Up to here the page's own word for where its content is says more than so little text does, */
const SMALL = 300;
/** where nearly all words are in the part so named. */
const SHARE = 0.9;

/**
 * The content of a page with too little text to be judged by measure: what stands in its `main`, or its only `article`,
 * but for menus and footers; of a tiny page whatever is no furniture. `undefined` for all other pages.
 */
export function chooseSimply({ blocks, boxes }: Segments): boolean[] | undefined {
	let all = 0;
	for (let i = 0; i < blocks.length && all < SMALL; i++) all += blocks[i]!.size.words;
	if (all === 0 || all >= SMALL) return undefined;
	const part = only(boxes, 'main') ?? only(boxes, 'article');
	const isNamed = part !== undefined && visibleWords(blocks, part) >= SHARE * all;
	if (!isNamed && all >= TINY) return undefined;
	const { start, end } = isNamed ? part : { start: 0, end: blocks.length };
	return blocks.map((block, i) => i >= start && i < end && !block.box.hidden && !isInFurniture(block.box));
}

function visibleWords(blocks: readonly Block[], { start, end }: Box): number {
	let words = 0;
	for (let i = start; i < end; i++) if (!blocks[i]!.box.hidden) words += blocks[i]!.size.words;
	return words;
}

function only(boxes: readonly Box[], tag: string): Box | undefined {
	const found = boxes.filter(({ element }) => element.tag === tag);
	return found.length === 1 ? found[0] : undefined;
}
