import type { PageType } from '../../types.ts';
import { type TypeLexicon, weighTypes } from '../features/type-tokens.ts';
import type { Segments } from '../read/blocks.ts';
import type { Facts } from '../read/facts.ts';
import { kindBit } from '../read/hints.ts';
import { type Forest, predict } from './forest.ts';

/** The types that the model distinguishes; profiles and home pages are recognised by their own statements. */
export const measuredTypes = [
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
	if (serviceAddress.test(facts.path)) return 'service';
	let best: PageType | undefined;
	let highest = -1;
	for (const [i, type] of measuredTypes.entries()) {
		if (probabilities[i]! <= highest || (type === 'forum' && isNoThread)) continue;
		best = type;
		highest = probabilities[i]!;
	}
	return best;
}

/** With fewer words, the text says nothing about the type. */
const tiny = 30;
/** On a page with fewer words, only names mark a discussion. */
const small = 300;
const threadBits = kindBit('comments') | kindBit('message') | kindBit('user');
const threadAddress = /forum|thread|topic|board|discuss|communit|comments|question|answer|\/t\/|\/r\//;

/** Last parts of addresses that say what a page of a company is, whatever is beside its form. */
const serviceAddress =
	/\/(?:contact(?:-?us)?|kontakt|contacto|contatti|contato|imprint|impressum|pricing|support|log-?in|sign-?in)(?:\.\w{3,5})?\/?$/;
/** Pages about people who are no members of a discussion. */
const companyAddress = /\/(?:about(?:-?us)?|(?:our-)?team|(?:ue|ü)ber-uns|people|staff)(?:\.\w{3,5})?\/?$/;

/** Evidence for the type of a page in its text and names. */
export function evidenceOf({ blocks, boxes }: Segments, { host, path }: Facts): Evidence {
	let words = 0;
	for (const { size } of blocks) words += size.words;
	if (words >= small) return {};
	const isThread =
		!companyAddress.test(path) &&
		(threadAddress.test(host + path) || boxes.some(({ kinds }) => (kinds & threadBits) !== 0));
	return { isTiny: words < tiny, isNoThread: !isThread };
}

/** The type if two of the page's own statements agree on it. */
function declaredType({ ogType, schemaTypes, products, needed, software }: Facts): PageType | undefined {
	if (schemaTypes.has('discussionforumposting') || schemaTypes.has('qapage')) return 'forum';
	const isList = schemaTypes.has('itemlist') || schemaTypes.has('collectionpage');
	if (schemaTypes.has('product') && (ogType.includes('product') || products === 1) && !isList) return 'product';
	if (schemaTypes.has('recipe') && needed.length > 0 && !isList) return 'article';
	const isArticle = schemaTypes.has('newsarticle') || schemaTypes.has('blogposting');
	if (isArticle && ogType === 'article' && !isList) return 'article';
	return isDocumented(software) ? 'documentation' : undefined;
}

/** Software that makes manuals and nothing else. Docusaurus and VuePress have blogs too, and name their pages so. */
const documentationSoftware =
	/\b(?:doxygen|docusaurus|mkdocs|vitepress|vuepress|starlight|antora|asciidoctor|gitbook|bookdown|honkit|mdbook|javadoc|rustdoc|docfx|typedoc|pkgdown|sphinx|docutils)\b/;

/** Whether a page says that a generator of documentation made it. */
export const isDocumented = (software: string): boolean =>
	documentationSoftware.test(software) && !software.includes('blog');

/** The root of a site, or of its part in one language. */
function isHome({ path, query, schemaTypes }: Facts): boolean {
	if (query || schemaTypes.has('newsarticle') || schemaTypes.has('product')) return false;
	return /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:(?:index|default|home)(?:\.\w{3,5})?)?\/?$/.test(path);
}
