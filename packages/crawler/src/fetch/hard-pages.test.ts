import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readPage } from '../read/read-page.ts';
import { useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();

const prose = '<p>A page with a sentence that is long enough to be the content of this page.</p>';
const jsonLd = (text: string) => `<script type="application/ld+json">${text}</script>`;

describe('a page that breaks parsers is a page like others, and the crawl goes on', () => {
	it.each([
		['CB-153 CB-154 50,000 nested elements', `${'<div>'.repeat(50_000)}${prose}`],
		[
			'CB-155 elements that are never closed or closed in the wrong order',
			`${'<button><a href="/x"></button>'.repeat(1000)}${prose}`,
		],
		['CB-155 formatting that is opened again and again', `${'<b><i><p></b>'.repeat(1000)}${prose}`],
		['CB-156 a raw line break in a string of JSON-LD', jsonLd('{"@type": "Article", "headline": "one\ntwo"}') + prose],
		['CB-157 JSON-LD with a semicolon behind it', jsonLd('{"@type": "Article", "headline": "one"};') + prose],
		['CB-157 JSON-LD with a trailing comma', jsonLd('{"@type": "Article", "headline": "one",}') + prose],
	])(
		'%s',
		async (_title, body) => {
			await sites.serve({
				'h.test/': htmlPage('Home', ['/hard', '/after']),
				'h.test/hard': `<!doctype html><html lang="en"><title>Hard</title><body>${body}</body></html>`,
				'h.test/after': htmlPage('After'),
			});
			const { ends, results } = await sites.crawl(['h.test/'], {}, readPage);
			expect(ends).toMatchObject({ 'h.test/hard': 'fetched', 'h.test/after': 'fetched' });
			const hard = results.find(({ url }) => url.endsWith('/hard'));
			expect(hard?.document?.identity.title).toBe('Hard');
			expect(hard?.document?.content.markdown).toContain('the content of this page');
		},
		60_000,
	);
});

it('CB-125 a kept title does not keep its page in memory', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const pages = 24;
	const titles: string[] = [];
	const heap = () => {
		collect();
		return process.memoryUsage().heapUsed;
	};
	const keepTitle = async (index: number) => {
		const html = `<title>Page ${index} with a title of forty characters</title><!--${'x'.repeat(1_000_000)}-->${prose}`;
		const { document } = await readPage({
			kind: 'html',
			body: Buffer.from(html),
			contentType: 'text/html',
			contentLanguage: undefined,
			economics: false,
			fetched: {
				url: `https://h.test/${index}`,
				freshnessPolicy: 'cache_first',
				cache: { status: 'miss', origin_contacted: true, body_fetched: true },
			},
		});
		titles.push(document.identity.title!);
	};
	for (let index = 0; index < 4; index++) await keepTitle(index);
	const before = heap();
	for (let index = 0; index < pages; index++) await keepTitle(index);
	expect(heap() - before).toBeLessThan((pages * 1_000_000) / 2);
	expect(titles.length).toBe(pages + 4);
}, 60_000);
