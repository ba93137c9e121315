import type { Segments } from './blocks.ts';
import { dropContents } from './contents.ts';
import type { Facts } from './facts.ts';
import { dropAppeals } from './others/appeals.ts';
import { dropControls } from './others/controls.ts';
import { dropData } from './others/data.ts';
import { dropLinkLists } from './others/link-lists.ts';
import { dropLinkedSeries } from './others/linked-series.ts';
import { dropOtherArticles } from './others/other-articles.ts';
import { dropReplies } from './others/replies.ts';
import { seriesOf } from './others/series.ts';
import type { PageKind } from './page-kind.ts';
import type { RuleName } from './rules.ts';

/** The blocks that belong to something other than the content of the page, regardless of their text. */
export function findOthers(
	segments: Segments,
	facts: Facts,
	kind: PageKind,
	without?: ReadonlySet<RuleName>,
): boolean[] {
	const { blocks, boxes } = segments;
	const uses = (rule: RuleName): boolean => !without?.has(rule);
	const series = seriesOf(boxes);
	const others: boolean[] = new Array(blocks.length).fill(false);
	const drop = (start: number, end: number): void => {
		others.fill(true, start, end);
	};
	if (!kind.isDocumentation && uses('data')) dropData(segments, drop);
	if (uses('contents')) dropContents(segments, drop);
	if (uses('controls')) dropControls(segments, kind, drop);
	if (!kind.isList && !kind.isHome && !kind.isThread && uses('linkLists')) dropLinkLists(segments, series, drop);
	if ((kind.isDeclaredArticle || kind.isProduct) && uses('linkedSeries'))
		dropLinkedSeries(segments, series, facts, kind, drop);
	if (!kind.isThread && !kind.isList && uses('replies')) dropReplies(segments, series, drop);
	if (!kind.isList && !kind.isDocumentation && uses('appeals')) dropAppeals(segments, drop);
	if (!kind.isHome && !kind.isThread && !kind.isDocumentation && uses('otherArticles'))
		dropOtherArticles(segments, facts, drop);
	return others;
}
