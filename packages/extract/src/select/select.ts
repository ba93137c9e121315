import type { Favor, PageType } from '../types.ts';
import { isInFooter, isInFurniture } from './around.ts';
import { ArticleTrust } from './article-trust.ts';
import { blockFeatures } from './block-features.ts';
import type { Block, Segments } from './blocks.ts';
import { choose } from './choose.ts';
import { MEASURED_TYPES } from './classify.ts';
import { withoutCopies } from './copies.ts';
import type { Facts } from './facts.ts';
import { predict } from './forest.ts';
import { keepHeads } from './heads.ts';
import { kindBit } from './hints.ts';
import { keepHoles } from './holes.ts';
import { mark, type Selection } from './mark.ts';
import type { Model } from './model.ts';
import { keepNeeded } from './needed.ts';
import { findOthers } from './others.ts';
import type { PageKind } from './page-kind.ts';
import { findBylines, starterOf } from './posts.ts';
import { keepRankings } from './rankings.ts';
import { keepNotes } from './referenced.ts';
import { findRelated } from './related.ts';
import type { RuleName, Trial } from './rules.ts';
import { chooseSimply } from './simple.ts';
import { findTeasers, isReference } from './teasers.ts';
import { tidy } from './tidy.ts';
import { flatWords } from './words.ts';

/** In articles, what is more likely noise than content is a caption, a teaser, a sign-up box. */
const ARTICLE_LEAST = { recall: 0.35, balanced: 0.6, precision: 0.6 };
const FORUM = MEASURED_TYPES.indexOf('forum');
const ARTICLE = MEASURED_TYPES.indexOf('article');
const DOCUMENTATION = MEASURED_TYPES.indexOf('documentation');
const PRODUCT = MEASURED_TYPES.indexOf('product');
const LISTING = MEASURED_TYPES.indexOf('listing');
const COLLECTION = MEASURED_TYPES.indexOf('collection');
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
	contentType?: PageType,
): Selection {
	// The heading of an article is its title, and told elsewhere.
	const titles = types[ARTICLE]! > SURE ? undefined : facts.titles;
	const isThread = types[FORUM]! > THREAD;
	const task: Choice = { segments, facts, types, favor, contentType };
	const keep = chooseBlocks(task, () => {
		const features = blockFeatures(segments, facts, model.scales);
		return predict(model.blocks, features, Float32Array.from([...page, ...types]));
	});
	const bylines = isThread ? findBylines(segments.blocks, keep) : [];
	const selection = mark(segments, keep, { titles, bylines });
	return isThread ? { ...selection, starter: starterOf(segments.blocks, bylines) } : selection;
}

/** A page whose content is to be chosen. */
export interface Choice {
	readonly segments: Segments;
	readonly facts: Facts;
	readonly types: readonly number[];
	readonly favor?: Favor | undefined;
	readonly contentType?: PageType | undefined;
	/** To measure what rules gain. */
	readonly trial?: Trial;
}

/** @param judge gives the probability of each block, if they are to be measured */
export function chooseBlocks(task: Choice, judge: () => ArrayLike<number>): boolean[] {
	const { segments, trial } = task;
	const simple = chooseSimply(segments);
	if (simple !== undefined) trial?.fired.add('simple');
	if (simple === undefined || trial?.without.has('simple')) return decide(task, judge());
	const others = findOthers(segments, task.facts, kindOf(task), trial);
	const judged = simple.map((_, i) => (others[i] || isNotice(segments.blocks[i]!) ? 0 : 1));
	const kept = guarded(segments, simple, simple, judged);
	return guarded(segments, kept, withoutCopies(segments, kept), judged);
}

/** From probabilities to a choice: doubts, the best set in expectation, then what the markup says for certain. */
function decide(task: Choice, probabilities: ArrayLike<number>): boolean[] {
	const { segments, facts, types, favor, trial } = task;
	const { blocks } = segments;
	/** Whether a rule applies. */
	const uses = (rule: RuleName, isMet: boolean): boolean => {
		if (isMet) trial?.fired.add(rule);
		return isMet && !trial?.without.has(rule);
	};
	// What is doubted is mostly noise, not always: who wants to miss nothing takes it as it is, but for other articles.
	const doubts = favor !== 'recall';
	const side = favor ?? 'balanced';
	const article = types[ARTICLE]! > LIKELY;
	const certainly = types[ARTICLE]! > CERTAIN;
	const teasers = uses('teasers', certainly) ? findTeasers(segments, probabilities) : [];
	const related = uses('related', certainly) ? findRelated(segments) : [];
	const trust = uses('trust', article) ? new ArticleTrust(segments) : undefined;
	const doubtsTitles = uses('title', doubts && certainly);
	const doubtsReferences = uses('reference', doubts && certainly);
	const doubtsReviews = uses('reviews', doubts && types[PRODUCT]! > SURE);
	const doubtsModals = uses('modal', doubts);
	const dropsFooters = uses('footer', true);
	const kind = kindOf(task);
	const others = findOthers(segments, facts, kind, trial);
	const judged = blocks.map((block, i) => {
		if (others[i]) return 0;
		const { kinds, element } = block.box;
		let p = probabilities[i]! * (related[i] ? RELATED : teasers[i] ? TEASER : 1);
		if (block.box.hidden || (dropsFooters && isInFooter(block.box)) || isNotice(block)) return 0;
		const trusted = trust?.judge(block, p) ?? p;
		p = doubts ? trusted : Math.max(p, trusted);
		if ((doubtsTitles && element.tag === 'h1') || (doubtsReferences && isReference(block))) return p * DOUBT;
		if (doubtsReviews && kinds & REVIEW) return p * DOUBT;
		return doubtsModals && kinds & MODAL && p < 0.5 ? p * DOUBT : p;
	});
	const chosen = choose(blocks, judged, BETA[side], uses('least', article) ? ARTICLE_LEAST[side] : 0);
	if (uses('declaredNeeds', facts.needed.length > 0))
		for (const i of declaredNeeds(segments, facts)) chosen[i] = judged[i]! > 0;
	const steps: [RuleName, (keep: boolean[]) => boolean[]][] = [
		['tidy', (keep) => tidy(segments, keep, kind, trial)],
		[
			'holes',
			(keep) => (kind.isThread || kind.isList ? keep : keepHoles(segments, keep, judged, kind.isDocumentation)),
		],
		['rankings', (keep) => (kind.isThread ? keep : keepRankings(segments, keep, judged))],
		['needed', (keep) => keepNeeded(segments, keep)],
		['notes', (keep) => keepNotes(segments, keep)],
		['heads', (keep) => (kind.isList ? keep : keepHeads(segments, keep, facts.titles))],
		['copies', (keep) => (kind.isDocumentation ? keep : withoutCopies(segments, keep))],
		['fallback', (keep) => fallback(segments, keep, judged)],
	];
	let keep = chosen;
	for (const [rule, step] of steps) {
		if (trial?.without.has(rule)) continue;
		const after = guarded(segments, keep, step(keep), judged);
		if (trial !== undefined && after.some((kept, i) => kept !== keep[i])) trial.fired.add(rule);
		keep = after;
	}
	return keep;
}

/** No later rule removes most of the selection, and none brings back blocks that cannot be content. */
function guarded(
	{ blocks }: Segments,
	before: readonly boolean[],
	after: readonly boolean[],
	judged: readonly number[],
): boolean[] {
	const kept = after.map((keep, i) => keep && judged[i]! > 0);
	return wordsOf(blocks, kept) < LEFT * wordsOf(blocks, before) ? [...before] : kept;
}

const LEFT = 0.25;

/** A page with text outside menus and footers is never empty: if next to nothing is selected, all of that text is. */
function fallback({ blocks }: Segments, keep: boolean[], judged: readonly number[]): boolean[] {
	const kept = wordsOf(blocks, keep);
	if (kept >= NEARLY_EMPTY) return keep;
	const all = blocks.map(
		(block, i) => judged[i]! > 0 && !isInFurniture(block.box) && block.linked < 0.5 * block.size.chars,
	);
	return wordsOf(blocks, all) >= SOME ? all : keep;
}

/** The most words of a selection that counts as empty, and the fewest of a page with text. */
const NEARLY_EMPTY = 15;
const SOME = 40;

function wordsOf(blocks: readonly Block[], keep: readonly boolean[]): number {
	let words = 0;
	for (let i = 0; i < blocks.length; i++) if (keep[i]) words += blocks[i]!.size.words;
	return words;
}

function kindOf({ types, facts, contentType }: Choice): PageKind {
	return {
		isThread: types[FORUM]! > THREAD,
		isDocumentation: types[DOCUMENTATION]! > LIKELY,
		isDeclaredArticle: isDeclaredArticle(facts),
		isProduct: contentType === 'product' && (types[PRODUCT]! >= types[COLLECTION]! || facts.products === 1),
		isList: types[LISTING]! + types[COLLECTION]! > LIKELY,
		isHome: contentType === 'home',
	};
}

const isDeclaredArticle = ({ schemaTypes }: Facts): boolean =>
	schemaTypes.has('newsarticle') || schemaTypes.has('blogposting') || schemaTypes.has('reportagenewsarticle');

/** The blocks with the requirements that the page's metadata declares for its steps. */
function declaredNeeds({ blocks }: Segments, { needed }: Facts): number[] {
	if (needed.length === 0) return [];
	const wanted = new Set(needed.map((text) => flatWords(text).join(' ')));
	return blocks.flatMap(({ text, box }, i) => (!box.hidden && wanted.has(flatWords(text).join(' ')) ? [i] : []));
}

/** Notices for readers without scripts. */
const NO_SCRIPTS =
	/^[^.!?]{0,80}\b(?:enable|turn(?:ing)? on|activate|allow|switch on)\s+(?:your\s+)?java ?script\b(?=.*\b(?:to|your browser|this|site|page)\b)|\bjava ?script\s+(?:is|seems to be|appears to be|must be|needs to be|has been)\s+(?:\w+\s+)?(?:disabled|required|turned off|blocked|not|enabled|activated)|\b(?:requires?|needs?)\s+java ?script\b|java ?script.{0,40}(?:aktivier|activ|habilit|включ|активир|有効|启用|啟用|활성)|(?:aktivier|activez|activa|habilit|включите|активируйте|启用|啟用).{0,40}java ?script/iu;
const MOST_NOTICE = 30;

const isNotice = ({ size, text, linked }: Block): boolean =>
	size.words <= MOST_NOTICE && linked === 0 && text.includes('cript') && NO_SCRIPTS.test(text);

/** The content as plain text, one line per block. */
export function toText({ kept }: Selection): string {
	return kept.map((block) => block.text).join('\n');
}
