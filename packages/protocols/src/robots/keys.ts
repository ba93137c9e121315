/** The keys that this reader acts on; everything else is kept as a record. */
export type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay';

/** A spelling of a key, in lower case. */
export interface Spelling {
	readonly word: string;
	readonly key: Key;
	/** One of the misspellings that Google accepts. */
	readonly typo: boolean;
}

const spelling = (word: string, key: Key = word as Key): Spelling => ({ word, key, typo: word !== key });

/** None begins with another. */
const spellings: readonly Spelling[] = [
	spelling('disallow'),
	spelling('allow'),
	spelling('user-agent'),
	spelling('sitemap'),
	spelling('crawl-delay'),
	spelling('useragent', 'user-agent'),
	spelling('user agent', 'user-agent'),
	spelling('dissallow', 'disallow'),
	spelling('dissalow', 'disallow'),
	spelling('disalow', 'disallow'),
	spelling('diasllow', 'disallow'),
	spelling('disallaw', 'disallow'),
	spelling('site-map', 'sitemap'),
];

/** Whether the octets at `start` spell `word`, a lower-case one, in any case. */
function spells(text: string, start: number, word: string): boolean {
	for (let at = 0; at < word.length; at++) {
		if ((text.charCodeAt(start + at) | 32) !== word.charCodeAt(at)) return false;
	}
	return true;
}

/** The spelling that a key is, or begins with. */
export function findSpelling(text: string, start: number, end: number): Spelling | undefined {
	for (const candidate of spellings) {
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

/** The key that somebody probably meant by an unknown one: at most two letters added, left out or exchanged. */
export function meantKey(key: string): Key | undefined {
	if (key.length > 14) return undefined;
	return spellings.find(({ word, typo }) => !typo && editDistance(key.toLowerCase(), word) <= 2)?.key;
}

function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, at) => at);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
		}
		row = next;
	}
	return row[b.length]!;
}
