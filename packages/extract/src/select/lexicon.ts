import { WordTable } from './word-table.ts';
import type { Words } from './words.ts';

/** Weight of evidence per word: positive where blocks with it belong to the content. */
export type Lexicon = ReadonlyMap<string, number>;

export interface Evidence {
	sum: number;
	min: number;
	max: number;
}

/** Weighs words by a lexicon. */
export class Scale {
	readonly #table: WordTable;
	readonly #weights: Float64Array;
	/** Of each word the last weighing that met it: a word counts once. */
	readonly #met: Int32Array;
	#weighing = 0;

	constructor(lexicon: Lexicon) {
		this.#table = new WordTable(lexicon.keys());
		this.#weights = Float64Array.from(lexicon.values());
		this.#met = new Int32Array(lexicon.size);
	}

	/** What the words that the lexicon knows say together. */
	weigh(words: Words): Evidence {
		let sum = 0;
		let min = 0;
		let max = 0;
		const weighing = (this.#weighing + 1) | 0;
		this.#weighing = weighing;
		while (words.next()) {
			const number = this.#table.find(words.text, words.start, words.end, words.hash);
			if (number < 0 || this.#met[number] === weighing) continue;
			this.#met[number] = weighing;
			const weight = this.#weights[number]!;
			sum += weight;
			if (weight < min) min = weight;
			if (weight > max) max = weight;
		}
		return { sum, min, max };
	}
}
