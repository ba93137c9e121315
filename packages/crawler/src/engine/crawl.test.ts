import { afterEach, describe, expect, it } from 'vitest';
import type { CrawlEvent } from '../events.ts';
import type { CrawlOptions } from '../options.ts';
import type { Result } from '../result.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { type Answer, htmlPage, startWeb, type TestWeb } from '../testing/web.ts';
import { crawlWith } from './crawl.ts';

let web: TestWeb;
afterEach(() => web.close());

/** Starts sites, crawls them, and says how every URL ended. */
async function crawlSites(answer: Answer, seeds: string[], options: CrawlOptions = {}, clock = new FakeClock()) {
	web = await startWeb(answer, () => clock.now());
	const crawling = crawlWith(
		simpleReader,
		seeds.map((seed) => web.url(...(seed.split(/(?=\/)/, 1).concat(seed.replace(/^[^/]*/, '')) as [string, string]))),
		{
			clock,
			lookup: web.lookup,
			...options,
		},
	);
	const events: CrawlEvent[] = [];
	crawling.on('*', (event) => events.push(event));
	const results: Result[] = [];
	for await (const result of crawling) results.push(result);
	const ends = Object.fromEntries(
		results.map(({ url, outcome, reason }) => [
			url.replace(`:${web.port}`, '').replace('http://', ''),
			reason === undefined ? outcome : `${outcome} ${reason}`,
		]),
	);
	return { results, ends, events, summary: await crawling.summary };
}

describe('a small site', () => {
	const site: Answer = ({ path }) =>
		({
			'/': htmlPage('Home', ['/a', '/b#part', 'http://elsewhere.test/']),
			'/a': htmlPage('A', ['/', '/c']),
			'/b': htmlPage('B', ['/a', '/missing']),
			'/c': htmlPage('C'),
			'/robots.txt': { body: 'User-agent: *\nDisallow: /c\n' },
		})[path];

	it('every URL ends once, with a reason', async () => {
		const { ends, results, summary } = await crawlSites(site, ['h.test/']);
		expect(ends).toEqual({
			'h.test/': 'fetched',
			'h.test/a': 'fetched',
			'h.test/b': 'fetched',
			'h.test/c': 'refused robots-disallow',
			'h.test/missing': 'gone http-404',
		});
		expect(results.find(({ outcome }) => outcome === 'refused')?.evidence?.[0]).toMatchObject({
			line: 2,
			text: 'Disallow: /c',
		});
		expect(summary.totals).toMatchObject({ fetched: 3, gone: 1, refused: 1, 'out-of-scope': 1 });
		expect(summary.complete).toBe(true);
	});
});
