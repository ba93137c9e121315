import type { Block, Box, Segments } from './blocks.ts';
import type { DeclaredKind, Facts } from './facts.ts';
import { KIND_COUNT } from './hints.ts';
import { type Evidence, type Lexicon, weigh } from './lexicon.ts';
import { flat, flatWords } from './words.ts';

/** Rows of numbers, one per block, all of the same width. */
export interface Matrix {
	readonly rows: number;
	readonly width: number;
	readonly data: Float32Array;
}

export interface Lexicons {
	/** Words of class, id and role. */
	readonly names: Lexicon;
	/** Words of the text. */
	readonly words: Lexicon;
}

/** Text with so many words and few links is prose. */
const PROSE_WORDS = 15;

const TAGS = [
	'p',
	'li',
	'td',
	'th',
	'dt',
	'dd',
	'pre',
	'blockquote',
	'figcaption',
	'button',
	'label',
	'div',
	'summary',
	'address',
	'caption',
];
const AROUND = [
	'article',
	'main',
	'nav',
	'header',
	'footer',
	'aside',
	'form',
	'table',
	'ul',
	'ol',
	'figure',
	'details',
	'blockquote',
	'noscript',
	'dialog',
	'section',
	'button',
	'dl',
];
const ROLES = ['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'dialog', 'article'];
const HEADINGS: ReadonlyMap<string, number> = new Map([
	['h1', 1],
	['h2', 2],
	['h3', 3],
	['h4', 4],
	['h5', 5],
	['h6', 6],
]);

const tagBit = new Map(TAGS.map((tag, i) => [tag, 1 << i]));
const aroundBits = new Map(AROUND.map((tag, i) => [tag, 1 << i]));
const roleBits = new Map(ROLES.map((role, i) => [role, 1 << i]));
const ARTICLE_BODY = 1 << ROLES.length;

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

const within = (sums: Float64Array, box: Box): number => sums[box.end]! - sums[box.start]!;
const between = (sums: Float64Array, start: number, end: number): number => sums[end]! - sums[start]!;

function isProse(block: Block): boolean {
	return !block.box.hidden && block.size.words >= PROSE_WORDS && block.linked < block.size.chars * 0.3;
}

/** What each box hands down to the blocks in it. */
interface BoxFacts {
	around: number;
	roles: number;
	listDepth: number;
	/** The box's own names, the sum along the chain, the worst and the best of it. */
	own: Evidence;
	chain: number;
	worst: number;
	best: number;
	/** How many brothers look the same, and which of them this is. */
	alike: number;
	place: number;
	/** The innermost `article` around it, and how many are around it. */
	article: Box | undefined;
	articles: number;
	/** The width of the narrowest column around it, in twelfths of the page. */
	columns: number;
}

const COLUMNS = /(?:^|[\s_-])(?:col|column|large|medium|span|grid|lg|md)[-_]?(1[0-2]|[1-9])(?=$|\s)/;
const ALL_COLUMNS = 12;

/** The width that the class names of grid systems give a box. */
function columnsOf(className: string | undefined): number {
	if (className === undefined || className.length > 300) return ALL_COLUMNS;
	const found = COLUMNS.exec(className);
	return found === null ? ALL_COLUMNS : Number(found[1]);
}

function describeBoxes(boxes: readonly Box[], names: Lexicon): BoxFacts[] {
	const facts: BoxFacts[] = [];
	/** Boxes of the same names share their words. */
	const weighed = new Map<readonly string[], Evidence>();
	for (const box of boxes) {
		const up = box.parent === null ? undefined : facts[box.parent.index]!;
		const { tag, attributes } = box.element;
		let own = weighed.get(box.names);
		if (own === undefined) {
			own = weigh(names, box.names);
			weighed.set(box.names, own);
		}
		const { itemprop } = attributes;
		facts.push({
			around: (up?.around ?? 0) | (aroundBits.get(tag) ?? 0),
			roles:
				(up?.roles ?? 0) |
				(roleBits.get(attributes['aria-modal'] === 'true' ? 'dialog' : (attributes.role ?? '')) ?? 0) |
				(itemprop === 'articleBody' || itemprop === 'text' ? ARTICLE_BODY : 0),
			listDepth: (up?.listDepth ?? 0) + (tag === 'ul' || tag === 'ol' ? 1 : 0),
			own,
			chain: (up?.chain ?? 0) * 0.8 + own.sum,
			worst: Math.min(up?.worst ?? 0, own.sum),
			best: Math.max(up?.best ?? 0, own.sum),
			alike: 1,
			place: 0,
			article: tag === 'article' ? box : up?.article,
			articles: (up?.articles ?? 0) + (tag === 'article' ? 1 : 0),
			columns: Math.min(up?.columns ?? ALL_COLUMNS, columnsOf(attributes.class)),
		});
	}
	for (const box of boxes) if (box.children.length > 1) countAlike(box.children, facts);
	return facts;
}

/** Brothers with the same tag and class look alike. */
function countAlike(brothers: readonly Box[], facts: readonly BoxFacts[]): void {
	const alike = new Map<string, BoxFacts[]>();
	for (const { element, index } of brothers) {
		const key = `${element.tag}.${element.attributes.class ?? ''}`;
		const group = alike.get(key);
		if (group === undefined) alike.set(key, [facts[index]!]);
		else facts[index]!.place = group.push(facts[index]!) - 1;
	}
	for (const group of alike.values()) for (const one of group) one.alike = group.length;
}

/** For each box how deep the innermost box lies that holds both it and the title. */
function sharedDepths(boxes: readonly Box[], title: Box | undefined): Int32Array {
	const depths = new Int32Array(boxes.length);
	const path = new Set<Box>();
	for (let up: Box | null = title ?? null; up !== null; up = up.parent) path.add(up);
	for (const box of boxes) {
		depths[box.index] = path.has(box) ? box.depth : box.parent === null ? 0 : depths[box.parent.index]!;
	}
	return depths;
}

/** The smallest boxes that hold these shares of the page's prose. */
const SHARES = [0.5, 0.75, 0.95];

function proseBoxes(boxes: readonly Box[], sums: Sums, total: number): (Box | undefined)[] {
	return SHARES.map((share) => {
		let best = boxes[0];
		if (best === undefined || total === 0) return undefined;
		for (;;) {
			const next: Box | undefined = best.children.find((child) => within(sums.prose, child) >= share * total);
			if (next === undefined) return best;
			best = next;
		}
	});
}

/** The block that shows the page's title, or -1: the best match of `<title>` and og:title, headings first. */
function findTitle(blocks: readonly Block[], titles: readonly string[]): number {
	const wanted = titles.map(flat).filter((title) => title.length > 3);
	let best = -1;
	let score = 0;
	for (let i = 0; i < blocks.length; i++) {
		const block = blocks[i]!;
		if (block.box.hidden || block.size.chars > 300) continue;
		const level = HEADINGS.get(block.box.element.tag) ?? 0;
		if (level === 0 && wanted.length === 0) continue;
		const text = flat(block.text);
		if (text.length < 4) continue;
		let value = level === 1 ? 0.5 : 0;
		for (const title of wanted) {
			if (title === text) value += 2;
			else if (title.startsWith(text) || text.startsWith(title)) {
				value += 1 + Math.min(text.length, title.length) / Math.max(text.length, title.length);
			} else if (title.includes(text) && text.length > 12) value += 0.8;
		}
		if (level > 0) value *= 1.5;
		if (value > score) {
			score = value;
			best = i;
		}
	}
	return best;
}

/** The share of a text's words that are among these. */
function overlap(text: string, among: ReadonlySet<string>): number {
	if (among.size === 0) return 0;
	const own = flatWords(text);
	let hits = 0;
	for (const word of own) if (among.has(word)) hits++;
	return ratio(hits, own.length);
}

/**
 * The runs of three words in some texts: long enough to be no accident, short enough to survive small changes. A run
 * is one number, of three for the words.
 */
class Triples {
	readonly #numbers: Map<string, number>;
	readonly #triples = new Set<number>();

	/** @param numbers of the words that are known; those of several sets are shared */
	constructor(numbers: Map<string, number>) {
		this.#numbers = numbers;
	}

	get size(): number {
		return this.#triples.size;
	}

	add(words: readonly string[]): void {
		for (const word of words) if (!this.#numbers.has(word)) this.#numbers.set(word, this.#numbers.size);
		for (const triple of triplesOf(words, this.#numbers)) this.#triples.add(triple);
	}

	/** How many of these runs are here. */
	count(triples: readonly number[]): number {
		let hits = 0;
		for (const triple of triples) if (this.#triples.has(triple)) hits++;
		return hits;
	}
}

/** Three numbers below this fit into one exactly. */
const MOST_WORDS = 2 ** 17;
const NO_TRIPLE = -1;

/** The number of each run of three words; -1 for one with a word that is not known. */
function triplesOf(words: readonly string[], numbers: ReadonlyMap<string, number>): number[] {
	const found: number[] = [];
	let before = -1;
	let last = -1;
	for (let i = 0; i < words.length; i++) {
		const number = numbers.get(words[i]!) ?? -1;
		const isKnown = before >= 0 && last >= 0 && number >= 0 && number < MOST_WORDS;
		if (i >= 2) found.push(isKnown ? (before * MOST_WORDS + last) * MOST_WORDS + number : NO_TRIPLE);
		before = last;
		last = number < MOST_WORDS ? number : -1;
	}
	return found;
}

const DECLARED_KINDS: readonly DeclaredKind[] = ['body', 'text', 'review'];
/** No more words of declared texts than this are looked at, and no more of a block. */
const MOST_DECLARED = 20_000;
const MOST_OF_BLOCK = 1_000;

const firstWords = (text: string, most: number): string[] => flatWords(text.slice(0, 5 * most)).slice(0, most);

/** For each block the share of it that the page's data declare to be body, text or review; -1 where they declare none. */
function declaredShares(blocks: readonly Block[], { declared }: Facts): Float32Array {
	const numbers = new Map<string, number>();
	const sets = DECLARED_KINDS.map((kind) => {
		const triples = new Triples(numbers);
		for (const text of declared[kind]) triples.add(firstWords(text, MOST_DECLARED));
		return triples;
	});
	const shares = new Float32Array(blocks.length * sets.length).fill(-1);
	if (sets.every(({ size }) => size === 0)) return shares;
	for (let i = 0; i < blocks.length; i++) {
		const own = triplesOf(firstWords(blocks[i]!.text, MOST_OF_BLOCK), numbers);
		for (let kind = 0; kind < sets.length; kind++)
			if (sets[kind]!.size > 0) shares[i * sets.length + kind] = ratio(sets[kind]!.count(own), own.length);
	}
	return shares;
}

/** What the headings above a block say, from the title of its part down to the nearest. */
interface Outline {
	readonly min: number;
	readonly sum: number;
	/** Of the heading that speaks most against it: its level, and how many blocks ago it stood. */
	readonly level: number;
	readonly at: number;
}

/** The headings that a heading stands under, itself the last: those before it of higher rank. */
function outlineOf(level: number, at: number, words: Evidence, above: Outline | undefined): Outline {
	const isWorse = words.min < (above?.min ?? 0);
	return {
		min: Math.min(above?.min ?? 0, words.min),
		sum: (above?.sum ?? 0) + words.sum,
		level: isWorse ? level : (above?.level ?? 0),
		at: isWorse ? at : (above?.at ?? -1),
	};
}

/** For each block the length of the run of mere links that it is in; 0 outside of one. */
function linkRuns(blocks: readonly Block[]): Int32Array {
	const runs = new Int32Array(blocks.length);
	const isEntry = ({ linked, size }: Block): boolean => linked > 0.8 * size.chars;
	for (let start = 0; start < blocks.length; ) {
		let end = start;
		while (end < blocks.length && isEntry(blocks[end]!)) end++;
		runs.fill(end - start, start, end);
		start = end + 1;
	}
	return runs;
}

const log = (value: number): number => Math.log1p(value);
const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** Rows that grow value by value. */
class RowWriter {
	#data: Float32Array<ArrayBuffer>;
	#at = 0;

	constructor(expected: number) {
		this.#data = new Float32Array(expected);
	}

	add(value: number): void {
		if (this.#at === this.#data.length) this.#grow(1);
		this.#data[this.#at++] = value;
	}

	addAll(values: ArrayLike<number>): void {
		if (this.#at + values.length > this.#data.length) this.#grow(values.length);
		this.#data.set(values, this.#at);
		this.#at += values.length;
	}

	/** One value per bit, the lowest first. */
	addBits(bits: number, count: number): void {
		for (let bit = 0; bit < count; bit++) this.add((bits >> bit) & 1);
	}

	finish(rows: number): Matrix {
		return { rows, width: rows === 0 ? 0 : this.#at / rows, data: this.#data.subarray(0, this.#at) };
	}

	#grow(room: number): void {
		const data = new Float32Array(2 * this.#data.length + room);
		data.set(this.#data);
		this.#data = data;
	}
}

/** Values of one block, more or less: with room for them nothing is copied. */
const ROW = 350;

/** The features of all blocks of a page. `page` is the same for each of them: see `pageFeatures`. */
export function blockFeatures(segments: Segments, facts: Facts, lexicons: Lexicons, page: readonly number[]): Matrix {
	const { blocks } = segments;
	const out = new RowWriter(blocks.length * ROW);
	const surveyed = survey(segments, facts, lexicons);
	const sections = new Sections(surveyed);
	const common = Float32Array.from(page);
	for (let i = 0; i < blocks.length; i++) {
		writeText(out, surveyed, i);
		sections.write(out, i);
		writePlace(out, surveyed, i);
		writeNeighbours(out, surveyed, i);
		writeBoxes(out, surveyed, i);
		writeHosts(out, surveyed, i);
		out.addAll(common);
	}
	return out.finish(blocks.length);
}

/** What is known of a page before its blocks are looked at one by one. */
interface Survey {
	readonly blocks: readonly Block[];
	/** By the index of the box. */
	readonly boxes: readonly BoxFacts[];
	readonly sums: Sums;
	readonly hosts: readonly (Box | undefined)[];
	/** Of each block: what its words say, how many blocks ago the last prose stood, and how soon the next comes. */
	readonly evidence: readonly Evidence[];
	readonly proseBefore: Int32Array;
	readonly proseAfter: Int32Array;
	/** See `declaredShares` and `linkRuns`. */
	readonly shares: Float32Array;
	readonly runs: Int32Array;
	/** How many blocks have the same text, and the first that has it. */
	readonly copies: ReadonlyMap<string, Copies>;
	/** The block that shows the page's title, or -1. */
	readonly title: number;
	/** Of each box: see `sharedDepths`. */
	readonly shared: Int32Array;
	readonly titleWords: ReadonlySet<string>;
}

interface Copies {
	count: number;
	readonly first: number;
}

function survey({ blocks, boxes }: Segments, facts: Facts, lexicons: Lexicons): Survey {
	const sums = new Sums(blocks);
	const title = findTitle(blocks, facts.titles);
	return {
		blocks,
		sums,
		boxes: describeBoxes(boxes, lexicons.names),
		hosts: proseBoxes(boxes, sums, sums.prose[blocks.length]!),
		evidence: blocks.map((block) => weigh(lexicons.words, block.words)),
		...proseAround(blocks),
		shares: declaredShares(blocks, facts),
		runs: linkRuns(blocks),
		copies: countCopies(blocks),
		title,
		shared: sharedDepths(boxes, blocks[title]?.box),
		titleWords: new Set(facts.titles.flatMap(flatWords)),
	};
}

function countCopies(blocks: readonly Block[]): Map<string, Copies> {
	const copies = new Map<string, Copies>();
	for (let i = 0; i < blocks.length; i++) {
		const { text } = blocks[i]!;
		const known = copies.get(text);
		if (known === undefined) copies.set(text, { count: 1, first: i });
		else known.count++;
	}
	return copies;
}

/** No prose at all is as far away as this. */
const FAR = 1000;

function proseAround(blocks: readonly Block[]): { proseBefore: Int32Array; proseAfter: Int32Array } {
	const count = blocks.length;
	const proseBefore = new Int32Array(count);
	const proseAfter = new Int32Array(count);
	for (let i = 0, last = -FAR; i < count; i++) {
		proseBefore[i] = i - last;
		if (isProse(blocks[i]!)) last = i;
	}
	for (let i = count - 1, next = count + FAR; i >= 0; i--) {
		proseAfter[i] = next - i;
		if (isProse(blocks[i]!)) next = i;
	}
	return { proseBefore, proseAfter };
}

const PRICE = /[$€£¥]\s?\d|\d\s?(?:€|USD|EUR|kr)/;
/** The beginning of a text that goes on elsewhere. */
const CUT_SHORT = /(?:…|\.\.\.)\s?[\])»]?$/;
const SMALL_FIRST = /^\p{Ll}/u;

function writeText(out: RowWriter, { blocks, evidence, copies }: Survey, i: number): void {
	const { box, size, text, linked, links, lead, strong } = blocks[i]!;
	const words = evidence[i]!;
	const { count, first } = copies.get(text)!;
	const last = text.charCodeAt(text.length - 1);
	out.add(log(size.words));
	out.add(ratio(size.chars, size.words));
	out.add(ratio(linked, size.chars));
	out.add(links);
	out.add(ratio(strong, size.chars));
	out.add(ratio(size.digits, size.chars));
	out.add(ratio(size.upper, size.chars));
	out.add(ratio(size.capitals, size.words));
	out.add(ratio(size.stops, size.words));
	out.add(ratio(size.commas, size.words));
	out.add(size.separators);
	out.add(ratio(size.codes, size.words));
	out.add(last === 46 || last === 33 || last === 0x3002 || last === 0x201d || last === 34 ? 1 : 0);
	out.add(last === 58 ? 1 : 0);
	out.add(last === 63 ? 1 : 0);
	out.add(startsSmall(text) ? 1 : 0);
	out.add(words.sum);
	out.add(words.min);
	out.add(words.max);
	out.add(box.hidden ? 1 : 0);
	out.add(count);
	out.add(first < i ? 1 : 0);
	out.add(text.includes('\n') ? 1 : 0);
	out.add(CUT_SHORT.test(text.slice(-6)) ? 1 : 0);
	out.add(lead < 0 ? -1 : lead / size.chars);
	out.add(lead < 0 ? 0 : log(lead));
	out.add(size.digits > 0 && PRICE.test(text) ? 1 : 0);
}

function startsSmall(text: string): boolean {
	const first = text.charCodeAt(0);
	return first < 128 ? first >= 97 && first <= 122 : SMALL_FIRST.test(text);
}

/** The part of the page that a block is in, as the headings before it tell. */
class Sections {
	readonly #surveyed: Survey;
	/** The last heading, or -1. */
	#heading = -1;
	/** How much of that heading the page's title says too. */
	#headingOverlap = -1;
	/** The headings in force, by their level. */
	readonly #outlines: (Outline | undefined)[] = [];
	#outline: Outline | undefined;

	constructor(surveyed: Survey) {
		this.#surveyed = surveyed;
	}

	write(out: RowWriter, i: number): void {
		const { blocks, evidence, titleWords, runs, shares } = this.#surveyed;
		const { size, text, box } = blocks[i]!;
		const heading = this.#heading;
		const outline = this.#outline;
		const above = heading < 0 ? undefined : evidence[heading]!;
		const own = size.words > 30 ? 0 : overlap(text, titleWords);
		out.add(own);
		out.add(heading < 0 ? 999 : i - heading);
		out.add(above?.sum ?? 0);
		out.add(above?.min ?? 0);
		out.add(heading < 0 ? 0 : rankOf(blocks[heading]!));
		out.add(heading < 0 ? -1 : ratio(blocks[heading]!.linked, blocks[heading]!.size.chars));
		out.add(this.#headingOverlap);
		out.add(outline?.min ?? 0);
		out.add(outline?.sum ?? 0);
		out.add(outline?.level ?? 0);
		out.add(outline === undefined || outline.at < 0 ? 999 : i - outline.at);
		out.add(runs[i]!);
		for (let kind = 0; kind < DECLARED_KINDS.length; kind++) out.add(shares[i * DECLARED_KINDS.length + kind]!);
		const rank = HEADINGS.get(box.element.tag);
		if (rank === undefined) return;
		this.#enter(rank, i, evidence[i]!);
		this.#headingOverlap = own;
	}

	#enter(rank: number, i: number, words: Evidence): void {
		this.#heading = i;
		this.#outlines.length = Math.min(this.#outlines.length, rank);
		const above = this.#outlines.findLast((one) => one !== undefined);
		this.#outline = outlineOf(rank, i, words, above);
		this.#outlines[rank] = this.#outline;
	}
}

/** The level of a heading; 0 for other blocks. */
const rankOf = ({ box }: Block): number => HEADINGS.get(box.element.tag) ?? 0;

function writePlace(out: RowWriter, surveyed: Survey, i: number): void {
	const { blocks, boxes, sums, title, proseBefore, proseAfter } = surveyed;
	const { box } = blocks[i]!;
	const about = boxes[box.index]!;
	const count = blocks.length;
	out.add(rankOf(blocks[i]!));
	out.add(box.depth);
	out.add(about.listDepth);
	out.addBits(tagBit.get(box.element.tag) ?? 0, TAGS.length);
	out.addBits(about.around, AROUND.length);
	out.addBits(about.roles, ROLES.length + 1);
	out.addBits(box.kinds, KIND_COUNT);
	out.add(i);
	out.add(i / count);
	out.add(ratio(sums.words[i]!, sums.words[count]!));
	out.add(ratio(sums.prose[i]!, sums.prose[count]!));
	out.add(title < 0 ? 9999 : i - title);
	out.add(title < 0 ? -1 : title / count);
	out.add(proseBefore[i]!);
	out.add(proseAfter[i]!);
	out.add(about.own.sum);
	out.add(about.own.min);
	out.add(about.own.max);
	out.add(about.chain);
	out.add(about.worst);
	out.add(about.best);
	out.add(about.alike);
	out.add(about.place);
	out.add(i - box.start);
	out.add(box.end - box.start);
	const { article, articles, columns } = about;
	out.add(title < 0 ? -1 : blocks[title]!.box.depth - surveyed.shared[box.index]!);
	out.add(title < 0 ? -1 : box.depth - surveyed.shared[box.index]!);
	out.add(articles);
	out.add(article === undefined ? -1 : ratio(within(sums.prose, article), sums.prose[count]!));
	out.add(article === undefined ? -1 : title >= article.start && title < article.end ? 1 : 0);
	out.add(columns);
}

const STEPS = [-3, -2, -1, 1, 2, 3];
const REACHES = [5, 15];
const NO_NEIGHBOUR = [-1, -1, -1, 0, 0];

function writeNeighbours(out: RowWriter, { blocks, evidence, sums }: Survey, i: number): void {
	const { box } = blocks[i]!;
	const count = blocks.length;
	for (const step of STEPS) {
		const at = i + step;
		if (at < 0 || at >= count) {
			out.addAll(NO_NEIGHBOUR);
			continue;
		}
		const other = blocks[at]!;
		out.add(log(other.size.words));
		out.add(ratio(other.linked, other.size.chars));
		out.add(ratio(other.size.stops, other.size.words));
		out.add(evidence[at]!.sum);
		out.add(rankOf(other) > 0 ? 1 : other.box === box ? 2 : other.box.parent === box.parent ? 3 : 0);
	}
	for (const reach of REACHES) {
		const start = Math.max(0, i - reach);
		const end = Math.min(count, i + reach + 1);
		const words = between(sums.words, start, end);
		out.add(words / (end - start));
		out.add(ratio(between(sums.linked, start, end), between(sums.chars, start, end)));
		out.add(ratio(between(sums.prose, start, end), words));
	}
}

/** So many boxes around a block are looked at. */
const LEVELS = 6;
const NO_BOX = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0];

function writeBoxes(out: RowWriter, surveyed: Survey, i: number): void {
	const { blocks, boxes, sums } = surveyed;
	const prose = sums.prose[blocks.length]!;
	let level: Box | null = blocks[i]!.box;
	for (let up = 0; up < LEVELS; up++) {
		if (up > 0 && level !== null) level = nextAround(level);
		if (level === null) {
			out.addAll(NO_BOX);
			continue;
		}
		const count = level.end - level.start;
		const words = within(sums.words, level);
		const about = boxes[level.index]!;
		out.add(log(words));
		out.add(ratio(within(sums.linked, level), within(sums.chars, level)));
		out.add(ratio(within(sums.prose, level), prose));
		out.add(words / count);
		out.add(ratio(within(sums.stops, level), words));
		out.add(ratio(within(sums.paragraphs, level), words));
		out.add(within(sums.entries, level) / count);
		out.add(within(sums.linking, level) / count);
		out.add(about.own.sum);
		out.add(about.alike);
	}
}

/** The next box around a box that holds more: boxes with the same text are one box. */
function nextAround({ start, end, parent }: Box): Box | null {
	let level = parent;
	while (level !== null && level.start === start && level.end === end) level = level.parent;
	return level;
}

const NO_HOST = [-1, -1, 0];

function writeHosts(out: RowWriter, { blocks, hosts }: Survey, i: number): void {
	const { box } = blocks[i]!;
	for (const host of hosts) {
		if (host === undefined) {
			out.addAll(NO_HOST);
			continue;
		}
		const inside = i >= host.start && i < host.end;
		out.add(inside ? 1 : 0);
		out.add(inside ? box.depth - host.depth : -1);
		out.add(inside ? ratio(i - host.start, host.end - host.start) : i < host.start ? i - host.start : i - host.end);
	}
}

/** What the address of a page says about its type: the folders and host names that sites of a kind have. */
const ADDRESSES = [
	/\/(?:products?|p|dp|itm|items?|pr|pd|shop\/p)\//,
	/\/(?:collections?|category|categories|cat|c|b|w|browse|shop)\//,
	/^(?:forums?|community|discuss|discourse|bbs|boards?|answers|talk)\.|\/(?:threads?|topics?|forums?|viewtopic|showthread|t|questions?|community|boards?|discussions?|comments)\b/,
	/^(?:docs?|developers?|dev|manual|help|learn)\.|\/(?:docs?|documentation|reference|manuals?|guides?|api|tutorials?)\b/,
	/^(?:blog|news)\.|\/(?:blogs?|news|articles?|stor(?:y|ies)|posts?|(?:19|20)\d\d\/\d\d?)\//,
	/\/(?:services?|solutions?|platform|features?|pricing|industries|what-we-do|capabilities)\b/,
	/\/(?:tags?|topics?|search|archives?|page|authors?|directory|list|index|events|jobs)\b/,
];

/** The features of the page as a whole: its type shows in them, and they tell blocks what page they are on. */
export function pageFeatures(segments: Segments, facts: Facts): number[] {
	return [
		...textFeatures(segments),
		...elementFeatures(facts),
		...priceFeatures(segments),
		...addressFeatures(facts),
		...declaredFeatures(facts),
		...ADDRESSES.map((address) => (address.test(facts.host) || address.test(facts.path) ? 1 : 0)),
	];
}

/** How much text there is, of what kind, and where most of it stands. */
function textFeatures({ blocks, boxes }: Segments): number[] {
	const sums = new Sums(blocks);
	const count = blocks.length;
	const words = sums.words[count]!;
	const prose = sums.prose[count]!;
	const host = proseBoxes(boxes, sums, prose)[1];
	return [
		log(count),
		log(words),
		log(prose),
		ratio(prose, words),
		ratio(sums.linked[count]!, sums.chars[count]!),
		ratio(sums.paragraphs[count]!, words),
		...wordShares(blocks, words),
		host === undefined ? 0 : host.depth,
		host === undefined ? 0 : ratio(within(sums.words, host), words),
		host === undefined ? 0 : ratio(host.end - host.start, count),
	];
}

/** The shares of the words that stand in list items, cells, code, short blocks and hidden ones. */
function wordShares(blocks: readonly Block[], all: number): number[] {
	const shares = [0, 0, 0, 0, 0];
	for (const { box, size } of blocks) {
		const { tag } = box.element;
		if (tag === 'li') shares[0]! += size.words;
		else if (tag === 'td') shares[1]! += size.words;
		else if (tag === 'pre') shares[2]! += size.words;
		if (size.words < 5) shares[3]! += size.words;
		if (box.hidden) shares[4]! += size.words;
	}
	return shares.map((words) => ratio(words, all));
}

const COUNTED = ['article', 'time', 'img', 'h1', 'h2', 'h3', 'code', 'table', 'form', 'select', 'button'];

const elementFeatures = ({ tags }: Facts): number[] => [
	...COUNTED.map((name) => log(tags.get(name) ?? 0)),
	(tags.get('main') ?? 0) > 0 ? 1 : 0,
];

function priceFeatures({ blocks }: Segments): number[] {
	let prices = 0;
	for (const { size, text } of blocks) if (size.chars < 40 && size.digits > 0 && /[$€£¥]\s?\d/.test(text)) prices++;
	return [ratio(prices, blocks.length), log(prices)];
}

function addressFeatures({ path, query }: Facts): number[] {
	const segments = path.split('/').filter((part) => part !== '');
	const last = segments.at(-1) ?? '';
	return [
		segments.length,
		Math.min(last.length, 100),
		last.split(/[-_]/).length,
		/\d/.test(last) ? 1 : 0,
		/\/(?:19|20)\d\d\//.test(path) ? 1 : 0,
		query ? 1 : 0,
	];
}

/** Types of schema.org that speak for the same. */
const DECLARED_TYPES = [
	['article', 'newsarticle', 'blogposting', 'reportagenewsarticle', 'liveblogposting', 'opinionnewsarticle'],
	['product', 'productgroup', 'individualproduct'],
	['discussionforumposting', 'qapage', 'question'],
	['itemlist', 'collectionpage', 'searchresultspage'],
	['techarticle', 'apireference', 'howto'],
	['faqpage'],
	['service', 'localbusiness', 'professionalservice', 'softwareapplication'],
	['event', 'jobposting', 'course', 'recipe', 'book', 'movie'],
	['offer', 'aggregateoffer'],
	['aggregaterating'],
	['person'],
];

const declaredFeatures = ({ ogType, schemaTypes }: Facts): number[] => [
	ogType === 'article' ? 1 : ogType === 'website' ? 2 : ogType.includes('product') ? 3 : 0,
	...DECLARED_TYPES.map((names) => (names.some((name) => schemaTypes.has(name)) ? 1 : 0)),
];
