/**
 * Words with numbers, found in a text without cutting it into words: most of those that a page has are in no list. The
 * words are in lower case, as are all letters of the texts but those of ASCII, which may be in either.
 */
export class WordTable {
	readonly #words: string[] = [];
	/** Two numbers for each place: the hash of a word, and its number and 1; 0 where there is none. */
	#places = new Int32Array(2 * 64);

	constructor(words: Iterable<string> = []) {
		for (const word of words) this.add(word);
	}

	get size(): number {
		return this.#words.length;
	}

	/** The number of a word, which is new or known. */
	add(word: string): number {
		const known = this.find(word, 0, word.length);
		if (known >= 0) return known;
		const number = this.#words.push(word) - 1;
		if (this.#places.length < 8 * this.#words.length) this.#grow();
		else this.#put(number);
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

	#put(number: number): void {
		const places = this.#places;
		const word = this.#words[number]!;
		const hash = hashOf(word, 0, word.length);
		let at = placeOf(hash, places);
		while (places[at + 1] !== 0) at = (at + 2) & (places.length - 1);
		places[at] = hash;
		places[at + 1] = number + 1;
	}

	#grow(): void {
		this.#places = new Int32Array(2 * this.#places.length);
		for (let number = 0; number < this.#words.length; number++) this.#put(number);
	}
}

/** Letters of ASCII in lower case. */
const lower = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

/** The hash of a word without characters. */
export const SEED = 0x811c9dc5 | 0;

/** The hash of a word from that of the characters before its last (FNV-1a over UTF-16 units). */
export const mix = (hash: number, unit: number): number => Math.imul(hash ^ lower(unit), 0x01000193);

export function hashOf(text: string, start: number, end: number): number {
	let hash = SEED;
	for (let at = start; at < end; at++) hash = mix(hash, text.charCodeAt(at));
	return hash;
}

const placeOf = (hash: number, places: Int32Array): number => (2 * (hash ^ (hash >>> 15))) & (places.length - 1);

function isAt(word: string, text: string, start: number, end: number): boolean {
	if (word.length !== end - start) return false;
	for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== lower(text.charCodeAt(start + at))) return false;
	return true;
}
