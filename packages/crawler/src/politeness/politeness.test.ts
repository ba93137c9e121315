import { describe, expect, it } from 'vitest';
import { openStore } from '../store/sql/open.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage, type TestRequest } from '../testing/web.ts';

const sites = useSites();

describe('manners', () => {
	const five = {
		'h.test/': htmlPage('Home', ['/1', '/2', '/3', '/4']),
		...Object.fromEntries([1, 2, 3, 4].map((at) => [`h.test/${at}`, htmlPage(`${at}`)])),
	};
	const foreign = { ...five };

	it('AWI-68 REP-12 two seconds between any two requests of a host, two hosts at once', async () => {
		await sites.serve({ ...foreign, 'i.test/': htmlPage('I') });
		await sites.crawl(['h.test/', 'i.test/']);
		expect(Math.min(...sites.gaps('h.test'))).toBeGreaterThanOrEqual(2000);
		const first = (host: string) => sites.web.log.find((request) => request.host === host && request.path === '/')!.at;
		expect(Math.abs(first('h.test') - first('i.test'))).toBeLessThan(2000);
	});

	it.each([
		[5, 5000],
		[1, 2000],
		[0.01, 2000],
	])('AWI-69 CB-16 Crawl-delay: %d makes gaps of %d ms', async (delay, gap) => {
		await sites.serve({ ...foreign, 'h.test/robots.txt': plain(`User-agent: *\nCrawl-delay: ${delay}\n`) });
		await sites.crawl(['h.test/']);
		const ofPages = sites.gaps('h.test').slice(1);
		expect(Math.min(...ofPages)).toBeGreaterThanOrEqual(gap);
		expect(Math.max(...ofPages)).toBeLessThan(gap + 500);
	});

	it('R2-30 rate: 6 makes gaps of ten seconds', async () => {
		await sites.serve({ ...foreign, 'h.test/robots2.txt': plain('rate: 6\n') });
		await sites.crawl(['h.test/']);
		expect(Math.min(...sites.gaps('h.test').slice(1))).toBeGreaterThanOrEqual(10_000);
	});

	it('CB-14 a delay longer than we wait defers the site', async () => {
		await sites.serve({ ...foreign, 'h.test/robots.txt': plain('User-agent: *\nCrawl-delay: 100000\n') });
		const { ends } = await sites.crawl(['h.test/']);
		expect(ends['h.test/']).toBe('deferred crawl-delay-too-long');
		expect(sites.pages('h.test')).toEqual([]);
	});

	it.each([
		[19_000, 'deferred crawl-delay-too-long'],
		[21_000, 'fetched'],
	])('CB-14 the user says how long that is: with %d ms, Crawl-delay: 20 is %s', async (maxCrawlDelay, end) => {
		await sites.serve({ ...foreign, 'h.test/robots.txt': plain('User-agent: *\nCrawl-delay: 20\n') });
		const { ends } = await sites.crawl(['h.test/'], { maxCrawlDelay });
		expect(ends['h.test/']).toBe(end);
	});

	describe.each([429, 503])('%d', (status) => {
		it.each([
			['AWI-70 AWI-72 CB-130 Retry-After: 7', '7', 7000],
			['AWI-71 AWI-72 no Retry-After', undefined, 60_000],
			['AWI-73 an HTTP date', 'date', 30_000],
		])('%s', async (_, value, pause) => {
			const header = () => (value === 'date' ? new Date(sites.clock.now() + 30_000).toUTCString() : value);
			const busy = ({ times }: TestRequest) =>
				times === 0 ? { status, headers: value === undefined ? {} : { 'Retry-After': header()! } } : htmlPage('1');
			await sites.serve({
				...foreign,
				'h.test/1': busy,
				'i.test/': htmlPage('I', ['/1', '/2']),
				'i.test/1': htmlPage('1'),
				'i.test/2': htmlPage('2'),
			});
			const { ends, events } = await sites.crawl(['h.test/', 'i.test/']);
			expect(ends['h.test/1']).toBe('fetched');
			const at = sites.web.log.findIndex((request) => request.host === 'h.test' && request.path === '/1');
			const next = sites.web.log.slice(at + 1).find(({ host }) => host === 'h.test')!;
			expect(next.at - sites.web.log[at]!.at).toBeGreaterThanOrEqual(pause - 1000);
			expect(next.at - sites.web.log[at]!.at).toBeLessThan(pause + 3000);
			expect(events).toContainEqual(
				expect.objectContaining({ type: 'wait', host: 'h.test', why: 'retry-after', status }),
			);
			// AWI-74: other hosts go on meanwhile.
			expect(sites.web.log.filter(({ host }) => host === 'i.test').at(-1)!.at).toBeLessThan(
				sites.web.log[0]!.at + 15_000,
			);
		});
	});

	it('AWI-74 the pause covers every URL of the host and no other host', async () => {
		const busy = ({ times }: TestRequest) =>
			times === 0 ? { status: 429, headers: { 'Retry-After': '100' } } : htmlPage('1');
		await sites.serve({ ...foreign, 'h.test/1': busy, 'i.test/': htmlPage('I', ['/1']), 'i.test/1': htmlPage('1') });
		await sites.crawl(['h.test/', 'i.test/']);
		const during = (host: string) => {
			const start = sites.web.log.find(({ path }) => path === '/1')!.at;
			return sites.web.log.filter(
				(request) => request.host === host && request.at > start && request.at < start + 100_000,
			);
		};
		expect(during('h.test')).toEqual([]);
		expect(sites.web.paths('i.test')).toContain('/1');
	});

	it.each([
		['86400', 'CB-134'],
		['31536000', 'CB-133'],
	])('a pause of %s seconds is kept without sleeping for it: the host is deferred (%s)', async (value) => {
		await sites.serve({ ...foreign, 'h.test/1': { status: 429, headers: { 'Retry-After': value } } });
		const before = sites.clock.now();
		const { ends, summary, events } = await sites.crawl(['h.test/']);
		expect(sites.clock.now() - before).toBeLessThan(60_000);
		expect(ends['h.test/']).toBe('fetched');
		expect(summary.rows).toContainEqual(
			expect.objectContaining({ outcome: 'deferred', reason: 'rate-limited', count: 4 }),
		);
		expect(events).toContainEqual(
			expect.objectContaining({ type: 'host', change: 'deferred', reason: 'rate-limited' }),
		);
		expect(sites.pages('h.test')).toEqual(['/', '/1']);
	});

	it('a pause outlives the process', async () => {
		await sites.serve({ ...foreign, 'h.test/1': { status: 429, headers: { 'Retry-After': '86400' } } });
		const store = await openStore('memory');
		await sites.crawl(['h.test/'], { store });
		const count = sites.web.log.length;
		// Up to the cap of an hour.
		sites.clock.advance(3_000_000);
		await sites.crawl(['h.test/'], { store });
		expect(sites.web.log.length).toBe(count);
		sites.clock.advance(900_000);
		await sites.crawl(['h.test/'], { store });
		expect(sites.web.log.length).toBeGreaterThan(count);
		await store.close();
	});

	it('CB-135 a Retry-After that cannot be read is told', async () => {
		const busy = ({ times }: TestRequest) =>
			times === 0 ? { status: 503, headers: { 'Retry-After': '1e400' } } : htmlPage('1');
		await sites.serve({ ...foreign, 'h.test/1': busy });
		const { events } = await sites.crawl(['h.test/']);
		expect(events).toContainEqual(
			expect.objectContaining({
				type: 'wait',
				host: 'h.test',
				detail: 'Retry-After: 1e400 is neither a number of seconds nor a date',
			}),
		);
	});

	it('CB-131 CB-132 a storm of 429 slows down that host alone, and every try is counted', async () => {
		await sites.serve({ 'h.test/': 429, 'i.test/': htmlPage('I', ['/1']), 'i.test/1': htmlPage('1') });
		const { ends } = await sites.crawl(['h.test/', 'i.test/']);
		expect(ends).toMatchObject({ 'h.test/': 'deferred rate-limited', 'i.test/': 'fetched', 'i.test/1': 'fetched' });
		expect(sites.pages('h.test')).toEqual(['/', '/']);
		const [first, second] = sites.web.log.filter((request) => request.host === 'h.test' && request.path === '/');
		expect(second!.at - first!.at).toBeGreaterThanOrEqual(60_000);
		expect(sites.web.log.filter(({ host }) => host === 'i.test').at(-1)!.at).toBeLessThan(second!.at);
	});
});
