import type { Box, Colour, Glyph, PageMarks, Rule } from './types.ts';

interface PaintedGlyph extends Pick<Glyph, 'text' | 'size' | 'typeface' | 'mcid'> {
	readonly matrix: readonly [number, number, number, number, number, number];
	/** In the text's own coordinates, as the size. */
	readonly advance: number;
	/** The file says that it is no content: a running header, a page number. */
	readonly artifact: boolean;
	readonly unseen: boolean;
	readonly clip: Box;
}

/** What covers a part of the page, in the order of painting. */
interface Cover {
	readonly box: Box;
	/** Undefined for an image or a pattern. */
	readonly colour: Colour;
	readonly order: number;
}

interface Run {
	readonly colour: Colour;
	readonly order: number;
	readonly glyphs: Glyph[];
}

/** Points: text that is smaller cannot be read. */
const smallestText = 1.5;
/** Points: a box that is thinner is a line. */
const thin = 2.6;
/** Points: a frame that is thicker is a picture. */
export const widestSide = 4;
/** Contrast by which text can be told from its background; black on white has 21 (WCAG 2.2 §1.4.3). */
const leastContrast = 1.25;
/** Points: sides of a marker of a list. */
const smallestDot = 1.5;
const largestDot = 9;
const paper = [255, 255, 255] as const;
/** Lines and covers kept of a page; a drawing can have any number. */
const maxKept = 5_000;

/** Collects what a page shows, and tells text that is seen from text that is not. */
export class Painted {
	readonly #page: Box;
	readonly #runs: Run[] = [];
	readonly #covers: Cover[] = [];
	readonly #rules: Rule[] = [];
	readonly #imageIds = new Set<number>();
	readonly #dots: Box[] = [];
	#images = 0;
	#order = 0;
	#hidden = 0;
	#run: Run = { colour: [0, 0, 0], order: 0, glyphs: [] };

	constructor(page: Box) {
		this.#page = page;
	}

	beginRun(colour: Colour): void {
		this.#run = { colour, order: this.#order++, glyphs: [] };
	}

	endRun(): void {
		if (this.#run.glyphs.length > 0) this.#runs.push(this.#run);
	}

	glyph({ text, matrix, advance, size, typeface, mcid, artifact, unseen, clip }: PaintedGlyph): void {
		const [a, b, c, d, x, y] = matrix;
		const tall = Math.hypot(c, d) * size;
		const wide = Math.hypot(a, b) * advance;
		const space = text.trim() === '';
		if (text === '' || artifact) return;
		const middle = [x + (a * advance) / 2, y + (b * advance) / 2 - tall * 0.3] as const;
		const inside = contains(this.#page, middle) && contains(clip, middle, 0.5);
		if (unseen || !inside || tall < smallestText || Number.isNaN(x + y)) {
			if (!space) this.#hidden++;
			return;
		}
		this.#run.glyphs.push({ text, x, y, width: wide, size: tall, typeface, mcid, space, ...turned(a, b) });
	}

	fill(path: {
		readonly lines: readonly Box[];
		readonly boxes: readonly Box[];
		readonly colour: Colour;
		readonly alpha: number;
		readonly clip: Box;
	}): void {
		const boxes = path.boxes.length > 0 ? path.boxes : outlined(path.lines);
		for (const box of boxes) {
			const [x0, y0, x1, y1] = within(box, path.clip);
			if (x1 < x0 || y1 < y0 || path.alpha < 0.05) continue;
			if (isLight(path.colour) && Math.min(x1 - x0, y1 - y0) < thin) continue;
			if (y1 - y0 < thin && x1 - x0 > thin) this.#rule(true, (y0 + y1) / 2, x0, x1);
			else if (x1 - x0 < thin && y1 - y0 > thin) this.#rule(false, (x0 + x1) / 2, y0, y1);
			else if (path.alpha > 0.9) this.#cover([x0, y0, x1, y1], path.colour);
		}
	}

	stroke(lines: readonly Box[], boxes: readonly Box[], clip: Box): void {
		for (const line of lines) {
			const [x0, y0, x1, y1] = within(sorted(line), clip);
			if (y1 - y0 < 1 && x1 - x0 > thin) this.#rule(true, (y0 + y1) / 2, x0, x1);
			else if (x1 - x0 < 1 && y1 - y0 > thin) this.#rule(false, (x0 + x1) / 2, y0, y1);
		}
		for (const box of boxes) {
			const [x0, y0, x1, y1] = within(box, clip);
			if (x1 - x0 < thin || y1 - y0 < thin) continue;
			for (const y of [y0, y1]) this.#rule(true, y, x0, x1);
			for (const x of [x0, x1]) this.#rule(false, x, y0, y1);
		}
	}

	/** The sides of a frame between two boxes that the clip leaves: some programs paint each side as the frame, clipped to it. */
	border(a: Box, b: Box, clip: Box): void {
		const [x0, y0, x1, y1] = [...a.map((side, at) => (side + b[at]!) / 2)] as [number, number, number, number];
		const [left, top, right, bottom] = clip;
		const [from, to] = [Math.max(x0, left), Math.min(x1, right)];
		const [upper, lower] = [Math.max(y0, top), Math.min(y1, bottom)];
		for (const y of new Set([y0, y1]))
			if (y >= top && y <= bottom && to - from > widestSide) this.#rule(true, y, from, to);
		for (const x of new Set([x0, x1]))
			if (x >= left && x <= right && lower - upper > widestSide) this.#rule(false, x, upper, lower);
	}

	/** A small filled or drawn circle or square: programs draw the markers of lists. */
	dot(box: Box, clip: Box): void {
		const [x0, y0, x1, y1] = within(box, clip);
		const [wide, high] = [x1 - x0, y1 - y0];
		if (Math.min(wide, high) < smallestDot || Math.max(wide, high) > largestDot) return;
		if (Math.abs(wide - high) < Math.max(wide, high) * 0.25 && this.#dots.length < maxKept)
			this.#dots.push([x0, y0, x1, y1]);
	}

	image(box: Box, opaque: boolean, mcid: number | undefined): void {
		this.#images++;
		if (mcid !== undefined) this.#imageIds.add(mcid);
		if (opaque) this.#cover(box, undefined);
	}

	/** The glyphs that are seen, in the order of painting. */
	marks(): PageMarks {
		const glyphs: Glyph[] = [];
		for (const run of this.#runs) {
			if (this.#isSeen(run)) glyphs.push(...run.glyphs);
			else this.#hidden += run.glyphs.filter(({ space }) => !space).length;
		}
		return {
			glyphs,
			rules: this.#rules,
			dots: this.#dots,
			imageIds: this.#imageIds,
			images: this.#images,
			hidden: this.#hidden,
		};
	}

	#isSeen({ colour, order, glyphs }: Run): boolean {
		const middle = glyphs[glyphs.length >> 1]!;
		const at = [middle.x + middle.width / 2, middle.y - middle.size * 0.3] as const;
		let background: Colour = paper;
		for (const cover of this.#covers) {
			if (!contains(cover.box, at)) continue;
			// Painted over.
			if (cover.order > order) return false;
			background = cover.colour;
		}
		// Of a picture or a pattern, the colours are not known: text in the colour of the page may be hidden in them.
		return colour === undefined || contrast(colour, background ?? paper) >= leastContrast;
	}

	#rule(horizontal: boolean, at: number, from: number, to: number): void {
		if (this.#rules.length < maxKept) this.#rules.push({ horizontal, at, from, to });
	}

	#cover(box: Box, colour: Colour): void {
		if (this.#covers.length < maxKept) this.#covers.push({ box, colour, order: this.#order++ });
	}
}

/** Text that does not run from left to right is marked, so that the layout takes it apart. */
const turned = (a: number, b: number): { turned?: number } =>
	Math.abs(b) > Math.abs(a) * 0.2 || a < 0 ? { turned: Math.round(Math.atan2(b, a) * 10) } : {};

const sorted = ([x0, y0, x1, y1]: Box): Box => [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];

const within = (a: Box, b: Box): Box => [
	Math.max(a[0], b[0]),
	Math.max(a[1], b[1]),
	Math.min(a[2], b[2]),
	Math.min(a[3], b[3]),
];

/** A filled outline of straight lines is the box around it when it is one. */
function outlined(lines: readonly Box[]): Box[] {
	if (lines.length < 2 || lines.length > 5) return [];
	const isBox = lines.every(([x0, y0, x1, y1]) => Math.abs(x0 - x1) < 0.5 || Math.abs(y0 - y1) < 0.5);
	if (!isBox) return [];
	const [xs, ys] = [lines.flatMap(([a, , c]) => [a, c]), lines.flatMap(([, b, , d]) => [b, d])];
	return [[Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]];
}

const contains = ([x0, y0, x1, y1]: Box, [x, y]: readonly [number, number], slack = 0): boolean =>
	x >= x0 - slack && x <= x1 + slack && y >= y0 - slack && y <= y1 + slack;

const isLight = (colour: Colour): boolean => colour !== undefined && luminance(colour) > 0.9;

function contrast(a: NonNullable<Colour>, b: NonNullable<Colour>): number {
	const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
	return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance from 0 to 1 (WCAG 2.2). */
function luminance(colour: NonNullable<Colour>): number {
	const [r, g, b] = colour.map((value) => {
		const part = value / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
