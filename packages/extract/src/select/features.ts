import type { Block, Box, Segments } from './blocks.ts';
import type { DeclaredKind, Facts } from './facts.ts';
import { KIND_COUNT, kindsOf } from './hints.ts';
import { type Evidence, type Lexicon, weigh } from './lexicon.ts';

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

const tagBits = new Map(AROUND.map((tag, i) => [tag, 1 << i]));
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

const within = (sums: Float64Array, box: { start: number; end: number }): number => sums[box.end]! - sums[box.start]!;

function isProse(block: Block): boolean {
	return !block.box.hidden && block.size.words >= PROSE_WORDS && block.linked < block.size.chars * 0.3;
}

/** What each box hands down to the blocks in it. */
interface BoxFacts {
	around: number;
	roles: number;
	/** Kinds of parts that it is in. */
	kinds: number;
	listDepth: number;
	/** The box's own names, the sum along the chain, the worst and the best of it. */
	own: Evidence;
	chain: number;
	worst: number;
	best: number;
	/** How many brothers look the same, and which of them this is. */
	alike: number;
	place: number;
}

function describeBoxes(boxes: readonly Box[], names: Lexicon): BoxFacts[] {
	const facts: BoxFacts[] = [];
	for (const box of boxes) {
		const up = box.parent === null ? undefined : facts[box.parent.index]!;
		const { tag, attributes } = box.element;
		const own = weigh(names, box.names);
		const { itemprop } = attributes;
		facts.push({
			around: (up?.around ?? 0) | (tagBits.get(tag) ?? 0),
			roles:
				(up?.roles ?? 0) |
				(roleBits.get(attributes['aria-modal'] === 'true' ? 'dialog' : (attributes.role ?? '')) ?? 0) |
				(itemprop === 'articleBody' || itemprop === 'text' ? ARTICLE_BODY : 0),
			// The classes of the body speak of the page, not of its parts.
			kinds: up === undefined ? 0 : up.kinds | kindsOf(box.names),
			listDepth: (up?.listDepth ?? 0) + (tag === 'ul' || tag === 'ol' ? 1 : 0),
			own,
			chain: (up?.chain ?? 0) * 0.8 + own.sum,
			worst: Math.min(up?.worst ?? 0, own.sum),
			best: Math.max(up?.best ?? 0, own.sum),
			alike: 1,
			place: 0,
		});
	}
	for (const box of boxes) {
		const counts = new Map<string, number>();
		const keys = box.children.map((child) => `${child.element.tag}.${child.element.attributes.class ?? ''}`);
		for (let i = 0; i < keys.length; i++) {
			const place = counts.get(keys[i]!) ?? 0;
			counts.set(keys[i]!, place + 1);
			facts[box.children[i]!.index]!.place = place;
		}
		for (let i = 0; i < keys.length; i++) facts[box.children[i]!.index]!.alike = counts.get(keys[i]!)!;
	}
	return facts;
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

const flat = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

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
	const own = flat(text).split(' ');
	let hits = 0;
	for (const word of own) if (among.has(word)) hits++;
	return hits / own.length;
}

/** Runs of three words: long enough to be no accident, short enough to survive small changes. */
function triples(words: readonly string[]): string[] {
	const found: string[] = [];
	for (let i = 0; i + 3 <= words.length; i++) found.push(`${words[i]} ${words[i + 1]} ${words[i + 2]}`);
	return found;
}

const DECLARED_KINDS: readonly DeclaredKind[] = ['body', 'text', 'review'];
/** No more words of declared texts than this are looked at, and no more of a block. */
const MOST_DECLARED = 20_000;
const MOST_OF_BLOCK = 1_000;

/** For each block the share of it that the page's data declare to be body, text or review; -1 where they declare none. */
function declaredShares(blocks: readonly Block[], { declared }: Facts): Float32Array {
	const kinds = DECLARED_KINDS.length;
	const sets = DECLARED_KINDS.map(
		(kind) =>
			new Set(
				declared[kind].flatMap((text) =>
					triples(
						flat(text.slice(0, 5 * MOST_DECLARED))
							.split(' ')
							.slice(0, MOST_DECLARED),
					),
				),
			),
	);
	const shares = new Float32Array(blocks.length * kinds).fill(-1);
	if (sets.every(({ size }) => size === 0)) return shares;
	for (let i = 0; i < blocks.length; i++) {
		const own = triples(
			flat(blocks[i]!.text.slice(0, 5 * MOST_OF_BLOCK))
				.split(' ')
				.slice(0, MOST_OF_BLOCK),
		);
		for (let kind = 0; kind < kinds; kind++) {
			if (sets[kind]!.size === 0) continue;
			let hits = 0;
			for (const triple of own) if (sets[kind]!.has(triple)) hits++;
			shares[i * kinds + kind] = own.length === 0 ? 0 : hits / own.length;
		}
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

/** The features of all blocks of a page. `page` is the same for each of them: see `pageFeatures`. */
export function blockFeatures(
	{ blocks, boxes }: Segments,
	facts: Facts,
	lexicons: Lexicons,
	page: readonly number[],
): Matrix {
	const sums = new Sums(blocks);
	const count = blocks.length;
	const described = describeBoxes(boxes, lexicons.names);
	const totalWords = sums.words[count]!;
	const totalProse = sums.prose[count]!;
	const hosts = proseBoxes(boxes, sums, totalProse);
	const titleAt = findTitle(blocks, facts.titles);
	const firstSeen = new Map<string, number>();
	const copies = new Map<string, number>();
	for (const { text } of blocks) copies.set(text, (copies.get(text) ?? 0) + 1);
	const evidence = blocks.map((block) => weigh(lexicons.words, block.words));
	const proseBefore = new Int32Array(count);
	const proseAfter = new Int32Array(count);
	for (let i = 0, last = -1000; i < count; i++) {
		proseBefore[i] = i - last;
		if (isProse(blocks[i]!)) last = i;
	}
	for (let i = count - 1, last = count + 1000; i >= 0; i--) {
		proseAfter[i] = last - i;
		if (isProse(blocks[i]!)) last = i;
	}

	const titleWords = new Set(facts.titles.flatMap((title) => flat(title).split(' ')));
	/** The last heading before the block: it says what section this is. */
	let heading = -1;
	/** The headings in force, by their level. */
	const outlines: (Outline | undefined)[] = [];
	let outline: Outline | undefined;
	const shares = declaredShares(blocks, facts);
	const runs = linkRuns(blocks);

	let width = 0;
	let data = new Float32Array(0);
	let at = 0;
	const row: number[] = [];
	for (let i = 0; i < count; i++) {
		const block = blocks[i]!;
		const { box, size, text } = block;
		const { tag } = box.element;
		const about = described[box.index]!;
		row.length = 0;

		// The text.
		const words = evidence[i]!;
		const lastCode = text.charCodeAt(text.length - 1);
		row.push(
			log(size.words),
			ratio(size.chars, size.words),
			ratio(block.linked, size.chars),
			block.links,
			ratio(block.strong, size.chars),
			ratio(size.digits, size.chars),
			ratio(size.upper, size.chars),
			ratio(size.capitals, size.words),
			ratio(size.stops, size.words),
			ratio(size.commas, size.words),
			size.separators,
			ratio(size.codes, size.words),
			lastCode === 46 || lastCode === 33 || lastCode === 0x3002 || lastCode === 0x201d || lastCode === 34 ? 1 : 0,
			lastCode === 58 ? 1 : 0,
			lastCode === 63 ? 1 : 0,
			/^\p{Ll}/u.test(text) ? 1 : 0,
			words.sum,
			words.min,
			words.max,
			block.box.hidden ? 1 : 0,
			copies.get(text)!,
			firstSeen.has(text) ? 1 : 0,
			text.includes('\n') ? 1 : 0,
			/[$€£¥]\s?\d|\d\s?(?:€|USD|EUR|kr)/.test(text) ? 1 : 0,
		);
		firstSeen.set(text, i);

		const above = heading < 0 ? undefined : evidence[heading]!;
		row.push(
			size.words > 30 ? 0 : overlap(text, titleWords),
			heading < 0 ? 999 : i - heading,
			above?.sum ?? 0,
			above?.min ?? 0,
			heading < 0 ? 0 : HEADINGS.get(blocks[heading]!.box.element.tag)!,
			outline?.min ?? 0,
			outline?.sum ?? 0,
			outline?.level ?? 0,
			outline === undefined || outline.at < 0 ? 999 : i - outline.at,
			runs[i]!,
		);
		for (let kind = 0; kind < DECLARED_KINDS.length; kind++) row.push(shares[i * DECLARED_KINDS.length + kind]!);
		const rank = HEADINGS.get(tag);
		if (rank !== undefined) {
			heading = i;
			outlines.length = Math.min(outlines.length, rank);
			outline = outlineOf(
				rank,
				i,
				words,
				outlines.findLast((one) => one !== undefined),
			);
			outlines[rank] = outline;
		}

		// Where it stands.
		row.push(HEADINGS.get(tag) ?? 0, box.depth, about.listDepth);
		for (const name of TAGS) row.push(tag === name ? 1 : 0);
		for (let bit = 0; bit < AROUND.length; bit++) row.push((about.around >> bit) & 1);
		for (let bit = 0; bit <= ROLES.length; bit++) row.push((about.roles >> bit) & 1);
		for (let bit = 0; bit < KIND_COUNT; bit++) row.push((about.kinds >> bit) & 1);
		row.push(
			i,
			i / count,
			ratio(sums.words[i]!, totalWords),
			ratio(sums.prose[i]!, totalProse),
			titleAt < 0 ? 9999 : i - titleAt,
			titleAt < 0 ? -1 : titleAt / count,
			proseBefore[i]!,
			proseAfter[i]!,
			about.own.sum,
			about.own.min,
			about.own.max,
			about.chain,
			about.worst,
			about.best,
			about.alike,
			about.place,
			i - box.start,
			box.end - box.start,
		);

		// Its neighbours.
		for (const step of [-3, -2, -1, 1, 2, 3]) {
			const other = blocks[i + step];
			if (other === undefined) {
				row.push(-1, -1, -1, 0, 0);
				continue;
			}
			row.push(
				log(other.size.words),
				ratio(other.linked, other.size.chars),
				ratio(other.size.stops, other.size.words),
				evidence[i + step]!.sum,
				HEADINGS.has(other.box.element.tag) ? 1 : other.box === box ? 2 : other.box.parent === box.parent ? 3 : 0,
			);
		}
		for (const reach of [5, 15]) {
			const span = { start: Math.max(0, i - reach), end: Math.min(count, i + reach + 1) };
			const ws = within(sums.words, span);
			row.push(
				ws / (span.end - span.start),
				ratio(within(sums.linked, span), within(sums.chars, span)),
				ratio(within(sums.prose, span), ws),
			);
		}

		// The boxes around it.
		let level: Box | null = box;
		for (let up = 0; up < 6; up++) {
			if (up > 0 && level !== null) {
				// Boxes that hold the same text are one box.
				const { start, end } = level;
				do level = level.parent;
				while (level !== null && level.start === start && level.end === end);
			}
			if (level === null) {
				row.push(-1, -1, -1, -1, -1, -1, -1, -1, 0, 0);
				continue;
			}
			const n = level.end - level.start;
			const ws = within(sums.words, level);
			const levelFacts = described[level.index]!;
			row.push(
				log(ws),
				ratio(within(sums.linked, level), within(sums.chars, level)),
				ratio(within(sums.prose, level), totalProse),
				ws / n,
				ratio(within(sums.stops, level), ws),
				ratio(within(sums.paragraphs, level), ws),
				within(sums.entries, level) / n,
				within(sums.linking, level) / n,
				levelFacts.own.sum,
				levelFacts.alike,
			);
		}
		for (const host of hosts) {
			if (host === undefined) {
				row.push(-1, -1, 0);
				continue;
			}
			const inside = i >= host.start && i < host.end;
			row.push(
				inside ? 1 : 0,
				inside ? box.depth - host.depth : -1,
				inside ? ratio(i - host.start, host.end - host.start) : i < host.start ? i - host.start : i - host.end,
			);
		}

		for (const value of page) row.push(value);
		if (i === 0) {
			width = row.length;
			data = new Float32Array(width * count);
		}
		data.set(row, at);
		at += width;
	}
	return { rows: count, width, data };
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
export function pageFeatures({ blocks, boxes }: Segments, facts: Facts): number[] {
	const sums = new Sums(blocks);
	const count = blocks.length;
	const words = sums.words[count]!;
	const prose = sums.prose[count]!;
	const tag = (name: string): number => facts.tags.get(name) ?? 0;
	const type = (...names: string[]): number => (names.some((name) => facts.schemaTypes.has(name)) ? 1 : 0);
	const share = (test: (block: Block) => boolean): number => {
		let sum = 0;
		for (const block of blocks) if (test(block)) sum += block.size.words;
		return ratio(sum, words);
	};
	const segments = facts.path.split('/').filter((part) => part !== '');
	const last = segments.at(-1) ?? '';
	const host50 = proseBoxes(boxes, sums, prose)[1];
	const prices = blocks.filter((block) => block.size.chars < 40 && /[$€£¥]\s?\d/.test(block.text)).length;
	return [
		log(count),
		log(words),
		log(prose),
		ratio(prose, words),
		ratio(sums.linked[count]!, sums.chars[count]!),
		ratio(sums.paragraphs[count]!, words),
		share((block) => block.box.element.tag === 'li'),
		share((block) => block.box.element.tag === 'td'),
		share((block) => block.box.element.tag === 'pre'),
		share((block) => block.size.words < 5),
		share((block) => block.box.hidden),
		host50 === undefined ? 0 : host50.depth,
		host50 === undefined ? 0 : ratio(within(sums.words, host50), words),
		host50 === undefined ? 0 : ratio(host50.end - host50.start, count),
		log(tag('article')),
		log(tag('time')),
		log(tag('img')),
		log(tag('h1')),
		log(tag('h2')),
		log(tag('h3')),
		log(tag('code')),
		log(tag('table')),
		log(tag('form')),
		log(tag('select')),
		log(tag('button')),
		tag('main') > 0 ? 1 : 0,
		ratio(prices, count),
		log(prices),
		segments.length,
		Math.min(last.length, 100),
		last.split(/[-_]/).length,
		/\d/.test(last) ? 1 : 0,
		/\/(?:19|20)\d\d\//.test(facts.path) ? 1 : 0,
		facts.query ? 1 : 0,
		facts.ogType === 'article' ? 1 : facts.ogType === 'website' ? 2 : facts.ogType.includes('product') ? 3 : 0,
		type('article', 'newsarticle', 'blogposting', 'reportagenewsarticle', 'liveblogposting', 'opinionnewsarticle'),
		type('product', 'productgroup', 'individualproduct'),
		type('discussionforumposting', 'qapage', 'question'),
		type('itemlist', 'collectionpage', 'searchresultspage'),
		type('techarticle', 'apireference', 'howto'),
		type('faqpage'),
		type('service', 'localbusiness', 'professionalservice', 'softwareapplication'),
		type('event', 'jobposting', 'course', 'recipe', 'book', 'movie'),
		type('offer', 'aggregateoffer'),
		type('aggregaterating'),
		type('person'),
		...ADDRESSES.map((address) => (address.test(facts.host) || address.test(facts.path) ? 1 : 0)),
	];
}
