import type { Stats, Summary } from '@wayleave/crawler';
import { expect, it } from 'vitest';
import { frame } from '../../commands/crawl/progress.ts';
import { recordingTerminal } from '../../testing/recorder.ts';
import { coloursFor } from './colours.ts';
import { sitemapLines, summaryTable } from './summary.ts';

const plain = coloursFor(recordingTerminal('.'));
const none = { fetched: 0, unchanged: 0, gone: 0, refused: 0, failed: 0, deferred: 0, 'out-of-scope': 0 };
/** The summary of a run of which nothing is to be told. */
const nothing = { rows: [], totals: none, pending: 0, sitemaps: { read: 0, failed: 0 }, requests: 1, milliseconds: 1 };

it('on a narrow terminal every host still shows what it waits for, and no line is longer than the screen', () => {
	const host = { host: 'a.example', pending: 3, inFlight: 0, waiting: { until: 61_000, why: 'cooldown' } };
	const stats = { done: 1, pending: 3, inFlight: 0, outcomes: none, pagesPerSecond: 1, bytes: 1, milliseconds: 1 };
	const picture = frame({ ...stats, hosts: [host] } as unknown as Stats, 60_000, 44, plain);
	expect(picture).toContain('cooldown, 1.0 s');
	for (const line of picture.split('\n')) expect(line.length).toBeLessThanOrEqual(44);
});

it('the table says how many addresses it leaves out', () => {
	const row = {
		outcome: 'gone',
		reason: 'http-404',
		count: 1234,
		examples: ['https://a.example/', 'https://b.example/'],
	};
	const summary = { rows: [row], totals: { ...none, gone: 1234 }, pending: 0, sitemaps: { read: 0, failed: 0 } };
	const table = summaryTable({ ...summary, requests: 1, milliseconds: 1 } as unknown as Summary, plain);
	expect(table).toContain('https://b.example/\n                       … and 1,232 more\n');
});

it('a long address does not bury the table', () => {
	const row = {
		outcome: 'out-of-scope',
		reason: 'url-too-long',
		count: 1,
		examples: [`https://a.example/${'x'.repeat(9000)}`],
	};
	const summary = { rows: [row], totals: { ...none, 'out-of-scope': 1 }, pending: 0, sitemaps: { read: 0, failed: 0 } };
	const table = summaryTable({ ...summary, requests: 1, milliseconds: 1 } as unknown as Summary, plain);
	expect(table).toContain('https://a.example/xxx');
	expect(Math.max(...table.split('\n').map(({ length }) => length))).toBeLessThan(400);
});

it('a site of which the scripts make the pages is told, a few short pages are not', () => {
	const summary = { rows: [], totals: { ...none, fetched: 100 }, pending: 0, sitemaps: { read: 0, failed: 0 } };
	const table = (pages: number) => {
		const bare = { pages, example: 'https://a.example/app' };
		return summaryTable({ ...summary, bare, requests: 1, milliseconds: 1 } as unknown as Summary, plain);
	};
	expect(table(12)).toContain(
		'12 pages have little content without scripts, such as https://a.example/app: use --render auto',
	);
	expect(table(10)).toContain('10 pages have little');
	expect(table(9)).not.toContain('scripts');
});

it.each([
	[{ failed: 0 }, []],
	[
		{ failed: 1, example: { url: 'https://a.example/s.xml', reason: 'sitemap-unreadable' } },
		['1 sitemap could not be read, https://a.example/s.xml: the file is neither a sitemap nor a feed'],
	],
	[
		{ failed: 12, example: { url: 'https://a.example/s.xml', reason: 'too-many-redirects' } },
		['12 sitemaps could not be read, such as https://a.example/s.xml: more than ten redirects in a row'],
	],
] as const)('%j: sitemaps that could not be read are named, with the reason', (sitemaps, lines) => {
	expect(sitemapLines({ read: 0, ...sitemaps })).toEqual(lines);
});

it("unchanged pages that other options than today's have read are told, with what to do", () => {
	const table = (pages: number) =>
		summaryTable({ ...nothing, outdated: { pages, example: 'https://a.example/x' } } as unknown as Summary, plain);
	expect(table(12)).toContain(
		'12 unchanged pages kept their documents, made with other options (--favor, --economics)',
	);
	expect(table(1)).toContain('1 unchanged page kept its document, made with other options');
	expect(table(1)).toContain('https://a.example/x: use --refresh to fetch all again');
});

it('CB-75 the table names near duplicates, and hosts that are aliases', () => {
	const duplicates = {
		pages: 12,
		examples: [{ url: 'https://www.a.example/x', twin: 'https://a.example/x' }],
		aliases: [{ hosts: ['a.example', 'www.a.example'], pages: 11 }],
	};
	const table = summaryTable({ ...nothing, duplicates } as unknown as Summary, plain);
	expect(table).toContain('12 pages with nearly the same text as another page');
	expect(table).toContain('https://www.a.example/x is nearly the same as https://a.example/x\n  … and 11 more\n');
	expect(table).toContain('a.example and www.a.example have 11 pages in common');
	expect(summaryTable(nothing as unknown as Summary, plain)).not.toContain('another page');
});
