import { type FetchSuccess, ReceivedHeaders } from '@wayleave/io/http';
import { describe, expect, it } from 'vitest';
import { createPoliteClient, type Progress } from '../index.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { politeFetch } from './fetch-file.ts';
import { readSite } from './read-site.ts';

/** A web of texts and redirects, and a clock that only waiting moves. `log` holds each request with its second. */
function world(pages: Record<string, string | { status: number; location?: string }>) {
	const clock = new FakeClock();
	const begin = clock.now();
	const log: string[] = [];
	const waits: Progress[] = [];
	const get = async (url: string): Promise<FetchSuccess> => {
		log.push(`${(clock.now() - begin) / 1000} ${url}`);
		const page = pages[url] ?? { status: 404 };
		const { status, location } = typeof page === 'string' ? { status: 200, location: undefined } : page;
		const headers = new ReceivedHeaders(location === undefined ? [] : [['location', location]]);
		const body = new TextEncoder().encode(typeof page === 'string' ? page : '');
		const rest = { wireBytes: 0, truncated: false, httpVersion: '1.1', address: '192.0.2.1' } as const;
		return { ok: true, url, status, headers, body, ...rest };
	};
	const fetcher = { get, close: async () => {} };
	const onProgress = (progress: Progress) => void waits.push(progress);
	const client = createPoliteClient([], { fetcher, clock, maxPause: 0, loopbackDelay: 0, onProgress });
	return { fetch: politeFetch(client), log, waits };
}

const self = { token: 'AIWebIndex', categories: ['ai-assistant'] };

describe('politeFetch', () => {
	it('AMB-35 lets two seconds pass between two requests to one host, redirects too', async () => {
		const { fetch, log } = world({ 'https://a.test/1': { status: 301, location: '/2' }, 'https://a.test/2': 'x' });
		expect(await fetch.get('https://a.test/1', 5)).toMatchObject({ ok: true, url: 'https://a.test/2' });
		await fetch.get('https://b.test/', 0);
		expect(log).toEqual(['0 https://a.test/1', '2 https://a.test/2', '2 https://b.test/']);
	});
	it('REP-17 follows as many redirects as it is told', async () => {
		const pages = Object.fromEntries(
			[0, 1, 2, 3, 4, 5].map((n) => [`http://127.0.0.1/${n}`, { status: 302, location: `/${n + 1}` }]),
		);
		const { fetch, log } = world(pages);
		expect(await fetch.get('http://127.0.0.1/0', 5)).toMatchObject({ status: 302, url: 'http://127.0.0.1/5' });
		expect(log).toHaveLength(6);
	});
	it('asks no more of a host that is busy', async () => {
		const { fetch, log } = world({ 'https://a.test/1': { status: 503 } });
		await fetch.get('https://a.test/1', 0);
		expect(await fetch.get('https://a.test/2', 0)).toMatchObject({ ok: false });
		expect(log).toHaveLength(1);
	});
});

describe('readSite', () => {
	it('AMB-08 keeps the slowest pace that is asked for, and says when that takes long', async () => {
		const { fetch, log, waits } = world({
			'https://a.test/robots.txt': 'User-agent: *\nCrawl-delay: 4',
			'https://a.test/robots2.txt': 'rate: 6',
			'https://a.test/x': 'hello',
		});
		await readSite('https://a.test/x', self, fetch, { page: true });
		expect(log).toEqual([
			'0 https://a.test/robots.txt',
			'4 https://a.test/robots2.txt',
			'14 https://a.test/.well-known/tdmrep.json',
			'24 https://a.test/x',
		]);
		const paced = waits.flatMap((each) => (each.waiting === 'turn' ? [`${each.why} ${each.delay}`] : []));
		expect(paced).toEqual(['crawl-delay 4000', 'rate 10000', 'rate 10000']);
	});
	it('R2-59 AMB-48 reads what the policy chains to, and no redirect away from https', async () => {
		const { fetch } = world({
			'https://a.test/robots2.txt': 'train: no\nchain: https://b.test/base.txt',
			'https://b.test/base.txt': 'monetise: no\nchain: https://c.test/base.txt',
			'https://c.test/base.txt': { status: 301, location: 'http://c.test/base.txt' },
			'http://c.test/base.txt': 'store: no',
		});
		const { policies, read } = await readSite('https://a.test/x', self, fetch, { page: false });
		const { robots2 } = policies;
		expect(robots2 && 'files' in robots2 && robots2.files.map(({ source }) => source)).toEqual([
			'https://a.test/robots2.txt',
			'https://b.test/base.txt',
		]);
		expect(read.map(({ note }) => note)).toContain('not followed: chain-unavailable');
	});
});
