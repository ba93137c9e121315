/** The keys that this reader acts on; everything else is kept as a record. */
export type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay';

/** A spelling of a key, in lower case. */
export interface Spelling {
	readonly word: string;
	readonly key: Key;
	/** One of the misspellings that Google accepts. */
	readonly typo: boolean;
}

/** No word begins with another. */
const spellings: readonly Spelling[] = [
	'disallow=dissallow=dissalow=disalow=diasllow=disallaw',
	'allow',
	'user-agent=useragent=user agent',
	'sitemap=site-map',
	'crawl-delay',
].flatMap((line) => {
	const words = line.split('=');
	return words.map((word, at) => ({ word, key: words[0] as Key, typo: at > 0 }));
});

/** By first letter, since nearly every line of a file asks. */
const byLetter: readonly (readonly Spelling[])[] = Array.from({ length: 256 }, (_, code) =>
	spellings.filter(({ word }) => word.charCodeAt(0) === code),
);

/** Whether the text at `start` spells `word`, a lower-case one, in any case. */
function spells(text: string, start: number, word: string): boolean {
	for (let at = 1; at < word.length; at++) {
		if ((text.charCodeAt(start + at) | 32) !== word.charCodeAt(at)) return false;
	}
	return true;
}

/** The spelling that a key is, or begins with. */
export function findSpelling(text: string, start: number, end: number): Spelling | undefined {
	const candidates = byLetter[text.charCodeAt(start) | 32];
	if (candidates === undefined) return undefined;
	for (const candidate of candidates) {
		if (end - start >= candidate.word.length && spells(text, start, candidate.word)) return candidate;
	}
	return undefined;
}

/** Records seen in the wild that somebody acts on, or once did. */
const knownRecords =
	/^(?:clean-param|content-signal|content-usage|domain|host|license|noarchive|nofollow|noindex|request-rate|revisit-after|robot-version|som-[a-z-]+|visit-time)$/i;

export const isKnownRecord = (key: string): boolean => knownRecords.test(key);

/**
 * Records that speak to the agents of their group. An agent line after one begins a new list for such records,
 * though not a new group.
 */
const groupRecords = /^(?:content-signal|content-usage|crawl-delay|noindex|request-rate|visit-time)$/i;

export const isGroupRecord = (key: string): boolean => groupRecords.test(key);

/** The consonants of a word, each run as one: what misspellings usually keep. */
const skeleton = (word: string): string =>
	word
		.toLowerCase()
		.replace(/[^a-z]|[aeiou]/g, '')
		.replace(/(.)\1+/g, '$1');

/** The key that somebody probably meant by an unknown one. */
export const meantKey = (key: string): Key | undefined =>
	key.length < 4 ? undefined : spellings.find(({ word }) => skeleton(word) === skeleton(key))?.key;
