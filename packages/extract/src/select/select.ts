import type { Block, Segments } from './blocks.ts';
import { choose } from './choose.ts';
import { MEASURED_TYPES } from './classify.ts';
import type { Facts } from './facts.ts';
import { blockFeatures, pageFeatures } from './features.ts';
import { predict } from './forest.ts';
import { mark, type Selection } from './mark.ts';
import type { Model } from './model.ts';
import { tidy } from './tidy.ts';

/** Pages with fewer words than this have no boilerplate worth telling apart by measure. */
const SMALL_PAGE = 60;
/** Hidden parts are content only when a reader opens them, as a tab: then they are not as small as this. */
const SMALL_HIDDEN = 25;
/** In articles, what is more likely noise than content is a caption, a teaser, a sign-up box. */
const ARTICLE_LEAST = 0.55;
const FORUM = MEASURED_TYPES.indexOf('forum');
const ARTICLE = MEASURED_TYPES.indexOf('article');

/** Chooses the main content: each block is judged in its place on the page, then all are weighed together. */
export function select(segments: Segments, facts: Facts, types: readonly number[], model: Model): Selection {
	const chosen = chooseBlocks(segments, facts, types, model);
	return mark(segments, tidy(segments, chosen, types[FORUM]! > 0.4));
}

function chooseBlocks(segments: Segments, facts: Facts, types: readonly number[], model: Model): boolean[] {
	const { blocks } = segments;
	const words = blocks.reduce((sum, block) => sum + (block.box.hidden ? 0 : block.size.words), 0);
	if (words > 0 && words < SMALL_PAGE) return blocks.map((block) => !block.box.hidden && !isFurniture(block));
	const page = [...pageFeatures(segments, facts), ...types];
	const features = blockFeatures(segments, facts, model.lexicons, page);
	return decide(segments, predict(model.blocks, features), types);
}

/** From probabilities to a choice. */
export function decide({ blocks }: Segments, probabilities: ArrayLike<number>, types: readonly number[]): boolean[] {
	const judged = blocks.map((block, i) => (isSmallAndHidden(block, blocks) ? 0 : probabilities[i]!));
	return choose(blocks, judged, types[ARTICLE]! > 0.6 ? ARTICLE_LEAST : 0);
}

function isSmallAndHidden({ box }: Block, blocks: readonly Block[]): boolean {
	if (!box.hidden) return false;
	let top = box;
	while (top.parent?.hidden) top = top.parent;
	let words = 0;
	for (let i = top.start; i < top.end && words < SMALL_HIDDEN; i++) words += blocks[i]!.size.words;
	return words < SMALL_HIDDEN;
}

function isFurniture({ box }: Block): boolean {
	for (let up: typeof box | null = box; up !== null; up = up.parent) {
		const { tag } = up.element;
		if (tag === 'nav' || tag === 'footer' || tag === 'dialog') return true;
	}
	return false;
}

/** The content as plain text, one line per block. */
export function toText({ kept }: Selection): string {
	return kept.map((block) => block.text).join('\n');
}
