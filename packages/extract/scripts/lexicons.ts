// Weights of evidence for the words of names and texts, learned from labelled pages.

import { type Lexicon, Scale, type WeightedWords } from '../src/select/features/lexicon.ts';
import { short } from '../src/select/features/survey.ts';
import { placeLetters, type TypeLexicon } from '../src/select/features/type-tokens.ts';
import type { Segments } from '../src/select/read/blocks.ts';
import { NameWords } from '../src/select/read/hints.ts';
import { WordTable } from '../src/select/read/word-table.ts';
import { BlockWords, distinct } from '../src/select/read/words.ts';

/** The share of content in the text that goes with each word of one page. */
export type Shares = ReadonlyMap<string, number>;

function shares(pairs: Iterable<readonly [token: string, kept: number, all: number]>): Shares {
	const sums = new Map<string, [number, number]>();
	for (const [token, kept, all] of pairs) {
		const sum = sums.get(token);
		if (sum === undefined) sums.set(token, [kept, all]);
		else {
			sum[0] += kept;
			sum[1] += all;
		}
	}
	return new Map([...sums].map(([token, [kept, all]]) => [token, kept / all]));
}

export const nameShares = ({ blocks, boxes, names }: Segments, labels: Float64Array): Shares =>
	shares(
		(function* () {
			const words = new NameWords();
			const tokens = names.map(({ written, custom }) => {
				words.begin(written, custom);
				return distinct(words);
			});
			for (const box of boxes) {
				let kept = 0;
				let all = 0;
				for (let i = box.start; i < box.end; i++) {
					kept += blocks[i]!.size.words * labels[i]!;
					all += blocks[i]!.size.words;
				}
				if (all > 0) for (const token of tokens[box.names.index]!) yield [token, kept, all] as const;
			}
		})(),
	);

export const wordShares = ({ blocks }: Segments, labels: Float64Array): Shares =>
	shares(
		(function* () {
			const words = new BlockWords();
			for (let i = 0; i < blocks.length; i++) {
				const { text, size } = blocks[i]!;
				if (size.words > short) continue;
				words.begin(text);
				for (const token of distinct(words)) yield [token, labels[i]!, 1] as const;
			}
		})(),
	);

/** Added to the counts of each word: rare words weigh little. */
const shrink = 4;

/** Weights of the words that at least `least` pages have; the `most` telling ones of them. */
export function learn(pages: readonly Shares[], least: number, most: number): Lexicon {
	const sums = new Map<string, [sum: number, count: number]>();
	let total = 0;
	let n = 0;
	for (const page of pages) {
		for (const [token, share] of page) {
			const sum = sums.get(token);
			if (sum === undefined) sums.set(token, [share, 1]);
			else {
				sum[0] += share;
				sum[1]++;
			}
			total += share;
			n++;
		}
	}
	const rate = total / n;
	const weights: [token: string, weight: number, value: number][] = [];
	for (const [token, [sum, count]] of sums) {
		if (count < least) continue;
		const odds = (sum + shrink * rate) / (count - sum + shrink * (1 - rate));
		const weight = Math.round(20 * (Math.log(odds) - Math.log(rate / (1 - rate)))) / 20;
		if (Math.abs(weight) >= 0.25) weights.push([token, weight, Math.abs(weight) * Math.sqrt(count)]);
	}
	weights.sort((a, b) => b[2] - a[2] || (a[0] < b[0] ? -1 : 1));
	return new Map(weights.slice(0, most).map(([token, weight]) => [token, weight]));
}

/** Words with as many weights each. */
export interface Weights {
	readonly words: readonly string[];
	readonly weights: readonly number[];
}

export function weightsOf(lexicon: Lexicon): Weights {
	const words = [...lexicon.keys()].sort();
	return { words, weights: words.map((word) => lexicon.get(word)!) };
}

/** For each place of `placeLetters` its words, each with its weights for all types. */
export function weightsOfPlaces(lexicons: readonly Lexicon[]): Weights[] {
	const tokens = [...new Set(lexicons.flatMap((lexicon) => [...lexicon.keys()]))].sort();
	return [...placeLetters].map((letter) => {
		const own = tokens.filter((token) => token.startsWith(letter));
		return {
			words: own.map((token) => token.slice(2)),
			weights: own.flatMap((token) => lexicons.map((lexicon) => lexicon.get(token) ?? 0)),
		};
	});
}

const readable = ({ words, weights }: Weights): WeightedWords => ({
	table: new WordTable(words.join(' ')),
	weights: Float64Array.from(weights),
});

export const scaleOf = (lexicon: Lexicon): Scale => new Scale(readable(weightsOf(lexicon)));

export const joinLexicons = (lexicons: readonly Lexicon[]): TypeLexicon => ({
	types: lexicons.length,
	places: weightsOfPlaces(lexicons).map(readable),
});
