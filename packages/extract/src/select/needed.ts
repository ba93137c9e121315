import type { Block, Segments } from './blocks.ts';
import { isRunningText } from './sums.ts';
import { rankOf } from './title-block.ts';

/** The most words of an item; longer items are running text. */
const MOST_ITEM = 14;
const MOST_ITEMS = 90;
const HEADING = /^h[1-6]$/;

/**
 * Keeps the list of short items that a heading announces before kept steps: ingredients, materials, tools. It spans
 * from its heading to that of the steps, including group headings.
 */
export function keepNeeded({ blocks }: Segments, keep: readonly boolean[]): boolean[] {
	const kept = [...keep];
	for (let steps = 1; steps < blocks.length; steps++) {
		if (rankOf(blocks[steps]!) === 0 || !areSteps(blocks, keep, steps + 1)) continue;
		const start = startOfItems(blocks, steps);
		if (start === undefined) continue;
		for (let i = start; i <= steps; i++) if (!blocks[i]!.box.hidden) kept[i] = true;
	}
	return kept;
}

/** Whether at least two kept items of an ordered list, or paragraphs of one, follow. */
function areSteps(blocks: readonly Block[], keep: readonly boolean[], start: number): boolean {
	let items = 0;
	for (let i = start; i < blocks.length && i < start + 4; i++)
		if (keep[i] && blocks[i]!.size.words > 5 && isInOrdered(blocks[i]!)) items++;
	return items > 1;
}

function isInOrdered({ box }: Block): boolean {
	for (let up = box.parent, level = 0; up !== null && level < 3; up = up.parent, level++)
		if (up.element.tag === 'ol') return true;
	return box.element.tag === 'ol';
}

/** The heading of the same level above a run of short items. */
function startOfItems(blocks: readonly Block[], steps: number): number | undefined {
	const rank = rankOf(blocks[steps]!);
	let items = 0;
	let linked = 0;
	let chars = 0;
	for (let i = steps - 1; i >= 0 && steps - i <= MOST_ITEMS; i--) {
		const block = blocks[i]!;
		const own = HEADING.test(block.box.element.tag) ? rankOf(block) : 0;
		if (own > 0 && own <= rank) return own === rank && items > 1 && linked < 0.3 * chars ? i : undefined;
		if (own > 0) continue;
		if (block.size.words > MOST_ITEM || isRunningText(block)) return undefined;
		items++;
		linked += block.linked;
		chars += block.size.chars;
	}
	return undefined;
}
