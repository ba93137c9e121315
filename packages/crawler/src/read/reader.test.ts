import { afterEach, describe, expect, it } from 'vitest';
import { crawl } from '../engine/crawl.ts';
import type { CrawlEvent } from '../model/events.ts';
import { htmlPage, startWeb } from '../testing/web.ts';
import { type PageSource, readPage } from './read-page.ts';
import { createReader, type Reader, type ReaderOptions } from './reader.ts';

let reader: Reader | undefined;
let events: CrawlEvent[] = [];
afterEach(() => reader?.close());

function open(options: Partial<ReaderOptions>): Reader {
	events = [];
	reader = createReader({ threads: 1, onFull: () => {}, emit: (event) => events.push(event), ...options });
	return reader;
}

const source = (html: string, economics = false): PageSource => ({
	kind: 'html',
	body: new TextEncoder().encode(html),
	contentType: 'text/html',
	contentLanguage: 'en',
	economics,
	fetched: {
		url: 'https://h.test/dir/x',
		freshnessPolicy: 'cache_first',
		cache: { status: 'miss', origin_contacted: true, body_fetched: true },
	},
});
const pageAt = (at: number) =>
	source(htmlPage(`Page ${at}`, [`/${at + 1}`, '/'], `<p>This is the text of page ${at}.</p>`), at % 2 === 0);

const forty = Array.from({ length: 40 }, (_, at) => pageAt(at));

describe('pages are read', () => {
	it('in threads as here', async () => {
		const { read } = open({ threads: 2 });
		expect(await Promise.all(forty.map(read))).toEqual(await Promise.all(forty.map(readPage)));
		expect(reader).toMatchObject({ threads: 2 });
		expect(events).toEqual([]);
	});

	it('here while they are few', async () => {
		const { read } = open({ few: 8 });
		await Promise.all(forty.slice(0, 8).map(read));
		expect(reader).toMatchObject({ threads: 0 });
		await read(pageAt(8));
		expect(reader).toMatchObject({ threads: 1 });
	});

	it('in a thread at once when long, and their bytes stay', async () => {
		const long = source(`<title>Long</title>${'<p>'}${'One long paragraph. '.repeat(60_000)}`);
		expect((await open({ few: 8 }).read(long)).document.identity.title).toBe('Long');
		expect(reader).toMatchObject({ threads: 1 });
		expect(long.body.length).toBeGreaterThan(1 << 20);
	});

	it('here when no thread can be started, and that is told once', async () => {
		const { read } = open({ entry: new URL('./no-such-thread.js', import.meta.url) });
		expect(await Promise.all(forty.map(read))).toHaveLength(40);
		expect(events).toEqual([expect.objectContaining({ type: 'problem', code: 'no-threads' })]);
	});
});

describe('a crawl', () => {
	it('gives the same with threads and without', async () => {
		const paths = Array.from({ length: 50 }, (_, at) => `/page/${at}`);
		const web = await startWeb(({ path }) =>
			path === '/' ? htmlPage('Home', paths) : path.startsWith('/page/') ? htmlPage(path, ['/', '/page/3']) : undefined,
		);
		const titles = async (threads: number) => {
			const found: string[] = [];
			const options = { threads, delay: 0 };
			for await (const { url, outcome, document } of crawl([web.url('127.0.0.1', '/')], options))
				found.push(`${url} ${outcome} ${document?.identity.title} ${document?.schema.ref}`);
			return found.sort();
		};
		try {
			const here = await titles(0);
			expect(here).toHaveLength(51);
			expect(await titles(2)).toEqual(here);
		} finally {
			await web.close();
		}
	});
});
