import type { Segments } from '../read/blocks.ts';
import type { Facts } from '../read/facts.ts';
import type { Flags } from '../read/flags.ts';
import { dropContents } from './contents.ts';
import { dropAppeals } from './others/appeals.ts';
import { dropControls } from './others/controls.ts';
import { dropData } from './others/data.ts';
import { dropLinkLists } from './others/link-lists.ts';
import { dropLinkedSeries } from './others/linked-series.ts';
import { dropOtherArticles } from './others/other-articles.ts';
import { dropReplies } from './others/replies.ts';
import { type Drop, seriesOf } from './others/series.ts';
import { dropSiteMenus } from './others/site-menus.ts';
import type { PageKind } from './page-kind.ts';
import type { RuleName, Trial } from './rules.ts';

/** The blocks that belong to something other than the content of the page, regardless of their text. */
export function findOthers(segments: Segments, facts: Facts, kind: PageKind, trial?: Trial): Flags {
	const { blocks, boxes, looks } = segments;
	const { isThread, isDocumentation, isDeclaredArticle, isProduct, isList, isHome } = kind;
	const series = seriesOf(boxes, looks);
	const others = new Uint8Array(blocks.length);
	const apply = (rule: RuleName, dropAll: (drop: Drop) => void): void => {
		if (trial?.without.has(rule)) return;
		dropAll((start, end) => {
			trial?.fired.add(rule);
			others.fill(1, start, end);
		});
	};
	if (isDocumentation) apply('siteMenus', (drop) => dropSiteMenus(segments, facts, drop));
	else apply('data', (drop) => dropData(segments, drop));
	apply('contents', (drop) => dropContents(segments, drop));
	apply('controls', (drop) => dropControls(segments, kind, drop));
	if (!isList && !isHome && !isThread) apply('linkLists', (drop) => dropLinkLists(segments, series, drop));
	if (isDeclaredArticle || isProduct)
		apply('linkedSeries', (drop) => dropLinkedSeries(segments, series, facts, kind, drop));
	if (!isThread && !isList) apply('replies', (drop) => dropReplies(segments, series, drop));
	if (!isList && !isDocumentation) apply('appeals', (drop) => dropAppeals(segments, drop));
	if (!isHome && !isThread && !isDocumentation)
		apply('otherArticles', (drop) => dropOtherArticles(segments, facts, drop));
	return others;
}
