import type { Segments } from '../read/blocks.ts';
import type { Block } from '../read/box.ts';
import type { Facts } from '../read/facts.ts';
import { log, ratio, within } from '../read/sums.ts';

/** Evidence of a page's address for its type: typical folders and host names. */
const addresses = [
	/\/(?:products?|p|dp|itm|items?|pr|pd|shop\/p)\//,
	// Addresses of shop collections, then of forums.
	/\/(?:collections?|category|categories|cat|c|b|w|browse|shop)\//,
	/^(?:forums?|community|discuss|discourse|bbs|boards?|answers|talk)\.|\/(?:threads?|topics?|forums?|viewtopic|showthread|t|questions?|community|boards?|discussions?|comments)\b/,
	// Addresses of documentation, then of blogs and news.
	/^(?:docs?|developers?|dev|manual|help|learn)\.|\/(?:docs?|documentation|reference|manuals?|guides?|api|tutorials?)\b/,
	/^(?:blog|news)\.|\/(?:blogs?|news|articles?|stor(?:y|ies)|posts?|(?:19|20)\d\d\/\d\d?)\//,
	// Addresses of service pages, then of listings.
	/\/(?:services?|solutions?|platform|features?|pricing|industries|what-we-do|capabilities)\b/,
	/\/(?:tags?|topics?|search|archives?|page|authors?|directory|list|index|events|jobs)\b/,
];

/** The features of the page as a whole: its type shows in them, and they tell blocks what page they are on. */
export function pageFeatures(segments: Segments, facts: Facts): number[] {
	return [
		...textFeatures(segments),
		...elementFeatures(facts),
		...priceFeatures(segments),
		...addressFeatures(facts),
		...declaredFeatures(facts),
		...addresses.map((address) => (address.test(facts.host) || address.test(facts.path) ? 1 : 0)),
	];
}

/** How much text there is, of what kind, and where most of it stands. */
function textFeatures({ blocks, sums, hosts }: Segments): number[] {
	const count = blocks.length;
	const words = sums.words[count]!;
	const prose = sums.prose[count]!;
	const host = hosts[1];
	return [
		log(count),
		log(words),
		log(prose),
		ratio(prose, words),
		ratio(sums.linked[count]!, sums.chars[count]!),
		ratio(sums.paragraphs[count]!, words),
		...wordShares(blocks, words),
		host === undefined ? 0 : host.depth,
		host === undefined ? 0 : ratio(within(sums.words, host), words),
		host === undefined ? 0 : ratio(host.end - host.start, count),
	];
}

/** The shares of the words that stand in list items, cells, code, short blocks and hidden ones. */
function wordShares(blocks: readonly Block[], all: number): number[] {
	let items = 0;
	let cells = 0;
	let code = 0;
	let short = 0;
	let hidden = 0;
	for (const { box, size } of blocks) {
		const { words } = size;
		const { tag } = box.element;
		if (tag === 'li') items += words;
		else if (tag === 'td') cells += words;
		else if (tag === 'pre') code += words;
		if (words < 5) short += words;
		if (box.hidden) hidden += words;
	}
	return [items, cells, code, short, hidden].map((words) => ratio(words, all));
}

const counted = ['article', 'time', 'img', 'h1', 'h2', 'h3', 'code', 'table', 'form', 'select', 'button'];

const elementFeatures = ({ tags }: Facts): number[] => [
	...counted.map((name) => log(tags.get(name) ?? 0)),
	(tags.get('main') ?? 0) > 0 ? 1 : 0,
];

function priceFeatures({ blocks }: Segments): number[] {
	let prices = 0;
	for (const { size, text } of blocks) if (size.chars < 40 && size.digits > 0 && /[$€£¥]\s?\d/.test(text)) prices++;
	return [ratio(prices, blocks.length), log(prices)];
}

function addressFeatures({ path, query }: Facts): number[] {
	const segments = path.split('/').filter((part) => part !== '');
	const last = segments.at(-1) ?? '';
	return [
		segments.length,
		Math.min(last.length, 100),
		last.split(/[-_]/).length,
		/\d/.test(last) ? 1 : 0,
		/\/(?:19|20)\d\d\//.test(path) ? 1 : 0,
		query ? 1 : 0,
	];
}

/** Types of schema.org that speak for the same. */
const declaredTypes = [
	['article', 'newsarticle', 'blogposting', 'reportagenewsarticle', 'liveblogposting', 'opinionnewsarticle'],
	['product', 'productgroup', 'individualproduct'],
	['discussionforumposting', 'qapage', 'question'],
	['itemlist', 'collectionpage', 'searchresultspage'],
	['techarticle', 'apireference', 'howto'],
	['faqpage'],
	['service', 'localbusiness', 'professionalservice', 'softwareapplication'],
	['event', 'jobposting', 'course', 'recipe', 'book', 'movie'],
	['offer', 'aggregateoffer'],
	['aggregaterating'],
	['person'],
];

const declaredFeatures = ({ ogType, schemaTypes }: Facts): number[] => [
	ogType === 'article' ? 1 : ogType === 'website' ? 2 : ogType.includes('product') ? 3 : 0,
	...declaredTypes.map((names) => (names.some((name) => schemaTypes.has(name)) ? 1 : 0)),
];
