import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReceivedHeaders } from '../http/headers.ts';
import type { FetchResult, GetOptions } from '../http/types.ts';
import { RangeLists } from './lists.ts';
import { fileRangeStore, type RangeListStore, type StoredRangeList } from './store.ts';

const url = 'https://operator.test/ranges.json';
const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-01-01T00:00:00Z');

interface Request {
	readonly url: string;
	/** Minutes since the start. */
	readonly at: number;
	readonly headers: Readonly<Record<string, string>>;
}

type Reply = { status?: number; headers?: Record<string, string>; body?: string } | 'fails';

/** A publisher whose answer the test changes at will, by a clock of the test. */
function publisher(first: Reply = list('192.0.2.0/24')) {
	const requests: Request[] = [];
	const state = { reply: first as Reply | ((request: Request) => Reply), time: start };
	const fetcher = {
		async get(target: string, { headers = {} }: GetOptions = {}): Promise<FetchResult> {
			const request = { url: target, at: (state.time - start) / minute, headers };
			requests.push(request);
			const reply = typeof state.reply === 'function' ? state.reply(request) : state.reply;
			if (reply === 'fails') return { ok: false, url: target, reason: 'connect-failed', detail: 'ECONNREFUSED' };
			const body = new TextEncoder().encode(reply.body ?? '');
			return {
				ok: true,
				url: target,
				status: reply.status ?? 200,
				headers: new ReceivedHeaders(Object.entries(reply.headers ?? {})),
				body,
				truncated: false,
				wireBytes: body.length,
				httpVersion: '1.1',
				address: '192.0.2.99',
			};
		},
	};
	return { requests, state, fetcher, now: () => state.time };
}

function list(prefix: string, headers: Record<string, string> = {}, extra: object = {}) {
	const prefixes = prefix === '' ? [] : [{ [prefix.includes(':') ? 'ipv6Prefix' : 'ipv4Prefix']: prefix }];
	const data = { formatVersion: '1.0', synctoken: 'a', creationTime: '2026-01-01T00:00:00Z', prefixes, ...extra };
	return { headers, body: JSON.stringify(data) };
}

function memoryStore() {
	const kept = new Map<string, StoredRangeList>();
	const store: RangeListStore = {
		load: async (key) => kept.get(key),
		save: async (stored) => void kept.set(stored.url, stored),
	};
	return { kept, store };
}

function open(web: ReturnType<typeof publisher>, store?: RangeListStore) {
	return new RangeLists({ fetcher: web.fetcher, now: web.now, ...(store && { store }) });
}

/** Asks for a refresh every few minutes for some hours; gives the minutes at which requests were made. */
async function pester(web: ReturnType<typeof publisher>, lists: RangeLists, every: number, hours: number) {
	for (let passed = 0; passed <= hours * 60; passed += every) {
		web.state.time = start + passed * minute;
		await lists.refresh(url);
	}
	return web.requests.map(({ at }) => at);
}

describe('how often a list is asked for', () => {
	beforeEach(() => void vi.useFakeTimers({ now: start }));
	afterEach(() => void vi.useRealTimers());

	it('JAF-14 once a day from one URL, over three days', async () => {
		const web = publisher();
		const lists = new RangeLists({ fetcher: web.fetcher });
		lists.add(url);
		lists.start();
		const days: number[] = [];
		for (let passed = 0; passed < 72; passed++) {
			await vi.advanceTimersByTimeAsync(hour);
			days.push(web.requests.length);
		}
		lists.close();
		expect([days[22], days[46], days[70]]).toEqual([1, 2, 3]);
		expect(new Set(web.requests.map((request) => request.url))).toEqual(new Set([url]));
		await vi.advanceTimersByTimeAsync(72 * hour);
		expect(web.requests.length).toBeLessThanOrEqual(4);
	});

	it('a list that could not be had is asked for again before the day is over', async () => {
		const web = publisher('fails');
		const lists = new RangeLists({ fetcher: web.fetcher });
		lists.add(url);
		lists.start();
		await vi.advanceTimersByTimeAsync(0);
		web.state.reply = list('192.0.2.0/24');
		await vi.advanceTimersByTimeAsync(1.5 * hour);
		expect([web.requests.length, lists.lookup(url, '192.0.2.1').result]).toEqual([2, 'listed']);
		lists.close();
	});
});

describe('when a list may be asked for', () => {
	it('JAF-15 without caching headers not more than once an hour', async () => {
		const web = publisher();
		expect(await pester(web, open(web), 10, 5)).toEqual([0, 60, 120, 180, 240, 300]);
	});

	it.each([
		{ 'cache-control': 'no-cache' },
		{ 'cache-control': 'no-store, max-age=60' },
		{ 'cache-control': 'max-age=0' },
	])('JAF-15 %j permits no more', async (headers) => {
		const web = publisher(list('192.0.2.0/24', headers));
		expect(await pester(web, open(web), 10, 2)).toEqual([0, 60, 120]);
	});

	it.each([
		['fails'],
		[{ status: 500 }],
		[{ body: 'no list' }],
		[list('192.0.2.0/24', {}, { formatVersion: '2.0' })],
		[list('192.0.2.0/24', { 'content-type': 'application/jafar+json; version=2.0' })],
	] as Reply[][])('JAF-15 nor after a failure: %j', async (reply) => {
		const web = publisher(reply);
		const asked = await pester(web, open(web), 10, 12);
		const gaps = asked.slice(1).map((at, index) => at - asked[index]!);
		expect(asked.length).toBeGreaterThan(1);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60);
	});

	it('JAF-15 nor after a restart', async () => {
		const web = publisher('fails');
		const { store } = memoryStore();
		for (let passed = 0; passed < 60; passed += 10) {
			web.state.time = start + passed * minute;
			await open(web, store).refresh(url);
		}
		expect(web.requests.length).toBe(1);
	});

	it('JAF-15 a process that dies while it asks has asked', async () => {
		const web = publisher();
		const { store } = memoryStore();
		const never = new RangeLists({ fetcher: { get: () => new Promise(() => {}) }, now: web.now, store });
		void never.refresh(url);
		await new Promise(setImmediate);
		await open(web, store).refresh(url);
		expect(web.requests.length).toBe(0);
	});

	it('JAF-16 a lifetime under an hour permits more: after ten minutes, not after five', async () => {
		const web = publisher(list('192.0.2.0/24', { 'cache-control': 'public, max-age=600' }));
		expect(await pester(web, open(web), 5, 0.5)).toEqual([0, 10, 20, 30]);
	});

	it.each([
		[{ 'cache-control': 'max-age=172800' }, 48],
		[{ 'cache-control': 'max-age=60, s-maxage=172800' }, 48],
		[{ 'cache-control': 'max-age=172800', age: '86400' }, 24],
		[{ date: 'Thu, 01 Jan 2026 00:00:00 GMT', expires: 'Sat, 03 Jan 2026 00:00:00 GMT' }, 48],
	])('JAF-17 a longer lifetime is waited out: %j', async (headers, hours) => {
		const web = publisher(list('192.0.2.0/24', headers));
		expect(await pester(web, open(web), 30, 50)).toContain(hours * 60);
		expect(web.requests[1]?.at).toBe(hours * 60);
	});

	it('Retry-After of a refusal is kept', async () => {
		const web = publisher({ status: 503, headers: { 'retry-after': '10800' } });
		expect((await pester(web, open(web), 30, 5)).slice(0, 2)).toEqual([0, 180]);
	});

	it('callers at the same time share one request', async () => {
		const web = publisher();
		const lists = open(web);
		await Promise.all(Array.from({ length: 20 }, () => lists.refresh(url)));
		expect(web.requests.length).toBe(1);
	});
});

describe('effect of a response on a list', () => {
	async function poll(web: ReturnType<typeof publisher>, lists: RangeLists, reply: Reply, hours = 25) {
		web.state.reply = reply;
		web.state.time += hours * hour;
		return lists.refresh(url);
	}

	it('JAF-18 validators are sent, and a 304 keeps the list', async () => {
		const modified = 'Wed, 31 Dec 2025 10:00:00 GMT';
		const web = publisher(list('192.0.2.0/24', { etag: '"v1"', 'last-modified': modified }));
		const lists = open(web);
		await lists.refresh(url);
		const { confirmedAt } = await poll(web, lists, { status: 304 });
		expect(web.requests[1]!.headers).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': modified });
		expect(confirmedAt).toBe(web.state.time);
		expect(lists.lookup(url, '192.0.2.1')).toMatchObject({ result: 'listed', prefix: '192.0.2.0/24', stale: false });
		expect(lists.lookup(url, '192.0.3.1').result).toBe('not-listed');
	});

	it('JAF-17 a 304 that says nothing about caching leaves the lifetime as it was', async () => {
		const web = publisher(list('192.0.2.0/24', { etag: '"v1"', 'cache-control': 'max-age=172800' }));
		const lists = open(web);
		await lists.refresh(url);
		await poll(web, lists, { status: 304 }, 48);
		await poll(web, lists, { status: 304 }, 47);
		expect(web.requests.length).toBe(2);
	});

	it('JAF-22 the last good list stays in use after a refusal, and its validators with it', async () => {
		const web = publisher(list('192.0.2.0/24', { etag: '"good"' }));
		const lists = open(web);
		await lists.refresh(url);
		const refused = await poll(web, lists, list('198.51.100.0/24', { etag: '"bad"' }, { formatVersion: '2.0' }));
		expect(refused).toMatchObject({ ranges: 1, failures: 1, fault: 'ranges-unsupported-version' });
		expect(refused.problems.map(({ code }) => code)).toContain('ranges-unsupported-version');
		expect(lists.lookup(url, '192.0.2.1').result).toBe('listed');
		expect(lists.lookup(url, '198.51.100.1').result).toBe('not-listed');
		await poll(web, lists, { status: 304 });
		expect(web.requests.at(-1)!.headers['if-none-match']).toBe('"good"');
	});

	it.each([
		['application/jafar+json; version=2.0', 'not-listed'],
		['application/jafar+json;charset=utf-8; VERSION="3.1"', 'not-listed'],
		['application/jafar+json; version=1.9', 'listed'],
		['application/jafar+json', 'listed'],
		['application/json; version=2', 'listed'],
	])('JAF-21 AMB-146 the version in the media type counts: %s', async (contentType, result) => {
		const web = publisher(list('192.0.2.0/24'));
		const lists = open(web);
		await lists.refresh(url);
		await poll(web, lists, list('198.51.100.0/24', { 'content-type': contentType }));
		expect(lists.lookup(url, '198.51.100.1').result).toBe(result);
		expect(lists.lookup(url, '192.0.2.1').result).toBe(result === 'listed' ? 'not-listed' : 'listed');
	});

	it.each(['fails', { status: 404 }, { body: '<html>moved</html>' }, { body: '{"notice":"moved"}' }] as Reply[])(
		'JAF-22 nor does anything else replace it: %j',
		async (reply) => {
			const web = publisher();
			const lists = open(web);
			await lists.refresh(url);
			expect(await poll(web, lists, reply)).toMatchObject({ ranges: 1, failures: 1, stale: false });
			expect(lists.lookup(url, '192.0.2.1').result).toBe('listed');
			await poll(web, lists, reply);
			expect(lists.lookup(url, '192.0.2.1')).toMatchObject({ result: 'listed', stale: true });
		},
	);

	it('a changed list is used although its synctoken stayed', async () => {
		const web = publisher();
		const lists = open(web);
		await lists.refresh(url);
		const { problems } = await poll(web, lists, list('198.51.100.0/24'));
		expect(lists.lookup(url, '198.51.100.1').result).toBe('listed');
		expect(problems.map(({ code }) => code)).toEqual(['ranges-synctoken-unchanged']);
	});

	it('PB-20 the most specific range gives the service; PB-21 an empty list lists nobody', async () => {
		const prefixes = [
			{ ipv4Prefix: '198.51.100.0/22', service: 'generic' },
			{ ipv4Prefix: '198.51.100.0/24', service: 'AdsBot' },
		];
		const web = publisher(list('', {}, { prefixes }));
		const lists = open(web);
		await lists.refresh(url);
		expect(lists.lookup(url, '198.51.100.7').services).toEqual(['AdsBot']);
		expect(lists.lookup(url, '198.51.101.7').services).toEqual(['generic']);
		await poll(web, lists, list(''));
		expect(lists.lookup(url, '198.51.100.7')).toMatchObject({ result: 'empty', stale: false });
	});

	it('PB-22 a mapped address is found as IPv4', async () => {
		const web = publisher(list('66.249.64.0/19'));
		const lists = open(web);
		await lists.refresh(url);
		expect(lists.lookup(url, '::ffff:66.249.66.1').result).toBe('listed');
	});

	it('redirects are followed, but not from https to http, and not for ever', async () => {
		const web = publisher();
		web.state.reply = ({ url: asked }) =>
			asked === url ? { status: 302, headers: { location: '/elsewhere.json' } } : list('192.0.2.0/24');
		expect(await open(web).refresh(url)).toMatchObject({ ranges: 1 });
		web.state.reply = { status: 302, headers: { location: 'http://operator.test/a' } };
		expect(await open(web).refresh(url)).toMatchObject({ failures: 1, fault: 'http-302' });
		web.requests.length = 0;
		web.state.reply = { status: 302, headers: { location: '/again' } };
		await open(web).refresh(url);
		expect(web.requests.length).toBe(4);
	});

	it('a list that nobody knows, and one that never came, say nothing', async () => {
		const web = publisher('fails');
		const lists = open(web);
		expect(lists.lookup(url, '192.0.2.1')).toEqual({ result: 'unavailable', stale: true });
		expect(await lists.refresh(url)).toMatchObject({ stale: true, failures: 1, fault: 'connect-failed: ECONNREFUSED' });
		expect(lists.lookup(url, '192.0.2.1').result).toBe('unavailable');
		expect(lists.statuses().length).toBe(1);
	});
});

it('for any response: no request too early, and the last good list stays in use', async () => {
	const lifetime = fc.constantFrom(undefined, 0, 1, 600, 3600, 7200, 172_800);
	const kind = fc.constantFrom('good', 'same', 'newer version', 'broken', 'fails', 'refuses');
	const step = fc.record({
		wait: fc.integer({ min: 0, max: 3000 }),
		kind,
		lifetime,
		prefix: fc.integer({ min: 0, max: 255 }),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, restarts) => {
			const web = publisher('fails');
			const { store } = memoryStore();
			let lists = open(web, store);
			let good: string | undefined;
			let earliest = 0;
			for (const { wait, kind, lifetime, prefix } of steps) {
				web.state.time += wait * minute;
				const headers = { etag: '"e"', ...(lifetime !== undefined && { 'cache-control': `max-age=${lifetime}` }) };
				const text = `10.0.${prefix}.0/24`;
				const replies: Record<typeof kind, Reply> = {
					good: list(text, headers),
					same: { status: 304, headers },
					'newer version': list(text, headers, { formatVersion: '2.0' }),
					broken: { headers, body: '{' },
					fails: 'fails',
					refuses: { status: 403, headers },
				};
				web.state.reply = replies[kind];
				const before = web.requests.length;
				if (restarts) lists = open(web, store);
				await lists.refresh(url);
				if (web.requests.length > before) {
					expect(web.state.time).toBeGreaterThanOrEqual(earliest);
					const spoken = kind === 'good' || (kind === 'same' && good !== undefined);
					const seconds = spoken && lifetime !== undefined && lifetime > 0 ? Math.max(lifetime, 60) : 3600;
					earliest = web.state.time + seconds * 1000;
					if (kind === 'good') good = text;
				}
				const { result, prefix: found } = lists.lookup(url, (good ?? '10.0.0.0/24').replace('.0/24', '.1'));
				expect({ result, found }).toEqual(
					good === undefined ? { result: 'unavailable' } : { result: 'listed', found: good },
				);
			}
		}),
	);
});

describe('fileRangeStore', () => {
	let directory = '';
	beforeEach(() => {
		directory = mkdtempSync(join(tmpdir(), 'ranges-'));
	});
	afterEach(() => rmSync(directory, { recursive: true }));

	it('a list outlives a restart, without a request', async () => {
		const web = publisher(list('2001:db8::/32', { etag: '"v1"' }));
		await open(web, fileRangeStore(join(directory, 'deep/er'))).refresh(url);
		const again = open(web, fileRangeStore(join(directory, 'deep/er')));
		await again.refresh(url);
		expect([web.requests.length, again.lookup(url, '2001:db8::1').result]).toEqual([1, 'listed']);
		web.state.time += 25 * hour;
		await again.refresh(url);
		expect(web.requests[1]!.headers['if-none-match']).toBe('"v1"');
	});

	it.each([
		'',
		'{',
		'null',
		'[]',
		'{"url":"https://operator.test/ranges.json"}',
		'{"url":"other","earliest":0,"failures":0}',
	])('a file that holds %j counts as none', async (text) => {
		const web = publisher();
		const store = fileRangeStore(directory);
		await store.save({ url, earliest: 0, failures: 0 });
		const [file] = readdirSync(directory);
		writeFileSync(join(directory, file!), text);
		expect(await open(web, store).refresh(url)).toMatchObject({ ranges: 1 });
	});

	it('a clock that ran ahead when a list was saved keeps it neither from being asked for nor from growing old', async () => {
		const web = publisher(list('192.0.2.0/24', { 'cache-control': 'max-age=172800' }));
		const year = 365 * 24 * hour;
		web.state.time += year;
		await open(web, fileRangeStore(directory)).refresh(url);
		web.state.time -= year;
		const lists = open(web, fileRangeStore(directory));
		await lists.refresh(url);
		expect(lists.lookup(url, '192.0.2.1')).toMatchObject({ result: 'listed', stale: true });
		web.state.time += hour;
		expect(await lists.refresh(url)).toMatchObject({ stale: false, confirmedAt: web.state.time });
	});

	it('a directory that cannot be written costs nothing but the memory of it', async () => {
		writeFileSync(join(directory, 'file'), '');
		const web = publisher();
		expect(await open(web, fileRangeStore(join(directory, 'file/x'))).refresh(url)).toMatchObject({ ranges: 1 });
	});
});
