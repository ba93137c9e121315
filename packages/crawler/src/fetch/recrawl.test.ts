import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrawlOptions } from '../config/options.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage, type TestRequest } from '../testing/web.ts';

const sites = useSites();
const hour = 3600_000;
let store: Store;
beforeEach(async () => {
	store = await openStore('memory');
});
afterEach(() => store.close());

/** A page that answers 304 to what it gave out before. */
const validated =
	(etag: string, body: string) =>
	({ headers }: TestRequest) =>
		(headers['if-none-match'] ?? '').split(', ').includes(etag)
			? { status: 304 }
			: { headers: { 'Content-Type': 'text/html', ETag: etag }, body };

describe('the second crawl', () => {
	async function twice() {
		const first = await sites.crawl(['h.test/'], { store });
		sites.clock.advance(hour);
		const before = sites.web.log.length;
		const second = await sites.crawl(['h.test/'], { store });
		return { first, second, requests: sites.web.log.slice(before) };
	}

	it('AWI-25 AWI-26 CB-46 CB-47 304: the document stays as it was', async () => {
		await sites.serve({ 'h.test/': validated('"1"', htmlPage('Home')) });
		const { first, second, requests } = await twice();
		expect(second.summary.mode).toBe('refresh');
		expect(second.ends).toEqual({ 'h.test/': 'unchanged not-modified' });
		expect(requests.find(({ path }) => path === '/')?.headers['if-none-match']).toBe('"1"');
		const { document } = second.results[0]!;
		expect(document?.cache).toEqual({ status: 'stale_revalidated', origin_contacted: true, body_fetched: false });
		expect(document?.source).toEqual({ ...first.results[0]?.document?.source, freshness_policy: 'force_refresh' });
		expect(document?.content).toEqual(first.results[0]?.document?.content);
		const kept = await store.pages.snapshot(sites.url('h.test/'));
		expect(kept!.checkedAt - kept!.fetchedAt).toBeGreaterThanOrEqual(hour);
	});

	it('AMB-12 a 304 that does not repeat the terms of the header leaves them as they were (RFC 9111 §3.2)', async () => {
		const given = validated('"1"', htmlPage('Home'));
		let tags: string | undefined = 'nosnippet';
		await sites.serve({
			'h.test/': (request) => {
				const answer = given(request);
				const headers = { ...answer.headers, ...(tags && { 'X-Robots-Tag': tags }) };
				tags = undefined;
				return { ...answer, headers };
			},
		});
		const { first, second } = await twice();
		expect(first.results[0]?.policy?.uses).toMatchObject({ summarise: 'deny' });
		expect(second.ends).toEqual({ 'h.test/': 'unchanged not-modified' });
		expect(second.results[0]?.policy).toEqual(first.results[0]?.policy);
		tags = 'nofollow';
		const third = await sites.crawl(['h.test/'], { store });
		expect(third.results[0]?.policy?.uses).not.toHaveProperty('summarise');
		expect((await store.pages.snapshot(sites.url('h.test/')))?.policy).toEqual(third.results[0]?.policy);
	});

	it('a page that leads elsewhere by now has no document of its own any more', async () => {
		let moved = false;
		await sites.serve({
			'h.test/': htmlPage('Home', ['/a', '/b']),
			'h.test/a': () => (moved ? { status: 301, headers: { Location: '/b' } } : htmlPage('A')),
			'h.test/b': htmlPage('B'),
		});
		await sites.crawl(['h.test/'], { store });
		moved = true;
		const { ends } = await sites.crawl(['h.test/'], { store });
		expect(ends['h.test/a']).toBe('fetched redirected');
		const given = [];
		for await (const results of store.pages.results())
			given.push(...results.map(({ document }) => document?.identity.title));
		expect(given).toEqual(['Home', 'B']);
		moved = false;
		await sites.crawl(['h.test/'], { store });
		const back = [];
		for await (const results of store.pages.results())
			back.push(...results.map(({ document }) => document?.identity.title));
		expect(back).toEqual(['Home', 'A', 'B']);
	});

	it('CB-48 the same bytes under another tag are unchanged', async () => {
		await sites.serve({
			'h.test/': ({ times }) => ({
				headers: { 'Content-Type': 'text/html', ETag: `"${times}"` },
				body: htmlPage('Home'),
			}),
		});
		const { second, requests } = await twice();
		expect(second.ends).toEqual({ 'h.test/': 'unchanged same-content' });
		expect(second.results[0]?.document?.cache).toEqual({
			status: 'refreshed',
			origin_contacted: true,
			body_fetched: true,
		});
		expect(requests.find(({ path }) => path === '/')?.headers['if-none-match']).toBe('"0"');
	});

	it.each([
		['favor', { favor: 'recall' }],
		['economics', { economics: true }],
	] as const)(
		'other than before, %s has the page read anew though it has not changed, and once',
		async (_, options) => {
			await sites.serve({ 'h.test/': validated('"1"', htmlPage('Home')) });
			const reader: typeof simpleReader = async (source) => {
				const { document, ...rest } = await simpleReader(source);
				const economics = { output_tokens_approx: 1 } as never;
				const content = { markdown: `read with ${source.favor}, ${source.economics}` };
				return { ...rest, document: { ...document, content, ...(source.economics && { economics }) } };
			};
			const read = (more: CrawlOptions) => sites.crawl(['h.test/'], { store, ...more }, reader);
			await read({});
			const otherwise = await read(options);
			expect(otherwise.ends).toEqual({ 'h.test/': 'unchanged same-content' });
			const { favor, economics = false } = options as CrawlOptions;
			const markdown = `read with ${favor}, ${economics}`;
			expect(otherwise.results[0]?.document?.content).toEqual({ markdown });
			expect((await store.pages.snapshot(sites.url('h.test/')))?.document.content).toEqual({ markdown });
			const again = await read(options);
			expect(again.ends).toEqual({ 'h.test/': 'unchanged not-modified' });
			expect(again.results[0]?.document?.content).toEqual({ markdown });
		},
	);

	it('favor leaves what is no HTML as it is: a text is not asked for again in full', async () => {
		const text = ({ headers }: TestRequest) =>
			headers['if-none-match'] === '"1"'
				? { status: 304 }
				: { headers: { 'Content-Type': 'text/plain', ETag: '"1"' }, body: 'Some text.' };
		await sites.serve({ 'h.test/': text });
		await sites.crawl(['h.test/'], { store });
		const { ends } = await sites.crawl(['h.test/'], { store, favor: 'recall' });
		expect(ends).toEqual({ 'h.test/': 'unchanged not-modified' });
	});

	it('CB-49 a suffix for the coding is taken off where the server forgets it', async () => {
		await sites.serve({
			'h.test/': ({ headers }: TestRequest) =>
				(headers['if-none-match'] ?? '').includes('W/"a"')
					? { status: 304 }
					: { headers: { 'Content-Type': 'text/html', ETag: 'W/"a-gzip"' }, body: htmlPage('Home') },
		});
		expect((await twice()).second.ends).toEqual({ 'h.test/': 'unchanged not-modified' });
	});

	it('Last-Modified serves as well', async () => {
		const date = 'Sat, 28 Nov 2026 00:00:00 GMT';
		await sites.serve({
			'h.test/': ({ headers }: TestRequest) =>
				headers['if-modified-since'] === date
					? { status: 304 }
					: { headers: { 'Content-Type': 'text/html', 'Last-Modified': date }, body: htmlPage('Home') },
		});
		expect((await twice()).second.ends).toEqual({ 'h.test/': 'unchanged not-modified' });
	});

	it('fetches changed pages, reports gone ones, finds new ones', async () => {
		await sites.serve({
			'h.test/': ({ times }) => htmlPage(`Home ${times}`, times === 0 ? ['/old'] : ['/new']),
			'h.test/old': ({ times }) => (times === 0 ? htmlPage('Old') : 404),
			'h.test/new': htmlPage('New'),
		});
		const { second } = await twice();
		expect(second.ends).toEqual({ 'h.test/': 'fetched', 'h.test/old': 'gone http-404', 'h.test/new': 'fetched' });
		expect(second.results[0]?.document?.cache.status).toBe('refreshed');
	});

	it('the target of a redirect is asked conditionally', async () => {
		await sites.serve({
			'h.test/': { status: 301, headers: { Location: '/start' } },
			'h.test/start': validated('"1"', htmlPage('Start')),
		});
		const { second } = await twice();
		expect(second.ends).toEqual({ 'h.test/': 'fetched redirected', 'h.test/start': 'unchanged not-modified' });
	});

	it('CB-45 304 to a request that did not ask is an error', async () => {
		await sites.serve({ 'h.test/': 304 });
		expect((await sites.crawl(['h.test/'])).ends).toEqual({ 'h.test/': 'failed 304-without-request' });
	});
});

describe('a site that does not answer in a cycle', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'wayleave-cycle-'));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	/** `down`: the sites that answer nothing but 500, by cycle; `closed`: those that forbid everything. */
	async function cycles(options: { down: string[]; closed?: string[] }[], more: CrawlOptions = {}) {
		const file = join(folder, 'out.jsonl');
		let now = options[0]!;
		const page = (host: string, body: string) => () => (now.down.includes(host) ? 500 : body);
		await sites.serve({
			'h.test/': page('h.test', htmlPage('Home', ['/1', '/2'])),
			'h.test/1': page('h.test', htmlPage('One')),
			'h.test/2': page('h.test', htmlPage('Two')),
			'h.test/robots.txt': () => {
				if (now.down.includes('h.test')) return 500;
				return now.closed?.includes('h.test') ? plain('User-agent: *\nDisallow: /') : 404;
			},
			'g.test/': htmlPage('Other'),
		});
		for (now of options) {
			await sites.crawl(['h.test/', 'g.test/'], {
				...more,
				store,
				sinks: [jsonlSink(file, { outcomes: more.everyOutcome === true })],
			});
			// The terms of a site are good for a day.
			sites.clock.advance(25 * hour);
		}
		const lines = readFileSync(file, 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line));
		const told = lines.map(({ url, outcome, reason, document }) =>
			[new URL(url).hostname + new URL(url).pathname, reason ?? outcome, document?.identity.title].join(' '),
		);
		const exported: string[] = [];
		for await (const results of store.pages.results())
			for (const { url } of results) exported.push(new URL(url).hostname + new URL(url).pathname);
		return { told: told.sort(), exported: exported.sort() };
	}
	const up = { down: [] };
	const down = { down: ['h.test'] };
	const whole = [
		'g.test/ same-content Other',
		...['Home', 'One', 'Two'].map((title, at) => `h.test/${at || ''} robots-unreachable ${title}`),
	];

	it('keeps its lines in the file of that cycle: the last known documents, and why they are no newer', async () => {
		const { told, exported } = await cycles([up, down]);
		expect(told).toEqual(whole);
		expect(exported).toEqual(['g.test/', 'h.test/', 'h.test/1', 'h.test/2']);
	});

	it('with a line for every outcome each page has one', async () => {
		expect((await cycles([up, down], { everyOutcome: true })).told).toEqual(whole);
	});

	it('has none of what it had closed before, and is asked again in the next cycle', async () => {
		const closed = { down: [], closed: ['h.test'] };
		expect(await cycles([up, closed, down])).toEqual({ told: ['g.test/ same-content Other'], exported: ['g.test/'] });
		expect((await cycles([up, down, up])).told.length).toBe(4);
	});
});

it('a page that has moved to one that cannot be had has no document any more, and that one its last known', async () => {
	let moved = false;
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-moved-'));
	const file = join(folder, 'out.jsonl');
	await sites.serve({
		'h.test/': htmlPage('Home', ['/old', '/new']),
		'h.test/old': () => (moved ? { status: 301, headers: { Location: '/new' } } : htmlPage('Old')),
		'h.test/new': () => (moved ? 500 : htmlPage('New')),
	});
	for (moved of [false, true]) {
		await sites.crawl(['h.test/'], { store, sinks: [jsonlSink(file)], retries: 0 });
		sites.clock.advance(hour);
	}
	const lines = readFileSync(file, 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));
	rmSync(folder, { recursive: true });
	const told = lines.map(({ url, reason, document }) => [new URL(url).pathname, reason, document.identity.title]);
	expect(told.sort()).toEqual([
		['/', 'same-content', 'Home'],
		['/new', 'http-500', 'New'],
	]);
	const exported: string[] = [];
	for await (const results of store.pages.results()) exported.push(...results.map(({ url }) => new URL(url).pathname));
	expect(exported).toEqual(['/', '/new']);
});

describe('one page', () => {
	beforeEach(() =>
		sites.serve({
			'h.test/': validated('"1"', htmlPage('Home')),
			'h.test/moved': { status: 302, headers: { Location: '/' } },
		}),
	);

	it('AWI-16 AWI-19 AWI-20 AWI-22 AWI-23 AWI-26 miss, then hit', async () => {
		const miss = await sites.fetch('h.test/', { store });
		expect(miss.outcome).toBe('fetched');
		expect(miss.document?.cache).toEqual({ status: 'miss', origin_contacted: true, body_fetched: true });
		const count = sites.web.log.length;
		sites.clock.advance(hour);
		const hit = await sites.fetch('h.test/', { store });
		expect(hit).toMatchObject({ outcome: 'unchanged', reason: 'cached' });
		expect(hit.document?.cache).toEqual({ status: 'hit', origin_contacted: false, body_fetched: false });
		expect(sites.web.log.length).toBe(count);
		expect(hit.document?.source).toEqual(miss.document?.source);
		expect(hit.document?.source).toMatchObject({ status_code: 200, freshness_policy: 'cache_first' });
		expect(hit.document?.source.fetched_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
	});

	it('AWI-20 AWI-25 AWI-26 force_refresh answered by 304', async () => {
		const miss = await sites.fetch('h.test/', { store });
		sites.clock.advance(hour);
		const fresh = await sites.fetch('h.test/', { store, freshnessPolicy: 'force_refresh' });
		expect(fresh.document?.cache).toEqual({ status: 'stale_revalidated', origin_contacted: true, body_fetched: false });
		expect(fresh.document?.source).toMatchObject({
			fetched_at: miss.document?.source.fetched_at,
			freshness_policy: 'force_refresh',
		});
		expect(fresh.document?.content).toEqual(miss.document?.content);
	});

	it('AWI-20 AWI-24 AWI-26 force_refresh answered by a body', async () => {
		await sites.serve({ 'h.test/': ({ times }) => htmlPage(`Home ${times}`) });
		await sites.fetch('h.test/', { store });
		const fresh = await sites.fetch('h.test/', { store, freshnessPolicy: 'force_refresh' });
		expect(fresh.document?.cache).toEqual({ status: 'refreshed', origin_contacted: true, body_fetched: true });
		expect(fresh.document?.source.freshness_policy).toBe('force_refresh');
	});

	it('AWI-14 redirects are followed, and the snapshot is found again under both addresses', async () => {
		const result = await sites.fetch('h.test/moved', { store });
		expect(result).toMatchObject({
			url: sites.url('h.test/moved'),
			redirectedTo: sites.url('h.test/'),
			outcome: 'fetched',
		});
		expect(result.document?.source.url).toBe(sites.url('h.test/'));
		for (const seed of ['h.test/moved', 'h.test/']) expect((await sites.fetch(seed, { store })).reason).toBe('cached');
	});

	it('the terms of the site hold', async () => {
		await sites.serve({ 'h.test/': htmlPage('Home'), 'h.test/robots.txt': plain('User-agent: *\nDisallow: /\n') });
		expect(await sites.fetch('h.test/')).toMatchObject({
			outcome: 'refused',
			reason: 'robots-disallow',
			evidence: [{ line: 2 }],
		});
		expect(sites.pages('h.test')).toEqual([]);
	});

	it('the pace of the host holds from one call to the next', async () => {
		await sites.fetch('h.test/', { store, freshnessPolicy: 'force_refresh' });
		await sites.fetch('h.test/', { store, freshnessPolicy: 'force_refresh' });
		expect(Math.min(...sites.gaps('h.test'))).toBeGreaterThanOrEqual(2000);
	});
});

it.each([
	[401, 'refused'],
	[402, 'refused'],
	[403, 'refused'],
	[451, 'refused'],
	[404, 'gone'],
	[410, 'gone'],
	[418, 'failed'],
])('AWI-04 AWI-79 %d is final: %s, no document, no second try', async (status, outcome) => {
	const picky = ({ headers }: TestRequest) =>
		/mozilla/i.test(headers['user-agent'] ?? '') ? htmlPage('For browsers') : status;
	await sites.serve({ 'h.test/': picky });
	const { results } = await sites.crawl(['h.test/']);
	expect(results).toMatchObject([{ outcome, reason: `http-${status}`, status }]);
	expect(results[0]?.document).toBeUndefined();
	expect(sites.pages('h.test')).toEqual(['/']);
	for (const { headers } of sites.web.log) {
		expect(headers['user-agent']).toMatch(/^AIWebIndex\/2\.0/);
		expect(headers.authorization ?? headers.cookie).toBeUndefined();
	}
});

it.each([500, 502, 504, 522])('%d is tried again, a bounded number of times', async (status) => {
	await sites.serve({ 'h.test/': ({ times }) => (times < 2 ? status : htmlPage('Up')), 'i.test/': status });
	const { ends } = await sites.crawl(['h.test/', 'i.test/']);
	expect(ends).toEqual({ 'h.test/': 'fetched', 'i.test/': `failed http-${status}` });
	expect(sites.pages('i.test').length).toBe(3);
});

it.each([
	['image/png', '\x89PNG\r\n', 'failed unsupported-type'],
	['text/html', '%PDF-1.7', 'failed unsupported-type'],
	['text/html', 'a\0\x01\x02\x03b', 'failed unsupported-type'],
	['text/html', '<p>A page with a stray \0 in it', 'fetched'],
	['text/html; charset=utf-16le', 'T\0\x12\x04', 'fetched'],
	['application/json', '{}', 'failed unsupported-type'],
	['', htmlPage('Untyped'), 'fetched'],
	['application/octet-stream', htmlPage('Octets'), 'fetched'],
	['text/plain', '\n<!DOCTYPE html><html><title>x</title>', 'fetched'],
	['text/plain', 'just text', 'fetched'],
	['text/markdown; charset=utf-8', '# Title', 'fetched'],
	['application/xhtml+xml', htmlPage('X'), 'fetched'],
	['text/html, text/html; charset=utf-8', htmlPage('Twice in one line'), 'fetched'],
	['text/html charset=utf-8', htmlPage('No semicolon'), 'fetched'],
	['text/html; charset=utf-8, image/png', htmlPage('The last one counts'), 'failed unsupported-type'],
	['html', htmlPage('No type'), 'fetched'],
	['text/', '\x89PNG\r\n', 'failed unsupported-type'],
	['text/html', '', 'failed no-content'],
])('AMB-31 %o %o', async (type, body, end) => {
	await sites.serve({
		'h.test/': { headers: type === '' ? {} : { 'Content-Type': type }, body: Buffer.from(body, 'latin1') },
	});
	expect((await sites.crawl(['h.test/'])).ends['h.test/']).toBe(end);
});
