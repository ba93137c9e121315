import { countTokens } from '@wayleave/extract/tokens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../model/result.ts';
import { startWeb, type TestWeb } from '../testing/web.ts';
import { crawl } from './crawl.ts';
import { createDocumentFetcher } from './document-fetcher.ts';
import { fetchDocument } from './fetch-document.ts';

let web: TestWeb;
beforeAll(async () => {
	web = await startWeb(({ path }) => {
		if (path === '/gone') return { status: 410 };
		if (path.startsWith('/robots')) return undefined;
		return `<!doctype html><html lang="en"><title>Tides</title><main><h1>Tides</h1><p>${'The sea rises twice a day at the quay. '.repeat(20)}</p><h2>Neap</h2><p>Less so. <a href="/gone">Gone</a></p></main></html>`;
	});
});
afterAll(() => web.close());

const options = () => ({ lookup: web.lookup, ownSites: ['a.test'], delay: 0 });
const expectChunks = ({ document, chunks = [] }: Result, most: number) => {
	expect(chunks.length).toBeGreaterThan(1);
	expect(chunks.at(-1)?.headingPath).toEqual(['Tides', 'Neap']);
	for (const { start, end, text, tokens } of chunks) {
		expect([text, tokens]).toEqual([document?.content.markdown.slice(start, end), countTokens(text)]);
		expect(tokens).toBeLessThanOrEqual(most);
	}
};

describe('results in chunks', () => {
	it('crawl adds them to each result with a document, and to no other', async () => {
		const results: Result[] = [];
		for await (const result of crawl([web.url('a.test', '/')], { ...options(), chunks: { tokens: 60 } }))
			results.push(result);
		expect(results.map(({ outcome, chunks }) => [outcome, chunks !== undefined])).toEqual([
			['fetched', true],
			['gone', false],
		]);
		for (const result of results.filter(({ document }) => document)) expectChunks(result, 60);
	});

	it('fetchDocument and a fetcher add them, to a stored copy too', async () => {
		const url = web.url('a.test', '/');
		expectChunks(await fetchDocument(url, { ...options(), chunks: { tokens: 60 } }), 60);
		expect(await fetchDocument(url, options())).not.toHaveProperty('chunks');
		const fetcher = await createDocumentFetcher({ ...options(), privateHosts: ['a.test'] });
		try {
			expectChunks(await fetcher.fetch(url, { chunks: { tokens: 90 } }), 90);
			const stored = await fetcher.fetch(url, { chunks: { tokens: 30 } });
			expect(stored.document?.cache.status).toBe('hit');
			expectChunks(stored, 30);
			expect(await fetcher.fetch(url)).not.toHaveProperty('chunks');
		} finally {
			await fetcher.close();
		}
	});

	it.each([0, -1, 1.5, Number.NaN])('refuses chunks of %d tokens before any request', async (tokens) => {
		const url = web.url('a.test', '/refused');
		const message = `chunks.tokens must be a whole number from 1, not ${tokens}`;
		expect(() => crawl([url], { ...options(), chunks: { tokens } })).toThrow(message);
		await expect(fetchDocument(url, { ...options(), chunks: { tokens } })).rejects.toThrow(message);
		expect(web.log.some(({ path }) => path === '/refused')).toBe(false);
	});
});
