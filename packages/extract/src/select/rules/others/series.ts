import type { Box } from '../../read/box.ts';

/** Marks the blocks from one up to another as no content of this page. */
export type Drop = (start: number, end: number) => void;

/** A box and those of its children that share a tag and class. */
export interface Series {
	readonly box: Box;
	readonly series: readonly Box[];
}

/** The fewest siblings of a series. */
const fewest = 3;

export function seriesOf(boxes: readonly Box[]): Series[] {
	const all: Series[] = [];
	for (const box of boxes) {
		if (box.children.length < fewest || box.end - box.start < fewest) continue;
		const series = largestSeries(box.children);
		if (series.length >= fewest) all.push({ box, series });
	}
	return all;
}

/** Counts of looks, for one parent at a time. */
const counts = new Map<number, number>();

/** Siblings with the most common tag and class. */
function largestSeries(brothers: readonly Box[]): readonly Box[] {
	counts.clear();
	let most = 0;
	let look = -1;
	for (const box of brothers) {
		if (box.end === box.start) continue;
		const count = (counts.get(box.look) ?? 0) + 1;
		counts.set(box.look, count);
		if (count <= most) continue;
		most = count;
		look = box.look;
	}
	if (most < fewest) return none;
	return most === brothers.length ? brothers : brothers.filter((box) => box.look === look && box.end > box.start);
}

const none: readonly Box[] = [];
