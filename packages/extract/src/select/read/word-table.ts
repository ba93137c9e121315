import { lower, placeOf, setPlace } from '../../dom/hash-places.ts';

/**
 * Words with numbers, found in a text without cutting it into words: most of those that a page has are in no list. The
 * words are in lower case, as are all letters of the texts but those of ASCII, which may be in either.
 */
export class WordTable {
	readonly #words: string[];
	/** See `hash-places.ts`. */
	#places = new Int32Array(2 * 64);

	/** @param text different words in lower case, with a space between two */
	constructor(text = '') {
		this.#words = text === '' ? [] : text.split(' ');
		while (this.#places.length < placesPerWord * this.#words.length)
			this.#places = new Int32Array(2 * this.#places.length);
		// As `hashOf`: this runs before the engine compiles any of it, and calls would take half of the time.
		for (let number = 0, at = 0; number < this.#words.length; number++, at++) {
			let hash = seed;
			for (const end = at + this.#words[number]!.length; at < end; at++)
				hash = Math.imul(hash ^ text.charCodeAt(at), prime);
			setPlace(this.#places, hash, number + 1);
		}
	}

	get size(): number {
		return this.#words.length;
	}

	/** The number of a word, which is new or known. */
	add(word: string): number {
		const hash = hashOf(word, 0, word.length);
		const known = this.find(word, 0, word.length, hash);
		if (known >= 0) return known;
		const number = this.#words.push(word) - 1;
		if (this.#places.length < placesPerWord * this.#words.length) this.#grow();
		else setPlace(this.#places, hash, number + 1);
		return number;
	}

	/**
	 * The number of the word that stands there; -1 for one that is not known.
	 *
	 * @param hash of the word, where the caller has it: see `mix`
	 */
	find(text: string, start: number, end: number, hash = hashOf(text, start, end)): number {
		const places = this.#places;
		for (let at = placeOf(hash, places); ; at = (at + 2) & (places.length - 1)) {
			const number = places[at + 1]! - 1;
			if (number < 0) return -1;
			if (places[at] === hash && isAt(this.#words[number]!, text, start, end)) return number;
		}
	}

	#grow(): void {
		this.#places = new Int32Array(2 * this.#places.length);
		for (const [number, word] of this.#words.entries())
			setPlace(this.#places, hashOf(word, 0, word.length), number + 1);
	}
}

/** Places for each word: a quarter of them are taken, at most. */
const placesPerWord = 8;

/** The hash of a word without characters. */
export const seed = 0x811c9dc5 | 0;

const prime = 0x01000193;

/** The hash of a word from that of the characters before its last (FNV-1a over UTF-16 units). */
export const mix = (hash: number, unit: number): number => Math.imul(hash ^ lower(unit), prime);

export function hashOf(text: string, start: number, end: number): number {
	let hash = seed;
	for (let at = start; at < end; at++) hash = mix(hash, text.charCodeAt(at));
	return hash;
}

function isAt(word: string, text: string, start: number, end: number): boolean {
	if (word.length !== end - start) return false;
	for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== lower(text.charCodeAt(start + at))) return false;
	return true;
}
