import { expect, it } from 'vitest';
import { crawlWith } from '../engine/crawl.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { httpsWeb } from '../testing/https-web.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { htmlPage } from '../testing/web.ts';

const hsts = { 'Strict-Transport-Security': 'max-age=31536000' };

it('AWI-78 after Strict-Transport-Security http links of the host are requested over https', async () => {
	const { log, fetcher } = httpsWeb({
		'https://h.test/': { headers: hsts, body: htmlPage('Home', ['http://h.test/a']) },
		'https://h.test/a': { body: htmlPage('A') },
	});
	const { totals } = await crawlWith(simpleReader, ['https://h.test/'], { fetcher, clock: new FakeClock() }).run();
	expect(totals.fetched).toBe(2);
	expect(log.filter((url) => url.startsWith('http:'))).toEqual([]);
});

it('AWI-78 after a redirect to https too, for URLs that were known before as well', async () => {
	const { log, fetcher } = httpsWeb({
		'http://h.test/': { status: 301, headers: { Location: 'https://h.test/' } },
		'https://h.test/': { body: htmlPage('Home', ['http://h.test/a', '/b']) },
		'https://h.test/a': { body: htmlPage('A') },
		'https://h.test/b': { body: htmlPage('B') },
		'https://h.test/c': { body: htmlPage('C') },
	});
	const crawling = crawlWith(simpleReader, ['http://h.test/', 'http://h.test/c'], { fetcher, clock: new FakeClock() });
	const changes: string[] = [];
	crawling.on('host', ({ change }) => changes.push(change));
	const { totals } = await crawling.run();
	expect(totals.fetched).toBe(6);
	expect(log.filter((url) => url.startsWith('http:') && !url.includes('robots'))).toEqual(['http://h.test/']);
	expect(changes).toContain('https');
});

it('AWI-78 a header over http, or one that ends the matter, changes nothing', async () => {
	const { log, fetcher } = httpsWeb({
		'http://h.test/': { headers: hsts, body: htmlPage('Home', ['/a', 'https://h.test/b']) },
		'https://h.test/b': {
			headers: { 'Strict-Transport-Security': 'max-age=0' },
			body: htmlPage('B', ['http://h.test/c']),
		},
		'http://h.test/a': { body: htmlPage('A') },
		'http://h.test/c': { body: htmlPage('C') },
	});
	await crawlWith(simpleReader, ['http://h.test/'], { fetcher, clock: new FakeClock(), sitemaps: false }).run();
	expect(log).toEqual(expect.arrayContaining(['http://h.test/a', 'http://h.test/c']));
});

it('CB-10 a default port in the address is no other origin', async () => {
	const { log, fetcher } = httpsWeb({
		'https://h.test/robots.txt': { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /x\n' },
		'https://h.test/': { body: htmlPage('Home', ['https://h.test:443/x']) },
	});
	const results = crawlWith(simpleReader, ['https://h.test:443/'], { fetcher, clock: new FakeClock() });
	const ends: Record<string, string | undefined> = {};
	for await (const { url, reason } of results) ends[url] = reason;
	expect(ends).toEqual({ 'https://h.test/': undefined, 'https://h.test/x': 'robots-disallow' });
	expect(log.filter((url) => url.endsWith('robots.txt')).length).toBe(1);
});
