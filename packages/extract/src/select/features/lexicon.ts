import type { WordTable } from '../read/word-table.ts';
import type { Words } from '../read/words.ts';

/** Weight of evidence per word: positive where blocks with it belong to the content. */
export type Lexicon = ReadonlyMap<string, number>;

export interface Evidence {
	sum: number;
	min: number;
	max: number;
}

/** Words with as many weights each: those of a word stand together, in the order of the numbers in the table. */
export interface WeightedWords {
	readonly table: WordTable;
	readonly weights: Float64Array;
}

/** Weighs words that have one weight each. */
export class Scale {
	readonly #table: WordTable;
	readonly #weights: Float64Array;
	/** Of each word the last weighing that met it: a word counts once. */
	readonly #met: Int32Array;
	#weighing = 0;

	constructor({ table, weights }: WeightedWords) {
		this.#table = table;
		this.#weights = weights;
		this.#met = new Int32Array(table.size);
	}

	/** The sum of the evidence of words in the lexicon. */
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
