import type { Box, Segment } from './types.ts';

/** Sizes of text between a drawn marker and its line at most. */
const farMarker = 3.2;

/** Lines of a list whose markers are drawn: each gets the sign in the place of the drawing. */
export function withMarkers(segments: readonly Segment[], dots: readonly Box[]): readonly Segment[] {
	if (dots.length < 2 || dots.length * segments.length > 4_000_000) return segments;
	const markers: { readonly marker: Segment; readonly gap: number }[] = [];
	for (const [x0, y0, x1, y1] of dots) {
		const middle = (y0 + y1) / 2;
		const line = segments.filter(({ y, size }) => middle < y && middle > y - size * 0.75);
		const behind = line.filter((segment) => segment.x0 > x1).sort((a, b) => a.x0 - b.x0)[0];
		const isFirst =
			behind !== undefined && line.every((segment) => segment.x1 > x1 || segment.x1 < x0 - behind.size * 4);
		if (!isFirst || behind.x0 - x1 > behind.size * farMarker || x1 - x0 > behind.size * 0.7) continue;
		const marker = { ...behind, text: '•', x0, x1, order: behind.order - 0.5, rtl: false, typeface: plain };
		markers.push({ marker, gap: behind.x0 - x1 });
	}
	// A single one is a dot of a drawing; an inner list of one item has its marker as far from the text as the outer list.
	const isLike = (one: (typeof markers)[number], other: (typeof markers)[number]) =>
		Math.abs(other.marker.x0 - one.marker.x0) < 1 ||
		(Math.abs(other.gap - one.gap) < 0.5 && Math.abs(widthOf(other.marker) - widthOf(one.marker)) < 0.5);
	const inList = markers.filter((one) => markers.some((other) => other !== one && isLike(one, other)));
	return inList.length === 0 ? segments : [...segments, ...inList.map(({ marker }) => marker)];
}

const widthOf = ({ x0, x1 }: Segment): number => x1 - x0;

const plain = { bold: false, italic: false, mono: false };
