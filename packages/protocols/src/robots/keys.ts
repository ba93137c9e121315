import { fileRecordKeys, groupRecordKeys } from '../policy/vocabularies/names.ts';

/** The keys that this reader acts on; everything else is kept as a record. */
export type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay';

/** A spelling of a key, in lower case. */
export interface Spelling {
	readonly word: string;
	readonly key: Key;
	/** A misspelling that Google accepts, or that adds a restriction. */
	readonly typo: boolean;
}

/** No word begins with another. */
const spellings: readonly Spelling[] = [
	'disallow=dissallow=dissalow=disalow=diasllow=disallaw',
	'allow',
	'user-agent=useragent=user agent',
	'sitemap=site-map',
	'crawl-delay=crawldelay=crawl_delay=crawl delay',
].flatMap((line) => {
	const words = line.split('=');
	return words.map((word, at) => ({ word, key: words[0] as Key, typo: at > 0 }));
});

/** The letters that known keys begin with. */
const initials = [...new Set(spellings.map(({ word }) => word.charAt(0)))];

/** By the code of the first letter. */
const byInitial = new Map(
	initials.map((letter) => [letter.charCodeAt(0), spellings.filter(({ word }) => word.startsWith(letter))]),
);

/** Whether the text at `start` spells `word`, a lower-case one, in any case. */
function spells(text: string, start: number, word: string): boolean {
	let at = 0;
	for (; at < word.length; at++) {
		const code = text.charCodeAt(start + at);
		const wanted = word.charCodeAt(at);
		// The underscore has no separate lower case.
		if ((code | 32) !== wanted && code !== wanted) return false;
	}
	return true;
}

/** Whether a character begins a known key: most lines of a web page need no closer look. */
export const keyInitial = new RegExp(`[${initials.join('')}]`, 'i');

/** The spelling that a key is, or begins with; no parser reads a `Crawl-delay` from its beginning. */
export function findSpelling(text: string, start: number, end: number): Spelling | undefined {
	for (const spelling of byInitial.get(text.charCodeAt(start) | 32) ?? []) {
		const { word, key } = spelling;
		const excess = end - start - word.length;
		if ((excess === 0 || (excess > 0 && key !== 'crawl-delay')) && spells(text, start, word)) return spelling;
	}
	return undefined;
}

const matches = (pattern: string, keys: readonly string[]) => {
	const known = new RegExp(`^(?:${pattern}|${keys.join('|')})$`, 'i');
	return (key: string): boolean => known.test(key);
};

/**
 * Records that speak to the agents of their group. An agent line after one begins a new list for such records,
 * though not a new group.
 */
export const isGroupRecord = matches('crawl[-_ ]?delay|noindex|request-rate|visit-time', groupRecordKeys);

/** Records that apply to the whole file wherever they are. */
export const isFileRecord = matches('clean-param|host|som-[a-z-]+', fileRecordKeys);

/** Records that some reader acts on. */
export const isKnownRecord = (key: string): boolean => isGroupRecord(key) || isFileRecord(key);

/** The consonants of a word, each run as one: what misspellings usually keep. */
const skeleton = (word: string): string =>
	word
		.toLowerCase()
		.replace(/[^a-z]|[aeiou]/g, '')
		.replace(/(.)\1+/g, '$1');

const skeletons = new Map(spellings.map(({ word, key }) => [skeleton(word), key]));

/** The key that an unknown one probably means. */
export const suggestKey = (key: string): Key | undefined =>
	key.length > 3 && key.length < 15 ? skeletons.get(skeleton(key)) : undefined;
