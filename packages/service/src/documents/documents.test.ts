import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config/config.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let web: TestWeb;
let service: TestService;

async function start(answer: Answer, options: ServiceOptions = {}): Promise<void> {
	web = await startWeb(answer);
	const hosts = ['a.test', 'b.test', 'slow.test'];
	service = await startService({ fetching: testSites(web.lookup, ...hosts), ...options });
}
afterEach(async () => {
	await service.close();
	await web.close();
});

const pages = (host: string) => web.paths(host).filter((path) => !path.startsWith('/robots'));
const ask = async (host: string, path: string, more: object = {}, token?: string) => {
	const url = web.url(host, path);
	const response = await service.post('/v1/aidocument', { url, ...more }, token === undefined ? {} : { token });
	return (await response.json()) as { cache: { status: string }; source: { freshness_policy: string }; code?: string };
};

describe('single flight', () => {
	it('1,000 callers that want one cold page at once make one request', async () => {
		await start(() => htmlPage('Wanted'));
		const documents = await Promise.all(Array.from({ length: 1000 }, () => ask('a.test', '/wanted')));
		expect(pages('a.test')).toEqual(['/wanted']);
		expect(new Set(documents.map(({ cache }) => cache.status)).size).toBeLessThanOrEqual(2);
		expect(documents.every(({ cache }) => ['miss', 'hit'].includes(cache.status))).toBe(true);
	});

	it('AWI-20 each is told the policy that it asked for itself', async () => {
		await start(() => htmlPage('Wanted'));
		const policies = ['cache_first', 'force_refresh', 'cache_first', 'force_refresh'];
		const asked = policies.map((policy) => ask('a.test', '/', { freshness_policy: policy }));
		const documents = await Promise.all(asked);
		expect(documents.map(({ source }) => source.freshness_policy)).toEqual(policies);
		for (const { cache, source } of documents)
			expect(cache.status).toBe(source.freshness_policy === 'force_refresh' ? 'refreshed' : 'miss');
		expect(pages('a.test').length).toBeLessThan(4);
	});

	it('AMB-56 a permission for one use is for one caller', async () => {
		await start(({ path }) => {
			if (path === '/robots2.txt') return { headers: { 'Content-Type': 'text/plain' }, body: 'read: ask\nstore: yes' };
			if (path.startsWith('/.well-known/robots2-ask'))
				return { status: 200, headers: { 'X-Robots2-Decision': 'allow-once' }, body: '' };
			return path === '/' ? htmlPage('Once') : undefined;
		});
		const documents = await Promise.all([1, 2, 3].map(() => ask('a.test', '/')));
		expect(documents.map(({ cache }) => cache?.status)).toEqual(['miss', 'miss', 'miss']);
		expect(pages('a.test').filter((path) => path === '/')).toHaveLength(3);
	});
});

describe('addresses', () => {
	const closed: Answer = ({ path }) => {
		if (path === '/robots.txt')
			return { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private\n' };
		return path.startsWith('/robots') ? undefined : htmlPage('A page');
	};

	it('G2-01 G2-02 G2-06: a page that is disallowed is not fetched in another spelling', async () => {
		await start(closed);
		for (const path of [
			'/private/x',
			'//private/x',
			'/%2Fprivate/x',
			'/;x/private/x',
			'/%5Cprivate/x',
			'/a/../private/x',
		]) {
			const { code } = await ask('a.test', path);
			expect([path, code]).toEqual([path, 'robots-disallow']);
		}
		expect(pages('a.test')).toEqual([]);
	});

	it('G2-03 G2-04: an address that a parser would repair is refused as it was sent', async () => {
		await start(closed);
		for (const path of [
			'/\\/private/x',
			'/\tprivate/x',
			'/pri\nvate/x',
			'/public/..%2fprivate/x',
			'/public/..;/private/x',
		]) {
			const { code } = await ask('a.test', path);
			expect([path, code]).toEqual([path, 'bad-request']);
		}
		expect(web.paths('a.test')).toEqual([]);
	});

	it('G2-05: honest addresses are fetched', async () => {
		await start(closed);
		const honest = [
			'/a;v=1/b',
			'/a%20b',
			'/caf%C3%A9',
			'/wiki/AC%2FDC',
			'/search?q=a%2Fb&next=/private',
			'/100%',
			'/a/../b',
		];
		for (const path of honest) expect([path, (await ask('a.test', path)).code]).toEqual([path, undefined]);
		expect(pages('a.test')).toHaveLength(honest.length);
	});
});

describe('nobody waits for others', () => {
	it('a host that never answers does not slow the others', async () => {
		await start(({ host, path }) => {
			if (host === 'slow.test') return { hang: true };
			return htmlPage(path);
		});
		const stuck = Promise.allSettled(Array.from({ length: 20 }, (_, page) => ask('slow.test', `/${page}`)));
		for (let page = 0; page < 20; page++) expect((await ask('b.test', `/${page}`)).cache.status).toBe('miss');
		// One request is out at the slow host, however many want something of it.
		expect(web.paths('slow.test')).toHaveLength(1);
		await service.close();
		await stuck;
		service = await startService();
	});

	it('the batch of one caller does not keep the page of another one at the same host', async () => {
		await start(({ path }) => htmlPage(path), { open: false });
		const [greedy, modest] = [await service.key(), await service.key()];
		const urls = Array.from({ length: 200 }, (_, page) => web.url('a.test', `/${page}`));
		const batch = service.post('/v1/aidocuments', { urls }, { token: greedy });
		await expect.poll(() => pages('a.test').length).toBeGreaterThan(3);
		await ask('a.test', '/modest', {}, modest);
		// What waits when the page is asked for is behind it, but for what has its turn between.
		expect(pages('a.test').indexOf('/modest')).toBeLessThan(100);
		expect((await (await batch).text()).trimEnd().split('\n')).toHaveLength(200);
	});
});
