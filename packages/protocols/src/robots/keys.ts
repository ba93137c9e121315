import type { Reading } from './modes.ts';

/** The keys that this reader acts on; everything else is kept as a record. */
export type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay' | 'other';

/** Misspellings that Google accepts. */
const typos: readonly (readonly [string, Key])[] = [
	['useragent', 'user-agent'],
	['user agent', 'user-agent'],
	['dissallow', 'disallow'],
	['dissalow', 'disallow'],
	['disalow', 'disallow'],
	['diasllow', 'disallow'],
	['disallaw', 'disallow'],
	['site-map', 'sitemap'],
];

/** Whether the octets at `start` spell `word`, a lower-case one, in any case. */
export function spells(text: string, start: number, end: number, word: string): boolean {
	if (end - start < word.length) return false;
	for (let at = 0; at < word.length; at++) {
		if ((text.charCodeAt(start + at) | 32) !== word.charCodeAt(at)) return false;
	}
	return true;
}

/** The key at `start`, and whether it is there by a misspelling or only as a beginning. */
export function readKey(text: string, start: number, end: number, reading: Reading): Key {
	const length = end - start;
	const word = (key: string): boolean =>
		(length === key.length || (reading.prefixKeys && length > key.length)) && spells(text, start, end, key);
	if (word('disallow')) return 'disallow';
	if (word('allow')) return 'allow';
	if (word('user-agent')) return 'user-agent';
	if (word('sitemap')) return 'sitemap';
	if (reading.typos) {
		for (const [key, meant] of typos) if (word(key)) return meant;
	}
	if (length === 11 && spells(text, start, end, 'crawl-delay')) return 'crawl-delay';
	return 'other';
}
