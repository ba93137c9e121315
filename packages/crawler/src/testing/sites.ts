import { createFetcher, type Fetcher } from '@wayleave/io/http';
import { afterEach } from 'vitest';
import type { CrawlOptions, FetchOptions } from '../config/options.ts';
import { crawlWith } from '../engine/crawl.ts';
import { fetchDocumentWith } from '../engine/fetch-document.ts';
import type { CrawlEvent, Summary } from '../model/events.ts';
import type { Result } from '../model/result.ts';
import { FakeClock } from './fake-clock.ts';
import { simpleReader } from './simple-reader.ts';
import { startWeb, type TestAnswer, type TestRequest, type TestWeb } from './web.ts';

/** The sites of a test by host and path. A number is a status, a string a page of HTML, what is missing is 404. */
export type Sites = Record<
	string,
	TestAnswer | string | number | ((request: TestRequest) => TestAnswer | string | number)
>;

export interface Crawled {
	readonly results: readonly Result[];
	/** How each URL ended, without scheme and port. */
	readonly ends: Readonly<Record<string, string>>;
	readonly events: readonly CrawlEvent[];
	readonly summary: Summary;
}

/** Sites and a clock for each test of a file. Time stands still while a request is out, and jumps over every pause. */
export function useSites() {
	let web: TestWeb | undefined;
	let clock = new FakeClock();
	afterEach(() => web?.close());

	const url = (seed: string) => web!.url(seed.slice(0, seed.indexOf('/')), seed.slice(seed.indexOf('/')));
	const short = (long: string) => long.replace(/^https?:\/\//, '').replace(`:${web!.port}`, '');

	/** Hides from the crawl that all hosts are on this machine, so that they are treated like foreign ones. */
	function foreignFetcher(): Fetcher {
		const fetcher = createFetcher({
			userAgent: 'AIWebIndex/2.0 (+https://bot.test/; Testbot)',
			headers: { 'X-Agent-Identity': 'Testbot/1.0 (ai-assistant)' },
			lookup: web!.lookup,
			allowPrivate: () => true,
			limits: { headers: 2000, total: 5000 },
		});
		return {
			async get(target, more) {
				const answer = await clock.during(fetcher.get(target, more));
				return answer.ok ? { ...answer, address: '203.0.113.1' } : answer;
			},
			close: () => fetcher.close(),
		};
	}

	return {
		get clock() {
			return clock;
		},
		get web() {
			return web!;
		},
		async serve(sites: Sites): Promise<void> {
			await web?.close();
			clock = new FakeClock();
			web = await startWeb(
				(request) => {
					const entry = sites[request.host + request.path];
					const answer = typeof entry === 'function' ? entry(request) : entry;
					return typeof answer === 'number' ? { status: answer } : answer;
				},
				() => clock.now(),
			);
		},
		/** Crawls from seeds such as `h.test/` to the end, at the pace of foreign sites unless they are named as own. */
		async crawl(seeds: readonly string[], options: CrawlOptions = {}, read = simpleReader): Promise<Crawled> {
			const fetcher = foreignFetcher();
			const crawling = crawlWith(read, seeds.map(url), { clock, fetcher, ...options });
			const events: CrawlEvent[] = [];
			crawling.on('*', (event) => events.push(event));
			const results: Result[] = [];
			for await (const result of crawling) results.push(result);
			await fetcher.close();
			const ends = Object.fromEntries(
				results.map(({ url: each, outcome, reason }) => [short(each), reason ? `${outcome} ${reason}` : outcome]),
			);
			return { results, ends, events, summary: await crawling.summary };
		},
		async fetch(seed: string, options: FetchOptions = {}, read = simpleReader): Promise<Result> {
			const fetcher = foreignFetcher();
			try {
				return await fetchDocumentWith(read, url(seed), { clock, fetcher, ...options });
			} finally {
				await fetcher.close();
			}
		},
		url,
		/** Paths that a host was asked for, control files and sitemaps apart. */
		pages: (host: string) =>
			web!
				.paths(host)
				.filter((path) => !/^\/(?:robots2?\.txt|sitemap\.xml|llms\.txt|\.well-known\/pagedigest\.json)/.test(path)),
		/** Milliseconds from one request of a host to the next. */
		gaps(host: string): number[] {
			const times = web!.log.filter((request) => request.host === host).map(({ at }) => at);
			return times.slice(1).map((at, index) => at - times[index]!);
		},
	};
}

/** A file of plain text. */
export const plain = (body: string | Uint8Array, headers: Record<string, string> = {}): TestAnswer => ({
	headers: { 'Content-Type': 'text/plain', ...headers },
	body,
});
