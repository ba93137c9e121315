import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentRequest } from '../config/options.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../testing/web.ts';
import { type DocumentFetcher, documentFetcherWith } from './document-fetcher.ts';

let web: TestWeb;
let fetcher: DocumentFetcher;
const clock = new FakeClock();

async function start(answer: Answer): Promise<void> {
	web = await startWeb(answer, () => clock.now());
	const hosts = { privateHosts: ['a.test', 'b.test'], lookup: web.lookup };
	fetcher = await documentFetcherWith(simpleReader, { ...hosts, clock });
}
afterEach(async () => {
	await fetcher.close();
	await web.close();
});

const pagesOf = (host: string) => web.paths(host).filter((path) => !path.startsWith('/robots'));

async function cacheOf(path: string, request?: DocumentRequest) {
	const { document, reason } = await fetcher.fetch(web.url('a.test', path), request);
	return { status: document?.cache.status, title: document?.identity.title, reason };
}

describe('many calls, one store', () => {
	it('AWI-22 a stored page is given again without a request, and not when it is too old', async () => {
		await start(({ times }) => htmlPage(`Copy ${times}`));
		expect(await cacheOf('/')).toMatchObject({ status: 'miss', title: 'Copy 0' });
		expect(await cacheOf('/')).toMatchObject({ status: 'hit', title: 'Copy 0' });
		clock.advance(10_000);
		expect(await fetcher.cached(web.url('a.test'), 5000)).toBeUndefined();
		expect(await cacheOf('/', { maxAge: 5000 })).toMatchObject({ status: 'miss', title: 'Copy 1' });
		expect(pagesOf('a.test')).toEqual(['/', '/']);
	});

	it.each([
		['', 2000],
		['Crawl-delay: 1\n', 2000],
		['Crawl-delay: 3\n', 3000],
	])(
		'AMB-08 AMB-35 one page waits its delay, 2 s at least, before each request but the first: %j',
		async (line, delay) => {
			const robots = { headers: { 'Content-Type': 'text/plain' }, body: `User-agent: *\n${line}Disallow: /private\n` };
			await start(({ path }) => (path === '/robots.txt' ? robots : path === '/' ? htmlPage('A') : undefined));
			const started = clock.now();
			expect(await cacheOf('/')).toMatchObject({ status: 'miss', title: 'A' });
			expect(web.log.map(({ path, at }) => [path, at - started])).toEqual([
				['/robots.txt', 0],
				['/robots2.txt', delay],
				['/', 2 * delay],
			]);
			expect(clock.now() - started).toBe(2 * delay);
		},
	);

	it('AWI-25 AMB-21 a copy that the server confirms is young again', async () => {
		await start(({ headers }) => (headers['if-none-match'] ? { status: 304 } : { headers: etag, body: htmlPage('A') }));
		await cacheOf('/');
		clock.advance(10_000);
		expect(await cacheOf('/', { maxAge: 5000 })).toMatchObject({ status: 'stale_revalidated', title: 'A' });
		expect(await cacheOf('/', { maxAge: 5000 })).toMatchObject({ status: 'hit', title: 'A' });
	});

	it('a redirect to a page that is known brings its document', async () => {
		await start(({ path }) => (path === '/old' ? { status: 301, headers: { Location: '/new' } } : htmlPage('New')));
		await cacheOf('/new');
		expect(await cacheOf('/old')).toMatchObject({ title: 'New' });
		expect(await cacheOf('/old')).toMatchObject({ status: 'hit', title: 'New' });
	});

	it('gives the earlier result itself while the store has the same, and only then', async () => {
		const gone = { status: 410 };
		await start(({ times }) => [htmlPage('A'), htmlPage('B'), gone][times] ?? gone);
		const url = web.url('a.test');
		const fetchAgain = async () => {
			clock.advance(10_000);
			await fetcher.fetch(url, { freshnessPolicy: 'force_refresh' });
		};
		await fetchAgain();
		const first = await fetcher.cached(url);
		expect(await fetcher.cached(url, 20_000, first)).toBe(first);
		clock.advance(10_000);
		expect(await fetcher.cached(url, 5000, first)).toBeUndefined();
		await fetchAgain();
		const second = await fetcher.cached(url, 20_000, first);
		expect([first, second].map((result) => result?.document?.identity.title)).toEqual(['A', 'B']);
		await fetchAgain();
		expect(await fetcher.cached(url, 20_000, second)).toBeUndefined();
	});

	it('never serves a page that is gone from the cache', async () => {
		await start(({ path, times }) => (path === '/' && times === 0 ? htmlPage('A') : undefined));
		await cacheOf('/');
		expect(await cacheOf('/', { freshnessPolicy: 'force_refresh' })).toMatchObject({ reason: 'http-404' });
		expect(await fetcher.cached(web.url('a.test'))).toBeUndefined();
	});

	it('AMB-10 a page that may not be kept is asked for without conditions: there is nothing to give for a 304', async () => {
		await start(({ path, headers }) => {
			if (path === '/robots2.txt') return { headers: { 'Content-Type': 'text/plain' }, body: 'store: session-only' };
			return headers['if-none-match'] ? { status: 304 } : { headers: etag, body: htmlPage('A') };
		});
		expect(await cacheOf('/')).toMatchObject({ status: 'miss', title: 'A', reason: 'store-session-only' });
		expect(await cacheOf('/')).toMatchObject({ status: 'miss', title: 'A' });
	});

	it('`whole` has the page sent again', async () => {
		await start(({ headers }) => (headers['if-none-match'] ? { status: 304 } : { headers: etag, body: htmlPage('A') }));
		const bodies: string[] = [];
		const onSource = ({ body }: { body: Uint8Array }) => bodies.push(new TextDecoder().decode(body));
		await cacheOf('/', { onSource });
		await cacheOf('/', { onSource });
		expect(await cacheOf('/', { whole: true, onSource })).toMatchObject({ status: 'miss' });
		expect(bodies).toEqual([htmlPage('A'), htmlPage('A')]);
	});

	it('AWI-68 calls at the same time keep the pace of the host', async () => {
		await start(({ path }) => htmlPage(path));
		await Promise.all(['/1', '/2', '/3'].map((path) => cacheOf(path)));
		const times = web.log.map(({ at }) => at);
		expect(times.every((at, index) => index === 0 || at - times[index - 1]! >= 2000)).toBe(true);
		expect(pagesOf('a.test').toSorted()).toEqual(['/1', '/2', '/3']);
	});

	it('a host that is not named may not be private', async () => {
		await start(() => htmlPage('A'));
		expect(await fetcher.fetch(web.url('c.test'))).toMatchObject({ outcome: 'failed', reason: 'private-address' });
		expect(web.log).toEqual([]);
	});

	it('says when a host that wants a pause may be asked again', async () => {
		await start(({ path }) => (path === '/' ? { status: 429, headers: { 'Retry-After': '1000' } } : undefined));
		const before = clock.now();
		const { outcome, retryAt } = await fetcher.fetch(web.url('a.test'));
		expect(outcome).toBe('deferred');
		expect(Date.parse(retryAt!) - before).toBeGreaterThanOrEqual(1_000_000);
	});
});

const etag = { ETag: '"1"', 'Content-Type': 'text/html' };
