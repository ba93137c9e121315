import type { Favor, PageType } from '../types.ts';
import { blockFeatures } from './features/block-features.ts';
import { RowWriter } from './features/row-writer.ts';
import { mark, type Selection } from './mark.ts';
import { choose } from './model/choose.ts';
import { isDocumented, measuredTypes } from './model/classify.ts';
import { predict } from './model/forest.ts';
import type { Model } from './model/model.ts';
import { judgeTogether } from './model/together.ts';
import { findBylines, starterOf } from './posts.ts';
import { isInFooter, isInFurniture } from './read/around.ts';
import type { Segments } from './read/blocks.ts';
import type { Block } from './read/box.ts';
import type { Facts } from './read/facts.ts';
import { type Flags, flagsOf } from './read/flags.ts';
import { kindBit } from './read/hints.ts';
import { flatWords } from './read/words.ts';
import { ArticleTrust } from './rules/article-trust.ts';
import { dropBreadcrumbs } from './rules/breadcrumbs.ts';
import { withoutCopies } from './rules/copies.ts';
import { keepHeads } from './rules/heads.ts';
import { keepHoles } from './rules/holes.ts';
import { keepNeeded } from './rules/needed.ts';
import { findOthers } from './rules/others.ts';
import type { PageKind } from './rules/page-kind.ts';
import { withoutRepeatedQuotations } from './rules/quotations.ts';
import { keepRankings } from './rules/rankings.ts';
import { keepNotes } from './rules/referenced.ts';
import { findRelated } from './rules/related.ts';
import type { RuleName, Trial } from './rules/rules.ts';
import { keepShort } from './rules/short.ts';
import { chooseSimply } from './rules/simple.ts';
import { findTeasers, isReference } from './rules/teasers.ts';
import { dropFurniture, tidy } from './rules/tidy.ts';

/** In articles, what is more likely noise than content is a caption, a teaser, a sign-up box. */
const articleLeast = { recall: 0.35, balanced: 0.6, precision: 0.6 };
const forumType = measuredTypes.indexOf('forum');
const articleType = measuredTypes.indexOf('article');
const documentationType = measuredTypes.indexOf('documentation');
const productType = measuredTypes.indexOf('product');
const listingType = measuredTypes.indexOf('listing');
const collectionType = measuredTypes.indexOf('collection');
/** A type more likely than this has a say in what counts as content. */
const sure = 0.6;
/** A page this likely to be a forum's is read as a thread. */
const thread = 0.4;
/** From this probability on, a page may be of a type; */
const possible = 0.15;
/** from this one on, it is treated as an article; */
const likely = 0.5;
/** from this one on, also parts that other page types consist of are doubted. */
const certain = 0.8;
/** Factor for a probability if the markup is evidence against it. */
const doubt = 0.3;
/** Factor for the probability of a teaser: some lists in articles look the same. */
const teaser = 0.5;
/** And where a heading says that other articles follow. */
const relatedTrust = 0.2;
/** How many times as much recall counts as precision. */
const beta = { recall: 1.5, balanced: 1, precision: 0.5 };
const reviewBit = kindBit('review');
const rows = new RowWriter();

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
	const titles = types[articleType]! > sure ? undefined : facts.titles;
	const isThread = types[forumType]! > thread;
	const task: Choice = { segments, facts, types, favor, contentType };
	const keep = chooseBlocks(task, () => {
		const features = blockFeatures(segments, facts, model.scales, rows);
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
export function chooseBlocks(task: Choice, judge: () => Float64Array): Flags {
	const { segments, trial } = task;
	const simple = chooseSimply(segments, task.facts);
	if (simple !== undefined) trial?.fired.add('simple');
	if (simple === undefined || trial?.without.has('simple')) return decide(task, judge());
	const others = findOthers(segments, task.facts, kindOf(task), trial);
	const judged = Float64Array.from(segments.blocks, (block, i) => (others[i] || isNotice(block) ? 0 : 1));
	const kept = guarded(segments, simple, simple, judged);
	dropFurniture(segments, kept);
	dropBreadcrumbs(segments, task.facts, kept);
	return guarded(segments, kept, withoutCopies(segments, kept), judged);
}

/** From probabilities to a choice: doubts, the best set in expectation, then what the markup says for certain. */
function decide(task: Choice, alone: Float64Array): Flags {
	const { segments, facts, types, favor, trial } = task;
	const { blocks, roles } = segments;
	/** Whether a rule applies. */
	const uses = (rule: RuleName, isMet: boolean): boolean => {
		if (isMet) trial?.fired.add(rule);
		return isMet && !trial?.without.has(rule);
	};
	// Doubted parts are mostly noise. For the most recall they count fully, except other articles.
	const doubts = favor !== 'recall';
	const side = favor ?? 'balanced';
	const article = types[articleType]! > likely;
	const certainly =
		types[articleType]! > certain || (article && isDeclaredArticle(facts) && facts.ogType === 'article');
	const kind = kindOf(task);
	const probabilities = uses('roles', !kind.isDocumentation) ? judgeTogether(roles, blocks, alone) : alone;
	const teasers = uses('teasers', certainly) ? findTeasers(segments, probabilities) : undefined;
	const related = uses('related', certainly) ? findRelated(segments) : undefined;
	const trust = uses('trust', article) ? new ArticleTrust(segments) : undefined;
	const doubtsReferences = uses('reference', doubts && certainly);
	const doubtsReviews = uses('reviews', doubts && types[productType]! > sure);
	const dropsFooters = uses('footer', true);
	const others = findOthers(segments, facts, kind, trial);
	const judge = (block: Block, i: number): number => {
		if (others[i]) return 0;
		const { kinds } = block.box;
		let p = probabilities[i]! * (related?.[i] ? relatedTrust : teasers?.[i] ? teaser : 1);
		if (block.box.hidden || (dropsFooters && isInFooter(block.box)) || isNotice(block)) return 0;
		const trusted = trust?.judge(block, p) ?? p;
		p = doubts ? trusted : Math.max(p, trusted);
		if (doubtsReferences && isReference(block)) return p * doubt;
		if (doubtsReviews && kinds & reviewBit) return p * doubt;
		return p;
	};
	const judged = new Float64Array(blocks.length);
	for (let i = 0; i < blocks.length; i++) judged[i] = judge(blocks[i]!, i);
	const chosen = choose(blocks, judged, beta[side], uses('least', certainly) ? articleLeast[side] : 0);
	if (uses('declaredNeeds', facts.needed.length > 0))
		for (const i of declaredNeeds(segments, facts)) chosen[i] = judged[i]! > 0 ? 1 : 0;
	const steps: [RuleName, (keep: Flags) => Flags][] = [
		['tidy', (keep) => tidy(segments, keep, kind, trial)],
		[
			'holes',
			(keep) => (kind.isThread || kind.isList ? keep : keepHoles(segments, keep, judged, kind.isDocumentation)),
		],
		['short', (keep) => (kind.mayBeDocumentation ? keepShort(segments, keep, judged) : keep)],
		['rankings', (keep) => (kind.isThread ? keep : keepRankings(segments, keep, judged))],
		['needed', (keep) => keepNeeded(segments, keep)],
		['notes', (keep) => keepNotes(segments, keep)],
		['heads', (keep) => (kind.isList ? keep : keepHeads(segments, keep, facts.titles))],
		['copies', (keep) => (kind.isDocumentation ? keep : withoutCopies(segments, keep))],
		['quotations', (keep) => (kind.isDocumentation ? keep : withoutRepeatedQuotations(segments, keep))],
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
function guarded({ blocks }: Segments, before: Flags, after: Flags, judged: Float64Array): Flags {
	const kept = flagsOf(blocks, (_, i) => after[i] === 1 && judged[i]! > 0);
	return wordsOf(blocks, kept) < left * wordsOf(blocks, before) ? before.slice() : kept;
}

const left = 0.25;

/** A page with text outside menus and footers is never empty: if next to nothing is selected, all of that text is. */
function fallback({ blocks }: Segments, keep: Flags, judged: Float64Array): Flags {
	const kept = wordsOf(blocks, keep);
	if (kept >= nearlyEmpty) return keep;
	const all = flagsOf(
		blocks,
		(block, i) => judged[i]! > 0 && !isInFurniture(block.box) && block.linked < 0.5 * block.size.chars,
	);
	return wordsOf(blocks, all) >= some ? all : keep;
}

/** The most words of a selection that counts as empty, and the fewest of a page with text. */
const nearlyEmpty = 15;
const some = 40;

function wordsOf(blocks: readonly Block[], keep: Flags): number {
	let words = 0;
	for (let i = 0; i < blocks.length; i++) if (keep[i]) words += blocks[i]!.size.words;
	return words;
}

function kindOf({ types, facts, contentType }: Choice): PageKind {
	const isThread = types[forumType]! > thread;
	const isList = types[listingType]! + types[collectionType]! > likely;
	const isArticle = isDeclaredArticle(facts) || types[articleType]! > likely;
	return {
		isThread,
		mayBeDocumentation: types[documentationType]! >= possible && !isThread && !isList && !isArticle,
		isDocumentation:
			types[documentationType]! > likely || contentType === 'documentation' || isDocumented(facts.software),
		isDeclaredArticle: isDeclaredArticle(facts),
		isProduct: contentType === 'product' && (types[productType]! >= types[collectionType]! || facts.products === 1),
		isList,
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
const noScripts =
	/^[^.!?]{0,80}\b(?:enable|turn(?:ing)? on|activate|allow|switch on)\s+(?:your\s+)?java ?script\b(?=.*\b(?:to|your browser|this|site|page)\b)|\bjava ?script\s+(?:is|seems to be|appears to be|must be|needs to be|has been)\s+(?:\w+\s+)?(?:disabled|required|turned off|blocked|not|enabled|activated)|\b(?:requires?|needs?)\s+java ?script\b|java ?script.{0,40}(?:aktivier|activ|habilit|включ|активир|有効|启用|啟用|활성)|(?:aktivier|activez|activa|habilit|включите|активируйте|启用|啟用).{0,40}java ?script/i;
const maxNotice = 30;

const isNotice = ({ size, text, linked }: Block): boolean =>
	size.words <= maxNotice && linked === 0 && text.includes('cript') && noScripts.test(text);

/** The content as plain text, one line per block. */
export function toText({ kept }: Selection): string {
	return kept.map((block) => block.text).join('\n');
}
