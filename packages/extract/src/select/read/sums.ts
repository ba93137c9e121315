import type { Block, Box } from './box.ts';

/** Text with so many words and few links is prose. */
const proseWords = 15;

/** Running sums over the blocks of a page, so that any box can be measured at once. */
export class Sums {
	readonly words: Float64Array;
	readonly chars: Float64Array;
	readonly linked: Float64Array;
	readonly prose: Float64Array;
	readonly stops: Float64Array;
	readonly paragraphs: Float64Array;
	/** Blocks that are nothing but a link, and blocks with a link in them. */
	readonly entries: Float64Array;
	readonly linking: Float64Array;

	constructor(blocks: readonly Block[]) {
		const size = blocks.length + 1;
		this.words = new Float64Array(size);
		this.chars = new Float64Array(size);
		this.linked = new Float64Array(size);
		this.prose = new Float64Array(size);
		this.stops = new Float64Array(size);
		this.paragraphs = new Float64Array(size);
		this.entries = new Float64Array(size);
		this.linking = new Float64Array(size);
		for (let i = 0; i < blocks.length; i++) {
			const block = blocks[i]!;
			const { words, chars, stops } = block.size;
			this.words[i + 1] = this.words[i]! + words;
			this.chars[i + 1] = this.chars[i]! + chars;
			this.linked[i + 1] = this.linked[i]! + block.linked;
			this.prose[i + 1] = this.prose[i]! + (isProse(block) ? words : 0);
			this.stops[i + 1] = this.stops[i]! + stops;
			this.paragraphs[i + 1] = this.paragraphs[i]! + (block.box.element.tag === 'p' ? words : 0);
			this.entries[i + 1] = this.entries[i]! + (block.linked > 0.8 * chars ? 1 : 0);
			this.linking[i + 1] = this.linking[i]! + (block.linked > 0 ? 1 : 0);
		}
	}
}

export const within = (sums: Float64Array, box: Box): number => sums[box.end]! - sums[box.start]!;
export const between = (sums: Float64Array, start: number, end: number): number => sums[end]! - sums[start]!;

/** Whether a block is running text that is seen. */
export const isProse = (block: Block): boolean => !block.box.hidden && isRunningText(block);

/** Whether a block is running text, seen or not. */
export function isRunningText({ size, linked }: Block): boolean {
	return size.words >= proseWords && linked < size.chars * 0.3;
}

/** The smallest boxes that hold these shares of the page's prose. */
const shares = [0.5, 0.75, 0.95];

export function proseBoxes(boxes: readonly Box[], sums: Sums): (Box | undefined)[] {
	const total = sums.prose.at(-1)!;
	return shares.map((share) => {
		let best = boxes[0];
		if (best === undefined || total === 0) return undefined;
		for (;;) {
			const next: Box | undefined = best.children.find((child) => within(sums.prose, child) >= share * total);
			if (next === undefined) return best;
			best = next;
		}
	});
}

export const log = (value: number): number => Math.log1p(value);
export const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
