import type { Line } from './types.ts';

export interface PageLines {
	readonly height: number;
	readonly lines: readonly Line[];
}

/** Part of the page, at its top and at its bottom, where running headers and page numbers stand. */
const margin = 0.12;

const edges = ({ height, lines }: PageLines): Line[] => [
	...lines.filter(({ y }) => y < height * margin).slice(0, 3),
	...lines.filter(({ y }) => y > height * (1 - margin)).slice(-3),
];

/** Numbers differ from page to page, and so does the side on which they stand. */
const keyOf = ({ text, y }: Line, height: number): string =>
	`${y < height / 2 ? 'top' : 'bottom'} ${text
		.replace(/\p{N}+|\b[ivxl]{1,6}\b/gu, '#')
		.replace(/\s+/g, ' ')
		.trim()}`;

const pageNumber =
	/^(?:[-–—|[(\s]*)(?:(?:page|seite|página|p\.)\s*)?(\d{1,4})(?:\s*(?:\/|of|von|de|sur)\s*\d{1,4})?(?:[-–—|\])\s]*)$/iu;

/** Lines that repeat on the pages of a file, and page numbers. */
export function furnitureOf(pages: readonly PageLines[]): Set<Line> {
	const counts = new Map<string, number>();
	for (const page of pages)
		for (const key of new Set(edges(page).flatMap((line) => keysOf(line, page.height))))
			counts.set(key, (counts.get(key) ?? 0) + 1);
	const least = Math.max(2, Math.min(4, Math.ceil(pages.length * 0.4)));
	const found = new Set<Line>();
	for (const page of pages)
		for (const line of edges(page))
			if (repeats(line, page.height, counts, least) && isEdge(line, page)) found.add(line);
	for (const line of pageNumbers(pages)) found.add(line);
	return found;
}

/** The whole line, and its parts with wide gaps around them: one of them may name the chapter. */
function keysOf(line: Line, height: number): string[] {
	const parts = line.segments.filter(({ text }) => /\p{L}{3}/u.test(text));
	const apart = line.segments.some(({ x0 }, at) => at > 0 && x0 - line.segments[at - 1]!.x1 > line.size * wideGap);
	return [keyOf(line, height), ...(apart ? parts.map(({ text }) => keyOf({ ...line, text }, height)) : [])];
}

/** Sizes of text between two parts of a running header. */
const wideGap = 4;

const repeats = (line: Line, height: number, counts: ReadonlyMap<string, number>, least: number): boolean =>
	keysOf(line, height).some((key) => (counts.get(key) ?? 0) >= least);

/** Nothing but other such lines is beyond it. */
function isEdge(line: Line, { height, lines }: PageLines): boolean {
	const inner = line.y < height / 2 ? lines.filter(({ y }) => y < line.y - 2) : lines.filter(({ y }) => y > line.y + 2);
	return inner.length <= 2;
}

/** First and last line of a page: below a wide margin, its number is far from the edge. */
const outermost = ({ lines }: PageLines): Line[] => {
	const sorted = [...lines].sort((a, b) => a.y - b.y);
	return [...sorted.slice(0, 1), ...sorted.slice(-1)];
};

/** Points within which numbers of two pages stand at the same height. */
const sameHeight = 2;

/** Numbers that count the pages: in the margin, or as the first or last line of each at the same height. */
function pageNumbers(pages: readonly PageLines[]): Line[] {
	const found = pages.flatMap((page, at) =>
		[...new Set([...edges(page), ...outermost(page)])].flatMap((line) => {
			const [, digits] = pageNumber.exec(line.text) ?? [];
			return digits === undefined ? [] : [{ line, offset: Number(digits) - at, isEdge: edges(page).includes(line) }];
		}),
	);
	const offsets = new Map<number, number>();
	for (const { offset } of found) offsets.set(offset, (offsets.get(offset) ?? 0) + 1);
	const [best] = [...offsets].sort((a, b) => b[1] - a[1]);
	if (best === undefined || (best[1] < 2 && pages.length > 1)) return [];
	const counted = found.filter(({ offset }) => offset === best[0]);
	const isLevel = ({ y }: Line) => counted.filter(({ line }) => Math.abs(line.y - y) < sameHeight).length > 1;
	return counted.filter(({ line, isEdge }) => isEdge || isLevel(line)).map(({ line }) => line);
}
