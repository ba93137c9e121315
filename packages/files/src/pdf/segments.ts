import { withAccents } from './accents.ts';
import { isMostlyRtl, isRtlText, logicalOrder } from './bidi.ts';
import type { Box, Glyph, Rule, Segment, Typeface } from './types.ts';

/** Parts of the size of the text: from this gap on there is a space, and from this one on another segment. */
const spaceGap = 0.16;
const segmentGap = 0.95;
/** Text of one line may stand this much higher or lower. */
const sameBaseline = 0.12;

export interface LinkArea {
	readonly box: Box;
	readonly href: string;
}

interface Open {
	readonly glyphs: Glyph[];
	readonly first: Glyph;
	x0: number;
	x1: number;
	href: string | undefined;
}

const sameTypeface = (a: Typeface, b: Typeface): boolean =>
	a.bold === b.bold && a.italic === b.italic && a.mono === b.mono;

/** Joins characters to runs, in the order in which they are painted. */
export function segmentsOf(
	glyphs: readonly Glyph[],
	links: readonly LinkArea[],
	rules: readonly Rule[] = [],
): Segment[] {
	const segments: Segment[] = [];
	const bars = rules.filter(({ horizontal }) => !horizontal).sort((a, b) => a.at - b.at);
	let open: Open | undefined;
	const starts = columnStarts(glyphs);
	for (const glyph of withAccents(withoutDoubles(withoutOverlaidSpaces(glyphs)))) {
		const href = linkAt(glyph, links);
		if (
			open !== undefined &&
			continues(open, glyph, href) &&
			!isParted(open, glyph, bars) &&
			!isAligned(open, glyph, starts)
		) {
			open.glyphs.push(glyph);
			open.x0 = Math.min(open.x0, glyph.x);
			open.x1 = Math.max(open.x1, glyph.x + glyph.width);
			continue;
		}
		if (open !== undefined) close(open, segments);
		open = glyph.space ? undefined : { glyphs: [glyph], first: glyph, x0: glyph.x, x1: glyph.x + glyph.width, href };
	}
	if (open !== undefined) close(open, segments);
	return withNumbers(segments);
}

/** Numbers of a list from right to left: the dot is on the left of the number, and painted apart. */
function withNumbers(segments: readonly Segment[]): Segment[] {
	const kept: Segment[] = [];
	for (const segment of segments) {
		const last = kept.at(-1);
		const behind = segments.slice(segment.order + 1, segment.order + 4);
		const isDot = /^[.)]$/.test(segment.text) && last !== undefined && /^\p{N}{1,3}$/u.test(last.text);
		const isBeside = isDot && Math.abs(last.x0 - segment.x1) < 0.6 && Math.abs(last.y - segment.y) < 0.5;
		const isMarker = behind.some(({ rtl, x1, y }) => rtl && x1 < segment.x0 && Math.abs(y - segment.y) < 0.5);
		if (isBeside && isMarker) kept[kept.length - 1] = { ...last, text: last.text + segment.text, x0: segment.x0 };
		else kept.push(segment);
	}
	return kept;
}

/** A space that the next character covers: programs paint one for a soft hyphen that ends no line. */
function* withoutOverlaidSpaces(glyphs: readonly Glyph[]): Generator<Glyph> {
	for (const [at, glyph] of glyphs.entries()) {
		const next = glyphs[at + 1];
		const isOverlaid =
			glyph.space &&
			next !== undefined &&
			Math.abs(next.y - glyph.y) < glyph.size * sameBaseline &&
			Math.abs(next.x - glyph.x) < glyph.width * 0.3;
		if (!isOverlaid) yield glyph;
	}
}

/** Where text begins after a wide gap on its line: x, by the height of the line. */
type Starts = ReadonlyMap<number, readonly { readonly x: number; readonly y: number }[]>;

/** Parts of the size of the text: a gap this wide may part two cells if text of another line begins at the same place. */
const cellGap = 0.62;
/** Points within which two starts are the same, and sizes of text within which lines are near each other. */
const sameStart = 0.6;
const nearLines = 4;
/** Without a gap, or with a small overlap, cells are apart where this many lines, this near, begin one at the same place. */
const overlap = 0.35;
/** Sizes of text by which letters of one word are apart, or overlap, at most. */
const kerning = 0.1;
const manyStarts = 3;
const tableLines = 14;

function columnStarts(glyphs: readonly Glyph[]): Starts {
	const starts = new Map<number, { x: number; y: number }[]>();
	let last: Glyph | undefined;
	for (const glyph of glyphs) {
		if (glyph.space) continue;
		if (last !== undefined && beginsCell(last, glyph)) {
			const key = Math.round(glyph.x);
			const known = starts.get(key);
			if (known === undefined) starts.set(key, [glyph]);
			else known.push(glyph);
		}
		last = glyph;
	}
	return starts;
}

/** After a wide gap on its line, or back up and to the right: behind a cell of several lines. */
function beginsCell(last: Glyph, { x, y, size }: Glyph): boolean {
	const gap = x - last.x - last.width;
	if (Math.abs(y - last.y) < size * sameBaseline) return gap > size * cellGap;
	return y < last.y - size && x > last.x;
}

/** Whether a character begins a cell: after a wide gap, below or above another such one. */
function isAligned({ glyphs, first }: Open, { text, x, y, size, space }: Glyph, starts: Starts): boolean {
	if (space || isMono(first)) return false;
	const last = glyphs.findLast((glyph) => !glyph.space);
	const gap = last === undefined ? 0 : x - last.x - last.width;
	if (gap <= -size * overlap || (Math.abs(gap) < size * kerning && !beginsWord(last, text))) return false;
	const same = [-1, 0, 1]
		.flatMap((step) => starts.get(Math.round(x) + step) ?? [])
		.filter((other) => Math.abs(other.x - x) < sameStart && Math.abs(other.y - y) > size * 0.5);
	if (gap > size * cellGap) return same.some((other) => Math.abs(other.y - y) < size * nearLines);
	// A long cell reaches the next column: many lines show where that begins.
	const lines = same.filter((other) => Math.abs(other.y - y) < size * tableLines).map((other) => Math.round(other.y));
	return new Set(lines).size >= manyStarts;
}

/** Whether a capital or a number follows a small letter: no word goes on like that. */
const beginsWord = (last: Glyph | undefined, text: string): boolean =>
	/\p{Ll}$/u.test(last?.text ?? '') && /^[\p{Lu}\p{N}]/u.test(text);

/** Bold text that is drawn twice, a little apart. */
function* withoutDoubles(glyphs: Iterable<Glyph>): Generator<Glyph> {
	const seen = new Map<string, Glyph[]>();
	for (const glyph of glyphs) {
		const { text, x, y, size } = glyph;
		const [across, down] = [Math.min(size * doubled, cell / 2), 0.7];
		const isTwin = (other: Glyph) => Math.abs(other.x - x) < across && Math.abs(other.y - y) < down;
		if (!glyph.space && glyph.width > 0.5) {
			if (seen.get(`${text} ${Math.floor(x / cell)} ${Math.floor(y / cell)}`)?.some(isTwin)) continue;
			// In each part of the page from which its twin may be looked for.
			for (const column of new Set([Math.floor((x - across) / cell), Math.floor((x + across) / cell)]))
				for (const row of new Set([Math.floor((y - down) / cell), Math.floor((y + down) / cell)])) {
					const key = `${text} ${column} ${row}`;
					const known = seen.get(key);
					if (known === undefined) seen.set(key, [glyph]);
					else if (known.push(glyph) > maxAlike) known.shift();
				}
		}
		yield glyph;
	}
}

/** Sizes of text by which the second copy is apart at most, and points of the squares in which copies are looked for. */
const doubled = 0.08;
const cell = 4;
/** Letters that are alike and in one square, of which the last ones are compared. */
const maxAlike = 32;

/** Every font of Chinese, Japanese and Korean has one width: wide gaps in it part cells, as in others. */
const isMono = ({ typeface, text }: Glyph): boolean => typeface.mono && !wide.test(text);

function linkAt({ x, y, width, size }: Glyph, links: readonly LinkArea[]): string | undefined {
	const [middle, height] = [x + width / 2, y - size * 0.3];
	return links.find(({ box: [x0, y0, x1, y1] }) => middle >= x0 && middle <= x1 && height >= y0 && height <= y1)?.href;
}

function continues({ first, glyphs, x0, x1, href }: Open, glyph: Glyph, link: string | undefined): boolean {
	const size = Math.max(first.size, glyph.size);
	if (glyph.space) {
		const isBeside = glyph.x < x1 + size * segmentGap && glyph.x + glyph.width > x0 - size * segmentGap;
		return isBeside && glyph.mcid === first.mcid && Math.abs(glyph.y - first.y) < size * sameBaseline;
	}
	if (link !== href || glyph.mcid !== first.mcid || !sameTypeface(glyph.typeface, first.typeface)) return false;
	if (Math.abs(glyph.size - first.size) > size * 0.05 || Math.abs(glyph.y - first.y) > size * sameBaseline)
		return false;
	if (glyph.turned !== first.turned) return false;
	const last = glyphs.at(-1)!;
	const gap = glyph.x - (last.x + last.width);
	const limit = isMono(first) ? Number.POSITIVE_INFINITY : size * segmentGap + (last.space ? last.width : 0);
	if (gap > -size * 0.35 && gap < limit) return true;
	// Text that runs from right to left is painted to the left, or word by word.
	const before = x0 - (glyph.x + glyph.width);
	const after = glyph.x - x1;
	return isRtlText(glyph.text + first.text) && before < size * segmentGap && after < size * segmentGap;
}

/** Whether a vertical line stands between a run and the next character: a side of a cell. */
function isParted({ glyphs, x0 }: Open, { x, y, width, size, space }: Glyph, bars: readonly Rule[]): boolean {
	if (space || bars.length === 0) return false;
	const last = glyphs.findLast((glyph) => !glyph.space);
	if (last === undefined) return false;
	// Text that runs from right to left goes on at the left end.
	const [from, to] = x < x0 ? [x + width, x0] : [last.x + last.width, x];
	const first = bars.findIndex(({ at }) => at > from - 1);
	for (let place = first; place >= 0 && place < bars.length; place++) {
		const bar = bars[place];
		if (bar === undefined || bar.at >= to + 1) break;
		if (bar.from <= y - size * 0.1 && bar.to >= y - size * 0.4) return true;
	}
	return false;
}

function close({ glyphs, first, x0, href }: Open, segments: Segment[]): void {
	while (glyphs.at(-1)?.space === true) glyphs.pop();
	const raw = glyphs.map(({ text }) => text).join('');
	const rtl = isMostlyRtl(raw);
	const text = clean(rtl ? logicalOrder(spaced([...glyphs].sort((a, b) => a.x - b.x))) : joined(glyphs));
	if (text === '') return;
	const x1 = Math.max(...glyphs.map(({ x, width }) => x + width));
	const segment: Segment = {
		text,
		x0,
		x1,
		y: first.y,
		size: first.size,
		// See isMono.
		typeface: first.typeface.mono && wide.test(text) ? { ...first.typeface, mono: false } : first.typeface,
		mcid: first.mcid,
		order: segments.length,
		rtl,
	};
	if (href !== undefined) segment.href = href;
	segments.push(segment);
}

/** Radicals that fonts draw like a character and name in its place; most have no decomposition (UAX #44, EquivalentUnifiedIdeograph). */
const radicals = new Map(
	[
		...'⺎兀⺏尣⺐尢⺑尢⺓幺⺖忄⺗小⺘扌⺙攵⺛旡⺝月⺟母⺠民⺡氵⺢水⺣灬⺤爪⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺳网⺴网⺵网⺶羊⺷羊⺸羊⺹耂⺺肀⺻聿⺼肉⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃西⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻕阜⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟'.matchAll(
			/(.)(.)/gu,
		),
	].map(([, radical = '', character = '']) => [radical, character] as const),
);

const wide = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/u;

/** Ligatures and presentation forms become letters; nothing else is normalised. */
function clean(text: string): string {
	return text
		.replace(/[\ufb00-\ufb06\ufb13-\ufdfb\ufe70-\ufefc\u2e80-\u2fdf]/gu, (character) => character.normalize('NFKC'))
		.replace(/[\0-\x08\x0b-\x1f\x7f\u200b\ufeff\u2028-\u202e\u2066-\u2069\ufffe\uffff]/gu, '')
		.replace(/[\u00a0\u2000-\u200a\u202f\u3000\t]/gu, ' ')
		.replace(/[\u2e80-\u2ef3]/gu, (character) => radicals.get(character) ?? character)
		.normalize('NFC');
}

/** With the spaces that only gaps show. */
function joined(glyphs: readonly Glyph[]): string {
	let text = '';
	let end: number | undefined;
	for (const { text: part, x, width, size, space, typeface } of glyphs) {
		const gap = end === undefined ? 0 : x - end;
		if (!space && gap > size * spaceGap && !text.endsWith(' '))
			text += typeface.mono && width > 0 ? ' '.repeat(Math.max(1, Math.round(gap / width))) : ' ';
		text += space ? ' ' : part;
		end = x + width;
	}
	return text;
}

function spaced(glyphs: readonly Glyph[]): { readonly text: string; readonly x: number }[] {
	const placed: { readonly text: string; readonly x: number }[] = [];
	let end: number | undefined;
	for (const { text, x, width, size, space } of glyphs) {
		if (end !== undefined && !space && x - end > size * spaceGap && placed.at(-1)?.text !== ' ')
			placed.push({ text: ' ', x: end });
		if (!space || placed.at(-1)?.text !== ' ') placed.push({ text: space ? ' ' : text, x });
		end = Math.max(end ?? x, x + width);
	}
	return placed;
}
