import type { Segments } from '../read/blocks.ts';
import type { Facts } from '../read/facts.ts';
import { ReadNames } from '../read/hints.ts';
import { ReadBlockWords } from '../read/page-words.ts';
import { hashOf, seed } from '../read/word-table.ts';
import { cut, type Words } from '../read/words.ts';
import type { WeightedWords } from './lexicon.ts';

/** Where a word was found, as it stands before the word: URL, host, software, schema.org type, name of a part, label. */
export const placeLetters = 'uhsjnw';

/** Buttons, headings and labels have no more words than this. */
const label = 6;

type Take = (place: number, words: Words) => void;

const partPlace = placeLetters.indexOf('n');
const wordPlace = placeLetters.indexOf('w');

/** The words by which a page's software and author name its parts, place by place. */
function eachToken(segments: Segments, { path, host, software, schemaTypes }: Facts, take: Take): void {
	const lists = [path.match(/[a-z]+/g), host.match(/[a-z]+/g), software.match(/[a-z]{3,}/g), schemaTypes];
	lists.forEach((list, place) => {
		if (list !== null) take(place, new ListedWords(list));
	});
	const nameWords = new ReadNames();
	for (const named of segments.names) {
		nameWords.begin(named);
		take(partPlace, nameWords);
	}
	const blockWords = new ReadBlockWords(segments);
	for (let i = 0; i < segments.blocks.length; i++) {
		if (segments.blocks[i]!.size.words > label) continue;
		blockWords.begin(i);
		take(wordPlace, blockWords);
	}
}

/** Words that are cut out already. */
class ListedWords implements Words {
	text = '';
	readonly start = 0;
	end = 0;
	hash = seed;
	readonly #words: readonly string[];
	#at = 0;

	constructor(words: Iterable<string>) {
		this.#words = [...words];
	}

	next(): boolean {
		const word = this.#words[this.#at++];
		if (word === undefined) return false;
		this.text = word;
		this.end = word.length;
		this.hash = hashOf(word, 0, word.length);
		return true;
	}
}

/** The same words, each once and with its place: `n:sidebar`. */
export function typeTokens(segments: Segments, facts: Facts): ReadonlySet<string> {
	const tokens = new Set<string>();
	eachToken(segments, facts, (place, words) => {
		while (words.next()) tokens.add(`${placeLetters[place]}:${cut(words)}`);
	});
	return tokens;
}

/** For each place the words that speak for or against a type, with their weights for all types. */
export interface TypeLexicon {
	readonly types: number;
	/** One look-up for all types: most words of a page speak for none. */
	readonly places: readonly WeightedWords[];
}

/** Sum of the evidence of a page's words for each type. */
export function weighTypes({ types, places }: TypeLexicon, segments: Segments, facts: Facts): number[] {
	const sums = new Array<number>(types).fill(0);
	const met = places.map(({ table }) => new Uint8Array(table.size));
	eachToken(segments, facts, (place, words) => {
		const { table, weights } = places[place]!;
		const known = met[place]!;
		while (words.next()) {
			const number = table.find(words.text, words.start, words.end, words.hash);
			if (number < 0 || known[number] === 1) continue;
			known[number] = 1;
			for (let type = 0; type < types; type++) sums[type]! += weights[number * types + type]!;
		}
	});
	return sums;
}
