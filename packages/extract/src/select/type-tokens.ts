import type { Segments } from './blocks.ts';
import type { Facts } from './facts.ts';
import type { Lexicon } from './lexicon.ts';

/** Where a word was found, as it stands before the word: URL, host, software, schema.org type, name of a part, label. */
const PLACES = 'uhsjnw';

/** Buttons, headings and labels have no more words than this. */
const LABEL = 6;

/** The words by which a page's software and author name its parts, for each place in turn. */
function tokensByPlace(
	{ blocks, boxes }: Segments,
	{ path, host, software, schemaTypes }: Facts,
): ReadonlySet<string>[] {
	const labels = blocks.filter(({ size }) => size.words <= LABEL);
	return [
		new Set(path.match(/[a-z]+/g)),
		new Set(host.match(/[a-z]+/g)),
		new Set(software.match(/[a-z]{3,}/g)),
		schemaTypes,
		// The names of alike boxes are one list.
		union(new Set(boxes.map(({ names }) => names))),
		union(labels.map(({ words }) => words)),
	];
}

function union(lists: Iterable<readonly string[]>): Set<string> {
	const all = new Set<string>();
	for (const list of lists) for (const one of list) all.add(one);
	return all;
}

/** The same words, each with its place: `n:sidebar`. */
export const typeTokens = (segments: Segments, facts: Facts): string[] =>
	tokensByPlace(segments, facts).flatMap((tokens, place) => [...tokens].map((token) => `${PLACES[place]}:${token}`));

/** For each place the words that speak for or against a type, with their weights for all types. */
export interface TypeLexicon {
	readonly types: number;
	readonly places: readonly ReadonlyMap<string, Float64Array>[];
}

/** One look-up for all types: most words of a page speak for none. */
export function joinLexicons(lexicons: readonly Lexicon[]): TypeLexicon {
	const places = [...PLACES].map(() => new Map<string, Float64Array>());
	for (let type = 0; type < lexicons.length; type++) {
		for (const [token, weight] of lexicons[type]!) {
			const place = places[PLACES.indexOf(token[0]!)]!;
			const word = token.slice(2);
			const weights = place.get(word) ?? new Float64Array(lexicons.length);
			weights[type] = weight;
			place.set(word, weights);
		}
	}
	return { types: lexicons.length, places };
}

/** What the words of a page say together for each type. */
export function weighTypes({ types, places }: TypeLexicon, segments: Segments, facts: Facts): number[] {
	const sums = new Array<number>(types).fill(0);
	const tokens = tokensByPlace(segments, facts);
	for (let place = 0; place < places.length; place++) {
		for (const token of tokens[place]!) {
			const weights = places[place]!.get(token);
			if (weights !== undefined) for (let type = 0; type < types; type++) sums[type]! += weights[type]!;
		}
	}
	return sums;
}
