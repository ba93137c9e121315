import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jsonlSink } from '../sinks/jsonl.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
let folder: string;
let store: Store;
beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-outcomes-'));
	store = await openStore('memory');
});
afterEach(async () => {
	await store.close();
	rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'out.jsonl');
const lines = () =>
	readFileSync(file(), 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as { url: string; outcome: string; reason?: string })
		.map(({ url, outcome, reason }) => `${new URL(url).hostname}${new URL(url).pathname} ${reason ?? outcome}`);
const crawl = (more = {}) =>
	sites.crawl(['h.test/'], {
		...{ store, sitemaps: false, everyOutcome: true, sinks: [jsonlSink(file(), { outcomes: true })] },
		...more,
	});
const links = [...Array(150).keys()].map((at) => `/p${at}`);

it('with every outcome, each URL has a line: out of scope and beyond the limit too', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home', [...links, 'http://x.test/']) });
	const began = sites.clock.now();
	const { results, summary } = await crawl({ maxPages: 1 });
	expect(lines()).toHaveLength(152);
	expect(new Set(lines()).size).toBe(152);
	expect(lines()).toContain('x.test/ other-host');
	expect(lines()).toContain('h.test/p149 max-pages');
	expect(results).toHaveLength(152);
	for (const { at } of results) expect(Date.parse(at)).toBeGreaterThanOrEqual(began);
	expect(Object.values(summary.totals).reduce((sum, count) => sum + count)).toBe(152);
});

it('a run that goes on tells what is new, not again what was out of scope', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/a', 'http://x.test/']),
		'h.test/a': htmlPage('A', ['http://y.test/']),
	});
	await crawl({ maxPages: 1 });
	expect(lines()).toEqual(['h.test/ fetched', 'h.test/a max-pages', 'x.test/ other-host']);
	await crawl();
	expect(lines().slice(3)).toEqual(['h.test/a fetched', 'y.test/ other-host']);
	await crawl();
	expect(lines().sort()).toEqual([
		'h.test/ same-content',
		'h.test/a same-content',
		'x.test/ other-host',
		'y.test/ other-host',
	]);
});

it('reports URLs deferred with their host, including a page that waited for a retry', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/slow', '/a', '/b']),
		'h.test/slow': { status: 500 },
		'h.test/a': { status: 429, headers: { 'Retry-After': '100000' } },
	});
	await crawl();
	expect(lines().sort()).toEqual([
		'h.test/ fetched',
		...['a', 'b', 'slow'].map((path) => `h.test/${path} rate-limited`),
	]);
});

it('without it they are only counted', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home', ['http://x.test/']) });
	const { results, summary } = await crawl({ everyOutcome: false });
	expect(results).toHaveLength(1);
	expect(summary.totals['out-of-scope']).toBe(1);
});

it('the table says what exactly happened where something failed or was put off, the most frequent first', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/1', '/2', '/3', '/busy']),
		'h.test/1': { headers: { 'Content-Type': 'image/png' }, body: 'x' },
		'h.test/2': { headers: { 'Content-Type': 'application/pdf' }, body: 'x' },
		'h.test/3': { headers: { 'Content-Type': 'application/pdf' }, body: 'x' },
		'h.test/busy': { status: 503, headers: { 'Retry-After': '100000' } },
	});
	const { summary } = await crawl();
	expect(summary.rows.find(({ reason }) => reason === 'unsupported-type')?.causes).toEqual([
		{ detail: 'application/pdf', count: 2, example: sites.url('h.test/2') },
		{ detail: 'image/png', count: 1, example: sites.url('h.test/1') },
	]);
	expect(summary.rows.find(({ reason }) => reason === 'rate-limited')?.causes).toMatchObject([{ count: 1 }]);
});
