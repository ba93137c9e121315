import { hashOf } from './url-parts.ts';

/** What a page says, apart from where it leads. Hashes have 32 bits. */
export interface Prose {
	/** The same for texts that differ only in links, times and what machines have drawn. */
	readonly hash: number;
	/** The same, too, where the page only repeats words of its own address; for short texts also its numbers. */
	readonly masked: number;
	/** The same, too, where the page repeats words of its own address, and where numbers differ. */
	readonly shape: number;
	/** The same, too, where only dates differ. */
	readonly dateless: number;
	readonly words: number;
}

/** `[text](address)` and `![text](address)`; neither part can hold its own end, so that it reads once. */
const link = /(!?)\[([^[\]]*)\]\(([^()\s]*)(?:\s+"[^"]*")?\)/g;
const word = /[\p{L}\p{N}]+/gu;
const time = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;
/** What a machine has drawn: a long number, or digits among letters. */
const drawn = /^(?:\d{10,}|(?=\D*\d)(?=[^a-z]*[a-z])[\da-z]{8,})$/;
/** Texts of fewer words are told apart by words, not by numbers. */
const fewWords = 50;

/** Names of months and days in the languages that most calendars have, long and short. */
const dateWords: ReadonlySet<string> = new Set(
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

/** FNV-1a over words that are numbers already. */
class Fnv {
	value = 0x811c9dc5;

	add(word: number): void {
		this.value = Math.imul((this.value << 5) ^ (this.value >>> 27) ^ word, 0x01000193);
	}
}

/**
 * The prose of a page: title and main text, without the text of links, which lists and menus are made of. Images count,
 * since they may be all in which two pages differ.
 */
export function proseOf(title: string, markdown: string, url: string): Prose {
	const images: string[] = [];
	const withoutLinks = markdown.replace(link, (_, image, text, address) => {
		if (image === '') return '';
		images.push(address);
		return ` ${text} `;
	});
	// An image that is a link has left its brackets.
	const text = withoutLinks
		.replace(link, ' ')
		.replace(/\bhttps?:\/\/\S+/g, ' ')
		.replace(time, ' ');
	const own = new Set(
		url
			.replace(/^https?:\/\/[^/]*/i, '')
			.toLowerCase()
			.match(word),
	);
	const [hash, masked, numberless, dateless] = [new Fnv(), new Fnv(), new Fnv(), new Fnv()];
	let words = 0;
	for (const [each] of `${title}\n${text}`.toLowerCase().matchAll(word)) {
		if (each.length >= 8 && drawn.test(each)) continue;
		words++;
		const number = hashOf(each);
		hash.add(number);
		const isNumber = each >= '0' && each < ':';
		if (!isNumber && !dateWords.has(each)) dateless.add(number);
		if (!own.has(each) && !isNumber) numberless.add(number);
		if (!own.has(each) || isNumber) masked.add(number);
	}
	for (const address of images) for (const each of [hash, masked, numberless, dateless]) each.add(hashOf(address));
	const echoless = words < fewWords ? numberless : masked;
	return {
		hash: hash.value | 0,
		masked: echoless.value | 0,
		shape: numberless.value | 0,
		dateless: dateless.value | 0,
		words,
	};
}
