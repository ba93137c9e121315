import { afterEach, expect, it } from 'vitest';
import { crawl } from '../engine/crawl.ts';
import { htmlPage, startWeb, type TestWeb } from '../testing/web.ts';

let web: TestWeb;
afterEach(() => web.close());

it('AWI-01 AWI-02 AWI-80 AWI-81 R2-32 R2-38 every request says who we are, where that is explained, and nothing about anybody else', async () => {
	web = await startWeb(({ path }) => {
		if (path === '/bot') return htmlPage('Our crawler');
		if (path === '/robots.txt') return { body: 'Sitemap: /map.xml\n' };
		if (path === '/robots2.txt')
			return { headers: { 'Content-Type': 'text/plain' }, body: 'announce: yes\ntrain: yes\n' };
		if (path === '/map.xml') return { body: '<urlset><url><loc>/b</loc></url></urlset>' };
		if (path === '/')
			return {
				headers: { 'Content-Type': 'text/html', 'Set-Cookie': 'id=42; Path=/' },
				body: htmlPage('Home', ['/a', '/moved']),
			};
		if (path === '/moved') return { status: 302, headers: { Location: '/c' } };
		return /^\/[abc]$/.test(path) ? htmlPage(path) : undefined;
	});
	const botUrl = web.url('h.test', '/bot');
	const identity = { botName: 'Testbot', botUrl, version: '1.2', category: 'ai-researcher' };
	const options = { identity, uses: ['read', 'train'], delay: 0, ownSites: ['h.test'], lookup: web.lookup } as const;
	const crawling = crawl([web.url('h.test')], options);
	const documents = [];
	for await (const { document } of crawling) if (document !== undefined) documents.push(document);
	const { totals } = await crawling.summary;
	expect(totals.fetched).toBeGreaterThanOrEqual(4);
	expect(web.paths('h.test')).toEqual(
		expect.arrayContaining([
			'/robots.txt',
			'/robots2.txt',
			'/.well-known/tdmrep.json',
			'/map.xml',
			'/sitemap.xml',
			'/',
			'/a',
			'/b',
			'/c',
		]),
	);
	for (const { headers } of web.log) {
		expect(headers['user-agent']).toBe(`AIWebIndex/2.0 (+${botUrl}; Testbot)`);
		expect(headers['x-agent-identity']).toBe('Testbot/1.2 (ai-researcher)');
		const known = [
			'accept',
			'accept-encoding',
			'accept-language',
			'connection',
			'host',
			'user-agent',
			'x-agent-identity',
			'if-none-match',
			'if-modified-since',
		];
		expect(Object.keys(headers).filter((name) => !known.includes(name))).toEqual([]);
	}
	expect((await fetch(`http://127.0.0.1:${web.port}/bot`)).status).toBe(200);
	// Where we call from, and the cookie that the site set, are in no document.
	expect(documents.length).toBeGreaterThanOrEqual(4);
	expect(JSON.stringify(documents)).not.toMatch(/127\.0\.0|id=42|cookie/i);
});
