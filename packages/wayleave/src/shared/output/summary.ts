import {
	explainReason,
	type Outcome,
	outcomes,
	type SitemapTally,
	type Summary,
	type SummaryRow,
} from '@wayleave/crawler';
import { duration, oneLine, placeOf, quantity, shortAddress } from '@wayleave/protocols/text';
import type { Colours } from './colours.ts';
import { learnedLines } from './learned-text.ts';

const paint: Readonly<Record<Outcome, keyof Colours & ('green' | 'cyan' | 'yellow' | 'red' | 'dim')>> = {
	fetched: 'green',
	unchanged: 'cyan',
	gone: 'yellow',
	refused: 'yellow',
	failed: 'red',
	deferred: 'yellow',
	'out-of-scope': 'dim',
};

/** The table at the end of a crawl: every outcome, why, and for refusals the very line that decided. */
export function summaryTable(summary: Summary, colours: Colours): string {
	const lines = [`${'outcome'.padEnd(14)}${'pages'.padStart(7)}`];
	for (const outcome of outcomes) {
		const rows = summary.rows.filter((row) => row.outcome === outcome);
		const total = summary.totals[outcome];
		lines.push(colours[paint[outcome]](`${outcome.padEnd(14)}${String(total).padStart(7)}`));
		for (const row of rows) lines.push(...reasonLines(row, colours));
	}
	lines.push(
		'',
		...duplicateLines(summary, colours),
		...(summary.learned ?? []).flatMap((host) => learnedLines(host).map((line) => oneLine(`${host.host}: ${line}`))),
		...pauseLines(summary.paused),
		...bareLines(summary),
		...routeLines(summary),
		...outdatedLines(summary),
		...crowdedLines(summary),
		...sitemapLines(summary.sitemaps),
		closing(summary),
	);
	return `${lines.join('\n')}\n`;
}

function reasonLines(row: SummaryRow, colours: Colours): string[] {
	if (row.reason === undefined) return [];
	const count = String(row.count).padStart(21);
	const lines = [`${count}  ${row.reason}: ${explainReason(row.reason)}`];
	const causes = [
		...(row.because ?? []).map(({ evidence, ...more }) => ({
			...more,
			text: `${oneLine(placeOf(evidence))}  ${colours.bold(oneLine(evidence.text.trim()))}`,
		})),
		...(row.causes ?? []).map(({ detail, ...more }) => ({ ...more, text: oneLine(detail) })),
	];
	for (const { text, count, example } of causes) {
		lines.push(indent + text);
		const pages = count === 1 ? '' : `${quantity(count, 'page')}, such as `;
		lines.push(colours.dim(`${indent}  ${pages}${shortAddress(example)}`));
	}
	const explained = causes.reduce((sum, { count }) => sum + count, 0);
	const examples = causes.length > 0 ? [] : row.examples.slice(0, 3);
	for (const example of examples) lines.push(colours.dim(`${indent}${shortAddress(example)}`));
	const more = row.count - explained - examples.length;
	if (more > 0) lines.push(colours.dim(`${indent}… and ${more.toLocaleString('en')} more`));
	return lines;
}

const indent = ' '.repeat(23);

/** Pages that repeat others are kept and reported. */
function duplicateLines({ duplicates }: Summary, colours: Colours): string[] {
	if (duplicates === undefined) return [];
	const { pages, examples, aliases } = duplicates;
	return [
		`${quantity(pages, 'page')} with nearly the same text as another page (page.nearDuplicateOf)`,
		...examples.map(({ url, twin }) =>
			colours.dim(`  ${shortAddress(url)} is nearly the same as ${shortAddress(twin)}`),
		),
		...(pages > examples.length ? [colours.dim(`  … and ${(pages - examples.length).toLocaleString('en')} more`)] : []),
		...aliases.map(({ hosts, pages }) => `  ${hosts.join(' and ')} have ${quantity(pages, 'page')} in common`),
	];
}

/** A site that is made by scripts must not look like one that was read. A short page here and there is nothing to tell. */
function bareLines({ bare, totals }: Summary): string[] {
	if (bare === undefined || bare.pages * 10 < totals.fetched + totals.unchanged) return [];
	const pages = bare.pages === 1 ? '1 page has' : `${quantity(bare.pages, 'page')} have`;
	return [
		`${pages} little content without scripts, such as ${shortAddress(bare.example)}: use --render auto --refresh to render such pages in a browser`,
	];
}

/** Applications that show their pages by a route after `#` look like one page without a browser. */
function routeLines({ routes }: Summary): string[] {
	if (routes === undefined) return [];
	const { pages, example } = routes;
	const which = pages === 1 ? `1 link to a route after #` : `${quantity(pages, 'link')} to routes after #`;
	return [
		`${which}, such as ${shortAddress(example)}, read as the page before the #: use --render auto to open routes in a browser`,
	];
}

/** Other options than those of the crawl before count for what is asked for. */
function outdatedLines({ outdated }: Summary): string[] {
	if (outdated === undefined) return [];
	const { pages, example } = outdated;
	const documents = pages === 1 ? 'its document' : 'their documents';
	return [
		`${quantity(pages, 'unchanged page')} kept ${documents}, made with other options (--favor, --economics), such as ${shortAddress(example)}: use --refresh to fetch all again`,
	];
}

/** Only the first links of a page with very many are followed. */
function crowdedLines({ crowded }: Summary): string[] {
	if (crowded === undefined) return [];
	const { pages, links, example } = crowded;
	const which =
		pages === 1 ? `of ${shortAddress(example)}` : `of ${quantity(pages, 'page')} such as ${shortAddress(example)}`;
	return [`${quantity(links, 'link')} ${which} left out: the first 10,000 links of a page are taken`];
}

/** Hosts and URLs put off by their servers, until when, and how to continue sooner. */
export function pauseLines(paused: Summary['paused']): string[] {
	const { hosts = [], urls } = paused ?? {};
	const lines = hosts.map(
		({ host, until }) =>
			`${host} asked for a pause (429 or 503) until ${rfc3339(until)}: run the same command again then; --max-pause SECONDS waits for it, --pause-cap SECONDS ends it sooner`,
	);
	if (urls === undefined) return lines;
	const { count, until, example } = urls;
	const which = `${quantity(count, 'URL')} asked for a longer pause than the limit and ${count === 1 ? 'is' : 'are'} deferred`;
	return [
		...lines,
		`${which} until ${rfc3339(until)}${count === 1 ? '' : ' or later'}: ${shortAddress(example)}; --refresh requests ${count === 1 ? 'it' : 'them'} sooner`,
	];
}

const rfc3339 = (time: number): string => new Date(time).toISOString();

/** Those that could not be read: the pages that only they list are missing. */
export function sitemapLines({ failed, example }: SitemapTally): string[] {
	if (failed === 0) return [];
	const why = example === undefined ? '' : `: ${explainReason(example.reason)}`;
	const which = example === undefined ? '' : `${failed === 1 ? ', ' : ', such as '}${shortAddress(example.url)}`;
	return [`${quantity(failed, 'sitemap')} could not be read${which}${why}`];
}

function closing(summary: Summary): string {
	const known = Object.values(summary.totals).reduce((sum, count) => sum + count, 0) + summary.pending;
	const waiting = summary.pending > 0 ? `, ${quantity(summary.pending, 'page')} still waiting` : '';
	return `${quantity(known, 'URL')} known${waiting}; ${quantity(summary.requests, 'request')} in ${duration(summary.milliseconds)}`;
}
