import type { MinHashSignature } from '../model/minhash-signature.ts';

/** Words in a row that are looked at together. */
const run = 3;
const functionsPerNumber = 3;
/** Shorter texts are like too many others. */
const fewestWords = 50;
/**
 * Numbers that near duplicates have in common. With three of four, texts that share 97 of 100 runs are found 19 times
 * in 20, those that share half of them less than once in 100; and one of the first two is always among them.
 */
const fewestEqual = 3;

/** The MinHash signature of a text; undefined if the text is too short. Linear in its length. */
export function minHashOf(text: string): MinHashSignature | undefined {
	const runs = new MinHash();
	hashWords(text, runs);
	return runs.words < fewestWords ? undefined : runs.finish();
}

/** Takes words one by one, and keeps the least three of their runs under each hash function. */
class MinHash {
	words = 0;
	readonly #least = new Uint32Array(4 * functionsPerNumber).fill(0xffffffff);
	/** The two words before. */
	#first = 0;
	#second = 0;

	add(word: number): void {
		if (++this.words >= run) {
			const least = this.#least;
			let hash = mix(mix(mix(0x9e3779b9 ^ this.#first) ^ this.#second) ^ word);
			for (let index = 0; index < least.length; index++) {
				// Another function of the same run each time.
				hash = mix((hash + 0x9e3779b9) | 0);
				if (hash >>> 0 < (least[index] ?? 0)) least[index] = hash;
			}
		}
		this.#first = this.#second;
		this.#second = word;
	}

	finish(): MinHashSignature {
		const number = (first: number) => {
			let hash = 0;
			for (let index = first; index < first + functionsPerNumber; index++) hash = mix(hash ^ (this.#least[index] ?? 0));
			// As databases count: with a sign.
			return hash | 0;
		};
		return [number(0), number(3), number(6), number(9)];
	}
}

/** Whether two texts are near duplicates. */
export function isAlike(a: MinHashSignature, b: MinHashSignature): boolean {
	return a.filter((number, at) => number === b[at]).length >= fewestEqual;
}

/** A number for each word, in order; a letter of a script without spaces is a word. */
function hashWords(text: string, into: MinHash): void {
	let hash = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const kind = kinds[code] || look(code);
		if (kind === letter || kind === capital) {
			// FNV-1a; letters of ASCII in lower case.
			hash = Math.imul((hash === 0 ? 0x811c9dc5 : hash) ^ (kind === capital ? code + 32 : code), 0x01000193);
			continue;
		}
		if (hash !== 0) into.add(hash);
		hash = 0;
		if (kind === unspaced) into.add(mix(code));
	}
	if (hash !== 0) into.add(hash);
}

/** Kinds of code units: between words; in a word; the same in upper case, of ASCII; a word. */
const apart = 1;
const letter = 2;
const capital = 3;
const unspaced = 4;

/** Code unit → kind, 0 if not asked yet. */
const kinds = new Uint8Array(0x10000);

function look(code: number): number {
	const isCapital = code >= 65 && code <= 90;
	const kind = isCapital ? capital : isUnspaced(code) ? unspaced : isLetter(code) ? letter : apart;
	kinds[code] = kind;
	return kind;
}

const isLetter = (code: number): boolean =>
	(code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 0xc0 && !isMark(code));

/** Punctuation and symbols: general, of CJK, and in full width. */
const isMark = (code: number): boolean =>
	(code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xff0f);

/** Thai, Lao, Khmer, kana, and Chinese characters. */
const isUnspaced = (code: number): boolean =>
	(code >= 0x0e00 && code <= 0x0eff) ||
	(code >= 0x1780 && code <= 0x17ff) ||
	(code >= 0x3040 && code <= 0x30ff) ||
	(code >= 0x3400 && code <= 0x9fff);

/**
 * The finaliser of MurmurHash3: every bit of the input reaches every bit of the output. With a sign: a number that uses
 * bit 31 as a value would be an object.
 */
function mix(value: number): number {
	let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return hash ^ (hash >>> 16);
}
