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

/** @param looks how many looks the boxes have */
export function seriesOf(boxes: readonly Box[], looks: number): Series[] {
	const all: Series[] = [];
	const counts = new Int32Array(looks);
	for (const box of boxes) {
		if (box.children.length < fewest || box.end - box.start < fewest) continue;
		const series = largestSeries(box.children, counts);
		if (series.length >= fewest) all.push({ box, series });
	}
	return all;
}

/**
 * Siblings with the most common tag and class.
 *
 * @param counts by look: zeros, before and after
 */
function largestSeries(brothers: readonly Box[], counts: Int32Array): readonly Box[] {
	let most = 0;
	let look = -1;
	for (const box of brothers) {
		if (box.end === box.start) continue;
		const count = ++counts[box.look]!;
		if (count <= most) continue;
		most = count;
		look = box.look;
	}
	for (const box of brothers) counts[box.look] = 0;
	if (most < fewest) return none;
	return most === brothers.length ? brothers : brothers.filter((box) => box.look === look && box.end > box.start);
}

const none: readonly Box[] = [];
