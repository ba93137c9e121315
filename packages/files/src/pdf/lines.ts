import { isMostlyRtl } from './bidi.ts';
import type { Line, Segment } from './types.ts';

/** Segments of one column, or of one cell, as lines from top to bottom. */
export function linesOf(segments: readonly Segment[]): Line[] {
	// Raised and lowered text comes after the text that it belongs to.
	const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
	const small = new Set(raised(sorted));
	const groups: Segment[][] = [];
	for (const segment of [...sorted.filter((one) => !small.has(one)), ...small]) {
		const group = groups.findLast((candidate) => belongs(segment, candidate));
		if (group === undefined) groups.push([segment]);
		else group.push(segment);
	}
	return groups.map(lineOf).sort((a, b) => a.y - b.y);
}

/** Segments directly behind larger text, by the order of painting, on another baseline. */
function raised(segments: readonly Segment[]): Segment[] {
	const painted = [...segments].sort((a, b) => a.order - b.order);
	let base: Segment | undefined;
	return painted.filter((segment) => {
		const apart = base === undefined ? 0 : Math.abs(segment.y - base.y);
		const isShifted =
			base !== undefined &&
			isSmaller(segment, base) &&
			apart >= base.size * 0.2 &&
			apart < base.size * 0.65 &&
			segment.x0 > base.x0;
		if (!isShifted) base = segment;
		return isShifted;
	});
}

/** Whether text is small enough to be raised; directly behind a word, a little smaller is enough. */
const isSmaller = (segment: Segment, base: Segment): boolean =>
	segment.size < base.size * small ||
	(segment.size < base.size * 0.97 && Math.abs(segment.x0 - base.x1) < base.size * 0.12);

/** Part of the size of the text that raised text has at most. */
const small = 0.86;

/** On the same baseline, or raised or lowered beside it. */
function belongs(segment: Segment, group: readonly Segment[]): boolean {
	const main = group.reduce((a, b) => (b.size > a.size ? b : a));
	const apart = Math.abs(segment.y - main.y);
	const large = Math.max(segment.size, main.size);
	if (apart < large * 0.2) return true;
	const overlaps = group.some(({ x0, x1 }) => segment.x0 < x1 - large * 0.2 && segment.x1 > x0 + large * 0.2);
	const isSmall =
		main.size < segment.size * small || group.some((base) => base.size === large && isSmaller(segment, base));
	return isSmall && apart < large * 0.65 && !overlaps && isBeside(segment, group, large);
}

const isBeside = (segment: Segment, group: readonly Segment[], size: number): boolean =>
	group.some(({ x0, x1 }) => Math.abs(segment.x0 - x1) < size * 0.6 || Math.abs(segment.x1 - x0) < size * 0.6);

export function lineOf(group: readonly Segment[]): Line {
	const wide = new Map<number, number>();
	for (const { size, text } of group) wide.set(size, (wide.get(size) ?? 0) + text.length);
	const size = [...wide].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]![0];
	const main = group.find((segment) => segment.size === size)!;
	const rtl = isMostlyRtl(group.map(({ text }) => text).join(''));
	const segments = inOrder(group, rtl).map((segment) => shifted(segment, main));
	return {
		segments,
		x0: Math.min(...group.map(({ x0 }) => x0)),
		x1: Math.max(...group.map(({ x1 }) => x1)),
		y: main.y,
		size,
		text: textOf(segments),
		rtl,
	};
}

function shifted(segment: Segment, main: Segment): Segment {
	const up = main.y - segment.y;
	const isSmall = segment.size <= main.size * small || up > main.size * 0.25;
	if (!isSmall || segment.size === main.size) return segment;
	if (up > main.size * 0.15) return { ...segment, shift: 'sup' };
	return up < -main.size * 0.08 ? { ...segment, shift: 'sub' } : segment;
}

/** Words of a line from right to left are read from the right, and Latin words inside from the left. */
function inOrder(group: readonly Segment[], rtl: boolean): Segment[] {
	const sorted = [...group].sort((a, b) => a.x0 - b.x0 || a.order - b.order);
	if (!rtl) return sorted;
	const result: Segment[] = [];
	let latin: Segment[] = [];
	for (const segment of sorted.reverse()) {
		if (segment.rtl || !/\p{L}/u.test(segment.text)) {
			result.push(...latin, segment);
			latin = [];
		} else latin.unshift(segment);
	}
	return [...result, ...latin];
}

/** The space between two segments of a line, by the gap. */
export function between(a: Segment, b: Segment): string {
	const gap = a.x0 <= b.x0 ? b.x0 - a.x1 : a.x0 - b.x1;
	if (/\s$/.test(a.text) || /^\s/.test(b.text)) return '';
	return gap > Math.min(a.size, b.size) * 0.14 ? ' ' : '';
}

export function textOf(segments: readonly Segment[]): string {
	let text = '';
	segments.forEach((segment, at) => {
		text += (at > 0 ? between(segments[at - 1]!, segment) : '') + segment.text;
	});
	return text;
}
