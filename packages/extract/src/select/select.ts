import type { Favor } from '../types.ts';
import { isInFooter } from './around.ts';
import { ArticleTrust } from './article-trust.ts';
import { blockFeatures } from './block-features.ts';
import type { Block, Segments } from './blocks.ts';
import { choose } from './choose.ts';
import { MEASURED_TYPES } from './classify.ts';
import type { Facts } from './facts.ts';
import { predict } from './forest.ts';
import { kindBit } from './hints.ts';
import { mark, type Selection } from './mark.ts';
import type { Model } from './model.ts';
import { findBylines, starterOf } from './posts.ts';
import { findRelated } from './related.ts';
import { chooseSimply } from './simple.ts';
import { findTeasers, isReference } from './teasers.ts';
import { tidy } from './tidy.ts';

/** Hidden parts are content only when a reader opens them, as a tab: then they are not as small as this. */
const SMALL_HIDDEN = 25;
/** In articles, what is more likely noise than content is a caption, a teaser, a sign-up box. */
const ARTICLE_LEAST = { recall: 0.35, balanced: 0.6, precision: 0.6 };
const FORUM = MEASURED_TYPES.indexOf('forum');
const ARTICLE = MEASURED_TYPES.indexOf('article');
const DOCUMENTATION = MEASURED_TYPES.indexOf('documentation');
const PRODUCT = MEASURED_TYPES.indexOf('product');
/** A type more likely than this has a say in what counts as content. */
const SURE = 0.6;
/** A page this likely to be a forum's is read as a thread. */
const THREAD = 0.4;
/** What is more likely an article than anything else is judged as one; */
const LIKELY = 0.5;
/** what is no part of articles only is doubted where nothing else is likely: lists and shops are made of such parts. */
const CERTAIN = 0.8;
/** What is left of a probability where the markup speaks against it. */
const DOUBT = 0.3;
/** What is left of the probability of a teaser: some lists in articles look the same. */
const TEASER = 0.5;
/** And where a heading says that other articles follow. */
const RELATED = 0.2;
/** How many times as much recall counts as precision. */
const BETA = { recall: 1.5, balanced: 1, precision: 0.5 };
const MODAL = kindBit('modal');
const REVIEW = kindBit('review');

/**
 * Chooses the main content: each block is judged in its place on the page, then all are weighed together.
 *
 * @param page see `pageFeatures`
 * @param favor see `ExtractOptions`
 */
export function select(
	segments: Segments,
	facts: Facts,
	types: readonly number[],
	model: Model,
	page: readonly number[],
	favor?: Favor,
): Selection {
	// The heading of an article is its title, and told elsewhere.
	const titles = types[ARTICLE]! > SURE ? undefined : facts.titles;
	const isThread = types[FORUM]! > THREAD;
	const keep = chooseBlocks(segments, facts, types, model, page, favor);
	const bylines = isThread ? findBylines(segments.blocks, keep) : [];
	const selection = mark(segments, keep, { titles, bylines });
	return isThread ? { ...selection, starter: starterOf(segments.blocks, bylines) } : selection;
}

function chooseBlocks(
	segments: Segments,
	facts: Facts,
	types: readonly number[],
	model: Model,
	page: readonly number[],
	favor: Favor | undefined,
): boolean[] {
	const simple = chooseSimply(segments);
	if (simple !== undefined) return simple;
	const features = blockFeatures(segments, facts, model.scales);
	const common = Float32Array.from([...page, ...types]);
	return decide(segments, predict(model.blocks, features, common), types, favor);
}

/** From probabilities to a choice: doubts, the best set in expectation, then what the markup says for certain. */
export function decide(
	segments: Segments,
	probabilities: ArrayLike<number>,
	types: readonly number[],
	favor?: Favor,
): boolean[] {
	const { blocks } = segments;
	// What is doubted is mostly noise, not always: who wants to miss nothing takes it as it is, but for other articles.
	const doubts = favor !== 'recall';
	const side = favor ?? 'balanced';
	const article = types[ARTICLE]! > LIKELY;
	const certainly = types[ARTICLE]! > CERTAIN;
	const teasers = certainly ? findTeasers(segments, probabilities) : [];
	const related = certainly ? findRelated(segments) : [];
	const trust = article ? new ArticleTrust(segments) : undefined;
	const product = doubts && types[PRODUCT]! > SURE;
	const judged = blocks.map((block, i) => {
		const { kinds, element } = block.box;
		let p = probabilities[i]! * (related[i] ? RELATED : teasers[i] ? TEASER : 1);
		if (isSmallAndHidden(block, blocks) || isInFooter(block.box)) return 0;
		const trusted = trust?.judge(block, p) ?? p;
		p = doubts ? trusted : Math.max(p, trusted);
		if (doubts && certainly && (element.tag === 'h1' || isReference(block))) return p * DOUBT;
		if (product && kinds & REVIEW) return p * DOUBT;
		return doubts && kinds & MODAL && p < 0.5 ? p * DOUBT : p;
	});
	const chosen = choose(blocks, judged, BETA[side], article ? ARTICLE_LEAST[side] : 0);
	return tidy(segments, chosen, { isThread: types[FORUM]! > THREAD, isDocumentation: types[DOCUMENTATION]! > LIKELY });
}

function isSmallAndHidden({ box }: Block, blocks: readonly Block[]): boolean {
	if (!box.hidden) return false;
	let top = box;
	while (top.parent?.hidden) top = top.parent;
	let words = 0;
	for (let i = top.start; i < top.end && words < SMALL_HIDDEN; i++) words += blocks[i]!.size.words;
	return words < SMALL_HIDDEN;
}

/** The content as plain text, one line per block. */
export function toText({ kept }: Selection): string {
	return kept.map((block) => block.text).join('\n');
}
