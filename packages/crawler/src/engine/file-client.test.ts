import { type FetchSuccess, ReceivedHeaders } from '@wayleave/io/http';
import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { createDocumentFetcher } from './document-fetcher.ts';

/** A web without files, and a clock that advances only by waiting. `log` records each request with its second. */
async function openAt(statusOf: (url: string) => number, delay?: number, robots = '') {
	const clock = new FakeClock();
	const begin = clock.now();
	const log: string[] = [];
	const get = async (url: string): Promise<FetchSuccess> => {
		log.push(`${(clock.now() - begin) / 1000} ${url}`);
		const status = statusOf(url);
		const headers = new ReceivedHeaders(status === 301 ? [['location', '/moved']] : [['content-type', 'text/html']]);
		const text = url.endsWith('/robots.txt')
			? `User-agent: *\n${robots}\n`
			: '<title>A</title><p>The sea rises twice a day.';
		const body = new TextEncoder().encode(status === 200 ? text : '');
		const rest = { wireBytes: 0, truncated: false, httpVersion: '1.1', address: '192.0.2.1' } as const;
		return { ok: true, url, status, headers, body, ...rest };
	};
	const fetcher = { get, close: async () => {} };
	const identity = { botUrl: 'https://crawler.example.net/bot' };
	const documents = await createDocumentFetcher({
		fetcher,
		clock,
		identity,
		threads: 0,
		...(delay !== undefined && { delay }),
	});
	return { documents, log, clock };
}

const seconds = (log: readonly string[]) => log.map((line) => Number(line.split(' ')[0]));

it('pages and single files of a host share one clock', async () => {
	const { documents, log } = await openAt((url) => (url.endsWith('.txt') ? 404 : 200));
	await documents.fetch('https://a.test/page');
	await documents.get('https://a.test/robots.txt', 5);
	await Promise.all([documents.fetch('https://a.test/other'), documents.get('https://a.test/file', 0)]);
	await documents.get('https://b.test/file', 0);
	const times = seconds(log.filter((line) => line.includes('//a.test')));
	expect(times.length).toBeGreaterThan(4);
	for (const [at, time] of times.entries()) expect(time).toBe(2 * at);
	await documents.close();
});

it('a redirect of a file waits for its host too, at the pace the site asks for', async () => {
	const { documents, log } = await openAt((url) => (url.endsWith('/file') ? 301 : 200));
	documents.setSitePace('https://a.test/', { crawlDelay: 5 });
	expect(await documents.get('https://a.test/file', 5)).toMatchObject({ ok: true, url: 'https://a.test/moved' });
	await documents.get('https://a.test/third', 0);
	expect(seconds(log)).toEqual([0, 5, 10]);
	await documents.close();
});

it('a Crawl-delay is not a pause: the file waits for it', async () => {
	const { documents, log } = await openAt(
		(url) => (url.endsWith('/robots2.txt') ? 404 : 200),
		undefined,
		'Crawl-delay: 7',
	);
	await documents.fetch('https://a.test/page');
	const before = log.length;
	expect(await documents.get('https://a.test/file', 0)).toMatchObject({ ok: true });
	const [last = 0, next = 0] = seconds(log).slice(before - 1);
	expect(next - last).toBe(7);
	await documents.close();
});

it('does not wait for a host that has asked for a pause', async () => {
	const { documents, log } = await openAt(() => 503);
	await documents.get('https://a.test/1', 0);
	expect(await documents.get('https://a.test/2', 0)).toMatchObject({ ok: false, reason: 'aborted' });
	expect(log).toHaveLength(1);
	await documents.close();
});

it('files on this machine need no delay, unless one is set', async () => {
	const free = await openAt(() => 200);
	await free.documents.get('http://127.0.0.1/1', 0);
	await free.documents.get('http://127.0.0.1/2', 0);
	expect(seconds(free.log)).toEqual([0, 0]);
	await free.documents.close();
	const set = await openAt(() => 200, 3000);
	await set.documents.get('http://127.0.0.1/1', 0);
	await set.documents.get('http://127.0.0.1/2', 0);
	expect(seconds(set.log)).toEqual([0, 3]);
	await set.documents.close();
});
