import type { PageType } from '../types.ts';
import type { Segments } from './blocks.ts';
import type { Facts } from './facts.ts';
import { type Forest, predict } from './forest.ts';
import { kindBit } from './hints.ts';
import { type TypeLexicon, weighTypes } from './type-tokens.ts';

/** The types that are told apart by measuring; profile and home page are told by what they say of themselves. */
export const MEASURED_TYPES = [
	'article',
	'collection',
	'documentation',
	'forum',
	'listing',
	'product',
	'service',
] as const satisfies readonly PageType[];

export interface TypeModel {
	readonly forests: readonly (readonly Forest[])[];
	readonly lexicon: TypeLexicon;
}

/** The row that the type forests read. `page`: see `pageFeatures`. */
export function typeFeatures(
	segments: Segments,
	facts: Facts,
	lexicon: TypeLexicon,
	page: readonly number[],
): number[] {
	return [...page, ...weighTypes(lexicon, segments, facts)];
}

/** Probability of each measured type; they sum to 1. */
export function typeProbabilities(
	segments: Segments,
	facts: Facts,
	{ forests, lexicon }: TypeModel,
	page: readonly number[],
): number[] {
	const row = typeFeatures(segments, facts, lexicon, page);
	const matrix = { rows: 1, width: row.length, data: Float32Array.from(row) };
	const raw = forests.map((forest) => predict(forest, matrix)[0]!);
	const sum = raw.reduce((total, value) => total + value, 0);
	return raw.map((value) => value / sum);
}

/** The amount of evidence for the type of a page. */
export interface Evidence {
	/** Too few words to measure. */
	readonly isTiny?: boolean;
	/** Nothing on the page is named a post, a reply or a member, as in a discussion. */
	readonly isNoThread?: boolean;
}

/** The type of a page. A page with hardly any text, such as one that needs scripts, only gets the type it declares. */
export function classify(
	facts: Facts,
	probabilities: readonly number[],
	{ isTiny = false, isNoThread = false }: Evidence = {},
): PageType | undefined {
	if (facts.ogType === 'profile' || facts.schemaTypes.has('profilepage')) return 'profile';
	if (isHome(facts)) return 'home';
	const declared = declaredType(facts);
	if (declared !== undefined || isTiny) return declared;
	let best: PageType | undefined;
	let highest = -1;
	for (const [i, type] of MEASURED_TYPES.entries()) {
		if (probabilities[i]! <= highest || (type === 'forum' && isNoThread)) continue;
		best = type;
		highest = probabilities[i]!;
	}
	return best;
}

/** With fewer words, the text says nothing about the type. */
const TINY = 30;
/** On a page with fewer words, only names mark a discussion. */
const SMALL = 300;
const THREAD = kindBit('comments') | kindBit('message') | kindBit('user');
const THREAD_ADDRESS = /forum|thread|topic|board|discuss|communit|comments|question|answer|\/t\/|\/r\//;

/** Evidence for the type of a page in its text and names. */
export function evidenceOf({ blocks, boxes }: Segments, { host, path }: Facts): Evidence {
	let words = 0;
	for (const { size } of blocks) words += size.words;
	if (words >= SMALL) return {};
	const isThread = THREAD_ADDRESS.test(host + path) || boxes.some(({ kinds }) => (kinds & THREAD) !== 0);
	return { isTiny: words < TINY, isNoThread: !isThread };
}

/** What two of the page's own statements agree on needs no measuring. */
function declaredType({ ogType, schemaTypes, products }: Facts): PageType | undefined {
	if (schemaTypes.has('discussionforumposting') || schemaTypes.has('qapage')) return 'forum';
	const isList = schemaTypes.has('itemlist') || schemaTypes.has('collectionpage');
	if (schemaTypes.has('product') && (ogType.includes('product') || products === 1) && !isList) return 'product';
	const isArticle = schemaTypes.has('newsarticle') || schemaTypes.has('blogposting');
	return isArticle && ogType === 'article' && !isList ? 'article' : undefined;
}

/** The root of a site, or of its part in one language. */
function isHome({ path, query, schemaTypes }: Facts): boolean {
	if (query || schemaTypes.has('newsarticle') || schemaTypes.has('product')) return false;
	return /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:(?:index|default|home)(?:\.\w{3,5})?)?\/?$/.test(path);
}
