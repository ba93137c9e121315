import type { Segments } from '../read/blocks.ts';
import type { Block } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';
import { isRunningText } from '../read/sums.ts';
import { rankOf } from '../read/title-block.ts';

/** The most words of an item; longer items are running text. */
const maxItem = 14;
const maxItems = 90;
const heading = /^h[1-6]$/;

/** The rank of a `summary`, which titles a part that opens. */
const summaryRank = 7;

/**
 * Keeps the list of short items that a heading announces before or after kept steps: ingredients, materials, tools.
 * Before the steps it spans from its heading to that of the steps, including group headings.
 */
export function keepNeeded({ blocks }: Segments, keep: Flags): Flags {
	const kept = keep.slice();
	const keepAll = (from: number, to: number): void => {
		for (let i = from; i <= to; i++) if (!blocks[i]!.box.hidden) kept[i] = 1;
	};
	for (let steps = 1; steps < blocks.length; steps++) {
		if (rankOfTitle(blocks[steps]!) === 0 || !areSteps(blocks, keep, steps + 1)) continue;
		const start = startOfItems(blocks, steps);
		if (start !== undefined) keepAll(start, steps);
		const after = itemsAfter(blocks, steps);
		if (after !== undefined) keepAll(after.start, after.end);
	}
	return kept;
}

/** Of a heading or a summary; else 0. */
const rankOfTitle = (block: Block): number =>
	block.box.element.tag === 'summary' ? summaryRank : heading.test(block.box.element.tag) ? rankOf(block) : 0;

/** Whether at least two kept items of an ordered list, or paragraphs of one, follow. */
function areSteps(blocks: readonly Block[], keep: Flags, start: number): boolean {
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
	const rank = rankOfTitle(blocks[steps]!);
	const items = new Items();
	for (let i = steps - 1; i >= 0 && steps - i <= maxItems; i--) {
		const block = blocks[i]!;
		const own = rankOfTitle(block);
		if (own > 0 && own <= rank) return own === rank && items.areNeeded ? i : undefined;
		if (own > 0) continue;
		if (!items.add(block)) return undefined;
	}
	return undefined;
}

/** The next heading of the same level beside that of the steps, with a list of short items to its end. */
function itemsAfter(blocks: readonly Block[], steps: number): { start: number; end: number } | undefined {
	const rank = rankOfTitle(blocks[steps]!);
	const around = blocks[steps]!.box.parent;
	const items = new Items();
	let start: number | undefined;
	let end = steps;
	for (let i = steps + 1; i < blocks.length && i - steps <= 2 * maxItems; i++) {
		const block = blocks[i]!;
		const own = rankOfTitle(block);
		if (!isBelow(block, around) || (own > 0 && own <= rank && start !== undefined)) break;
		if (start === undefined) {
			if (own === 0 || own > rank) continue;
			if (own < rank) return undefined;
			start = i;
		} else if (own === 0 && !(isInList(block) && items.add(block))) return undefined;
		end = i;
	}
	return start !== undefined && items.areNeeded ? { start, end } : undefined;
}

/** Short items, with few links. */
class Items {
	#count = 0;
	#linked = 0;
	#chars = 0;

	/** False for text that is no item. */
	add(block: Block): boolean {
		if (block.size.words > maxItem || isRunningText(block)) return false;
		this.#count++;
		this.#linked += block.linked;
		this.#chars += block.size.chars;
		return true;
	}

	get areNeeded(): boolean {
		return this.#count > 1 && this.#linked < 0.3 * this.#chars;
	}
}

function isBelow({ box }: Block, around: Block['box'] | null): boolean {
	for (let up: Block['box'] | null = box; up !== null; up = up.parent) if (up === around) return true;
	return false;
}

function isInList({ box }: Block): boolean {
	for (let up: Block['box'] | null = box, level = 0; up !== null && level < 4; up = up.parent, level++)
		if (up.element.tag === 'ul') return true;
	return false;
}
