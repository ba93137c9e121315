/** Weight of evidence per word: positive where blocks with it belong to the content. */
export type Lexicon = ReadonlyMap<string, number>;

export interface Evidence {
	sum: number;
	min: number;
	max: number;
}

/** What the words that the lexicon knows say together. */
export function weigh(lexicon: Lexicon, tokens: readonly string[]): Evidence {
	let sum = 0;
	let min = 0;
	let max = 0;
	for (const token of tokens) {
		const weight = lexicon.get(token);
		if (weight === undefined) continue;
		sum += weight;
		if (weight < min) min = weight;
		if (weight > max) max = weight;
	}
	return { sum, min, max };
}
