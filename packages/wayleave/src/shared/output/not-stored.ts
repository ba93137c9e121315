import type { Reason, Summary, SummaryRow, Tally } from '@wayleave/crawler';
import { oneLine, placeOf, quantity } from '@wayleave/protocols/text';

/** A page that ends so goes to stdout alone. */
const reasons: ReadonlySet<Reason> = new Set<Reason>(['store-no', 'store-session-only']);

const isNotStored = ({ reason }: Pick<SummaryRow, 'reason'>): boolean => reason !== undefined && reasons.has(reason);

export const countNotStored = (rows: Tally['rows'] | Summary['rows']): number =>
	rows.reduce((sum, row) => sum + (isNotStored(row) ? row.count : 0), 0);

/** Pages that are there to be read; an address that only leads to another one is no page. */
const isPage = ({ outcome, reason }: SummaryRow): boolean =>
	(outcome === 'fetched' || outcome === 'unchanged') && reason !== 'redirected';

/** How many pages a crawl has read, and how many of them were kept. */
export function countPages(rows: Summary['rows']): { readonly read: number; readonly kept: number } {
	const count = (wanted: readonly SummaryRow[]) => wanted.reduce((sum, row) => sum + row.count, 0);
	const pages = rows.filter(isPage);
	return { read: count(pages), kept: count(pages.filter((row) => !isNotStored(row))) };
}

/** Reports pages that were read but not saved, the line that forbids it, and how to get them. */
export function notStoredText({ rows }: Pick<Summary, 'rows'>): string {
	const notStored = rows.filter((row) => isNotStored(row) && isPage(row));
	const because = notStored.flatMap((row) => row.because ?? []).sort((a, b) => b.count - a.count);
	const pages = countNotStored(notStored);
	const were = `${quantity(pages, 'page')} ${pages === 1 ? 'was' : 'were'} read but not saved`;
	const [first, ...others] = because;
	const them = pages === 1 ? 'it' : 'them';
	const why =
		first === undefined
			? 'because the site allows no copies'
			: `because the site says ${ruleText(first.evidence.text)} (${placeIn(first.evidence, others.length > 0)}${others.length > 0 ? `, and ${quantity(others.length, 'other line')}` : ''})`;
	return oneLine(`${were}, ${why}. Use --out - to pipe ${them} on.`);
}

const ruleText = (text: string): string => text.trim().replace(/[.]+$/, '');

/** `robots2.txt:12`; of several sites, which one. */
function placeIn(evidence: { readonly source: string; readonly line: number }, full: boolean): string {
	if (full || !URL.canParse(evidence.source)) return placeOf(evidence);
	const { pathname, search } = new URL(evidence.source);
	const path = `${pathname}${search}`.slice(1);
	return placeOf({ ...evidence, source: path === '' ? evidence.source : path });
}
