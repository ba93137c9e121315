import type { Segments } from './blocks.ts';
import type { Facts } from './facts.ts';
import { ReadNames } from './hints.ts';
import type { Lexicon } from './lexicon.ts';
import { hashOf, SEED, WordTable } from './word-table.ts';
import { BlockWords, cut, type Words } from './words.ts';

/** Where a word was found, as it stands before the word: URL, host, software, schema.org type, name of a part, label. */
const PLACES = 'uhsjnw';

/** Buttons, headings and labels have no more words than this. */
const LABEL = 6;

type Take = (place: number, words: Words) => void;

const PART = PLACES.indexOf('n');
const WORD = PLACES.indexOf('w');

/** The words by which a page's software and author name its parts, place by place. */
function eachToken({ blocks, names }: Segments, { path, host, software, schemaTypes }: Facts, take: Take): void {
	const lists = [path.match(/[a-z]+/g), host.match(/[a-z]+/g), software.match(/[a-z]{3,}/g), schemaTypes];
	lists.forEach((list, place) => {
		if (list !== null) take(place, new ListedWords(list));
	});
	const nameWords = new ReadNames();
	for (const named of names) {
		nameWords.begin(named);
		take(PART, nameWords);
	}
	const blockWords = new BlockWords();
	for (const { size, text } of blocks) {
		if (size.words > LABEL) continue;
		blockWords.begin(text);
		take(WORD, blockWords);
	}
}

/** Words that are cut out already. */
class ListedWords implements Words {
	text = '';
	readonly start = 0;
	end = 0;
	hash = SEED;
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
		while (words.next()) tokens.add(`${PLACES[place]}:${cut(words)}`);
	});
	return tokens;
}

/** For each place the words that speak for or against a type, with their weights for all types. */
export interface TypeLexicon {
	readonly types: number;
	readonly places: readonly Place[];
}

interface Place {
	readonly table: WordTable;
	/** By the number of the word. */
	readonly weights: Float64Array[];
}

/** One look-up for all types: most words of a page speak for none. */
export function joinLexicons(lexicons: readonly Lexicon[]): TypeLexicon {
	const places = [...PLACES].map((): Place => ({ table: new WordTable(), weights: [] }));
	for (let type = 0; type < lexicons.length; type++) {
		for (const [token, weight] of lexicons[type]!) {
			const { table, weights } = places[PLACES.indexOf(token[0]!)]!;
			const number = table.add(token.slice(2));
			weights[number] ??= new Float64Array(lexicons.length);
			weights[number][type] = weight;
		}
	}
	return { types: lexicons.length, places };
}

/** What the words of a page say together for each type. */
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
			for (let type = 0; type < types; type++) sums[type]! += weights[number]![type]!;
		}
	});
	return sums;
}
