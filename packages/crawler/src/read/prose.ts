import { isDatePage } from '../addresses/dates.ts';
import { hashOf, looksRandom, pathAddress, pathSession } from '../addresses/url-parts.ts';
import { WordReader } from './word-reader.ts';

/** Hashes of the text of a page, without its links; 32 bits each. */
export interface Prose {
	/**
	 * Equal for texts that differ only in times, in generated values, and in the parameters of their links.
	 */
	readonly hash: number;
	/** Without links, but with generated values. */
	readonly verbatim: number;
	/**
	 * Without links; also equal if the page only repeats words of its own address, and in short texts its numbers.
	 */
	readonly masked: number;
	/** As `masked`, but with the numbers. */
	readonly numbered: number;
	/** Also equal if the page repeats words of its own address, or if numbers differ. */
	readonly shape: number;
	/** For a page with a date in its address: also equal if only dates differ. */
	readonly dateless?: number;
	/** Of the links to other kinds of pages; undefined without such links. */
	readonly links?: number;
	readonly words: number;
}

/** `[text](address)` and `![text](address)`; neither part can contain its own end, so there is only one match. */
const link = /(!?)\[([^[\]]*)\]\(([^()\s]*)(?:\s+"[^"]*")?\)/g;
const word = /[\p{L}\p{N}]+/gu;
const time = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;
/** In texts with fewer words, a number from the page's own address is not new content. */
const fewWords = 50;
/** A page with more times is a timetable; with fewer it shows a clock. */
const clockTimes = 2;

/** Names of months and days in the languages of most calendars, long and short; made when a page has a date in its address. */
let dateWords: ReadonlySet<string> | undefined;

const makeDateWords = (): ReadonlySet<string> =>
	new Set(
		['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].flatMap((language) =>
			Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, month + 1)).flatMap((at) =>
				(['long', 'short'] as const).flatMap((style) =>
					new Intl.DateTimeFormat(language, { month: style, weekday: style, timeZone: 'UTC' })
						.formatToParts(at)
						.map(({ value }) => value.toLowerCase().replace('.', '')),
				),
			),
		),
	);

/** FNV-1a over words that are already numbers. */
class Fnv {
	/** With a sign: the engine keeps it without allocating. */
	value = 0x811c9dc5 | 0;

	add(word: number): void {
		this.value = Math.imul((this.value << 5) ^ (this.value >>> 27) ^ word, 0x01000193);
	}
}

/** Reads the words of a page in which only dates may differ, and drops the dates. */
class Dateless extends Fnv {
	/** Numbers that may still turn out to be dates: `5 October`, `29 30 31`. */
	#pending: number | undefined;
	#last: number | undefined;
	#isAfterDate = false;

	next(word: string, hash: number, isOwn: boolean): void {
		dateWords ??= makeDateWords();
		const isDateWord = dateWords.has(word);
		const number = isNumber(word) ? Number.parseInt(word, 10) : undefined;
		const isNext = this.#follows(number);
		if (this.#pending !== undefined && !isDateWord && !isNext) this.add(this.#pending);
		this.#pending = undefined;
		if (number === undefined) {
			if (!isDateWord) this.add(hash);
		} else if (!isOwn && !isNext && !this.#isAfterDate && !anyYear.test(word)) this.#pending = hash;
		this.#isAfterDate = isDateWord;
		this.#last = number;
	}

	finish(): void {
		if (this.#pending !== undefined) this.add(this.#pending);
		this.#pending = undefined;
	}

	/** Whether a number is the next day in a calendar. */
	#follows(number: number | undefined): boolean {
		if (number === undefined || this.#last === undefined) return false;
		return number === this.#last + 1 || (number === 1 && this.#last >= 28 && this.#last <= 31);
	}
}

const anyYear = /^(?:19|20|21)\d\d$/;
const isNumber = (word: string): boolean => word >= '0' && word < ':';

/**
 * The prose of a page: title and main text, without the text of links, which lists and menus consist of. Images count,
 * since two pages may differ only in them.
 */
export function proseOf(title: string, markdown: string, url: string): Prose {
	const { text, images, links } = taken(markdown);
	const own = ownWords(url);
	const ownHashes = new Set(Array.from(own, hashOf));
	const [hash, verbatim, masked, shape] = [new Fnv(), new Fnv(), new Fnv(), new Fnv()];
	const withNumbers = new Fnv();
	// Each date has a digit.
	const dateless = anyDigit.test(url) && isDatePage(new URL(pathAddress(url))) ? new Dateless() : undefined;
	let words = 0;
	for (const reader = new WordReader(`${title}\n${text}`.toLowerCase()); reader.next(); ) {
		const number = reader.hash;
		verbatim.add(number);
		// Generated values differ each time.
		if (reader.isGenerated) continue;
		words++;
		hash.add(number);
		const isOwn = ownHashes.has(number) && own.has(reader.word);
		dateless?.next(reader.word, number, isOwn && reader.isNumber);
		if (!isOwn) masked.add(number);
		if (!isOwn || reader.isNumber) withNumbers.add(number);
		if (!isOwn && !reader.isNumber) shape.add(number);
	}
	dateless?.finish();
	for (const address of images)
		for (const each of [hash, verbatim, masked, withNumbers, shape, dateless]) each?.add(hashOf(address));
	for (const each of links) hash.add(linkHash(each));
	const outward = outwardOf(links, url);
	return {
		hash: hash.value | 0,
		verbatim: verbatim.value | 0,
		numbered: withNumbers.value | 0,
		masked: (words < fewWords ? masked : withNumbers).value | 0,
		shape: shape.value | 0,
		...(dateless && { dateless: dateless.value | 0 }),
		words,
		...(outward !== undefined && { links: outward }),
	};
}

interface MarkdownLink {
	readonly text: string;
	/** Its address without the origin. */
	readonly path: string;
}

/** The text without its links, and the links. */
function taken(markdown: string): { text: string; images: string[]; links: MarkdownLink[] } {
	const images: string[] = [];
	const links: MarkdownLink[] = [];
	const take = (_: string, image: string, text: string, address: string): string => {
		if (image === '') {
			links.push({ text, path: withoutOrigin(address) });
			return '';
		}
		images.push(address);
		return ` ${text} `;
	};
	let text = markdown.includes('](') ? markdown.replace(link, take) : markdown;
	// The brackets of an image inside a link remain.
	if (text.includes('](')) text = text.replace(link, ' ');
	if (text.includes('://')) text = text.replace(/\bhttps?:\/\/\S+/g, ' ');
	const times = /\d:\d/.test(text) ? (text.match(time)?.length ?? 0) : 0;
	return { text: times === 0 || times > clockTimes ? text : text.replace(time, ' '), images, links };
}

function ownWords(url: string): ReadonlySet<string> {
	const path = withoutOrigin(url).toLowerCase();
	// The week of `2026-w48` is the 48 of its page.
	return new Set([...(path.match(word) ?? []), ...(path.match(/\d+/g) ?? [])]);
}

/** Generated parameters and folders may be sessions. */
function linkHash(link: MarkdownLink): number {
	const page = link.path.replace(/(?:;|\?|#(?![/!])).*$/s, '');
	// Each session has a digit or begins with a parenthesis.
	const path = /[\d(]/.test(page) ? withoutSessions(page) : page;
	// The text may be the address, including the session.
	if (/[/?=]/.test(link.text)) return hashOf(path);
	const text = anyDigit.test(link.text) ? link.text.replace(/\d{10,}|\b(?=\S*\d)\w{8,}\b/g, '') : link.text;
	return hashOf(`${path} ${text}`);
}

const withoutSessions = (path: string): string =>
	path
		.split('/')
		.map((segment) => (pathSession.test(segment) || looksRandom(segment) ? '*' : segment))
		.join('/');

const anyDigit = /\d/;
const withoutOrigin = (address: string): string => address.replace(/^https?:\/\/[^/]*/i, '');

/** Hash of the links to other kinds of pages than this one: a list with other entries is a different list. */
function outwardOf(links: readonly MarkdownLink[], url: string): number | undefined {
	const kind = kindOf(withoutOrigin(url));
	const outward = new Fnv();
	let count = 0;
	for (const { path } of links) {
		if (kindOf(path) === kind) continue;
		count++;
		outward.add(hashOf(path));
	}
	return count === 0 ? undefined : outward.value | 0;
}

/** The folder of an address, without its numbers; the path if it has parameters. */
function kindOf(path: string): string {
	const query = path.indexOf('?');
	if (query >= 0) return path.slice(0, query);
	const folder = path.slice(0, path.lastIndexOf('/') + 1);
	return anyDigit.test(folder) ? folder.replace(/[^/]*\d[^/]*/g, '#') : folder;
}
