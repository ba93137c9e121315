import { describe, expect, it } from 'vitest';
import { readPage } from '../read/read-page.ts';
import { openStore } from '../store/sql/open.ts';
import { useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer } from '../testing/web.ts';

// Pages that only lead to another page are redirects, and a page without text is not a document.

const sites = useSites();
const own = { ownSites: ['h.test'], delay: 0, sitemaps: false };
const html = (body: string, headers: Record<string, string> = {}): TestAnswer => ({
	headers: { 'Content-Type': 'text/html', ...headers },
	body,
});
const text = 'Every sentence of this page is there to be read, and there are enough of them to make it a page. '.repeat(
	6,
);
const documents = (results: readonly { readonly document?: unknown }[]) =>
	results.filter(({ document }) => document !== undefined).length;

describe('an instant refresh', () => {
	it.each([
		['C2-150 by tag, with an empty body', html('<meta http-equiv="refresh" content="0;url=/new">')],
		['C2-151 by header, with a sentence', html('<p>You are being sent on.</p>', { Refresh: '0; url=/new' })],
		['C2-150 by header, without a body', html('', { Refresh: '0;url=/new' })],
		[
			'C2-150 of two seconds, with a link',
			html('<META HTTP-EQUIV=Refresh CONTENT="2; URL=new"><p>Moved <a href="/new">here</a>.</p>'),
		],
		[
			'C2-150 in noscript',
			html('<script>location="/new"</script><noscript><meta http-equiv="refresh" content="0;url=/new"></noscript>'),
		],
		['C2-150 of a page with text', html(`<meta http-equiv="refresh" content="0;url=/new"><p>${text}</p>`)],
		['C2-150 of plain text', { headers: { 'Content-Type': 'text/plain', Refresh: '1;url=/new' }, body: 'See there.' }],
	] satisfies [string, TestAnswer][])('%s is a redirect', async (_, old) => {
		await sites.serve({ 'h.test/': htmlPage('Home', ['/old']), 'h.test/old': old, 'h.test/new': htmlPage('New') });
		const store = await openStore('memory', { clock: sites.clock });
		const first = await sites.crawl(['h.test/'], { ...own, store }, readPage);
		expect(first.ends).toEqual({
			'h.test/': 'fetched',
			'h.test/old': 'fetched redirected',
			'h.test/new': 'fetched',
		});
		expect(documents(first.results)).toBe(2);
		expect(sites.pages('h.test')).toEqual(['/', '/old', '/new']);
		const second = await sites.crawl(['h.test/'], { ...own, store, refresh: true }, readPage);
		expect(second.ends['h.test/old']).toBe('fetched redirected');
		await store.close();
	});

	it.each([
		['C2-152 to itself every 300 s', html(`<meta http-equiv="refresh" content="300"><p>${text}</p>`)],
		['C2-152 elsewhere after 30 s', html(`<meta http-equiv="refresh" content="30;url=/new"><p>${text}</p>`)],
		['C2-152 to itself at once', html(`<meta http-equiv="refresh" content="0;url=/live"><p>${text}</p>`)],
		['C2-152 after 3 s, of a page with text', html(`<p>${text}</p>`, { Refresh: '3;url=/new' })],
		[
			'C2-152 in noscript, of a page with text',
			html(`<noscript><meta http-equiv="refresh" content="0;url=/new"></noscript><p>${text}</p>`),
		],
	] satisfies [string, TestAnswer][])('%s is not a redirect', async (_, live) => {
		await sites.serve({ 'h.test/': htmlPage('Home', ['/live']), 'h.test/live': live });
		const { ends, results } = await sites.crawl(['h.test/'], own, readPage);
		expect(ends['h.test/live']).toBe('fetched');
		expect(documents(results)).toBe(2);
	});

	it('C2-150 follows the limits of redirects: scope, rules, loops, count', async () => {
		const to = (url: string) => html(`<meta http-equiv="refresh" content="0;url=${url}">`);
		await sites.serve({
			'h.test/robots.txt': { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed' },
			'h.test/': htmlPage('Home', ['/out', '/in', '/many/0', '/nofollow', '/turn']),
			'h.test/out': to('http://i.test/'),
			'h.test/in': to('/closed'),
			...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`h.test/many/${at}`, to(`/many/${at + 1}`)])),
			'h.test/nofollow': html(
				'<meta name="robots" content="nofollow"><meta http-equiv="refresh" content="0;url=/off">',
			),
			'h.test/turn': html(`<meta http-equiv="refresh" content="0;url=/turned"><p>${text}</p>`),
			'h.test/turned': html(`<meta http-equiv="refresh" content="0;url=/turn"><p>${text}</p>`),
		});
		const { ends, results } = await sites.crawl(['h.test/'], own, readPage);
		expect(ends).toMatchObject({
			'h.test/out': 'out-of-scope redirect-out-of-scope',
			'h.test/in': 'refused robots-disallow',
			'h.test/many/0': 'failed too-many-redirects',
			'h.test/nofollow': 'failed no-content',
			'h.test/turn': 'fetched redirected',
			'h.test/turned': 'fetched',
		});
		expect(sites.pages('h.test')).not.toContain('/off');
		expect(documents(results)).toBe(2);
	});

	it('C2-150 a single page is followed to its target', async () => {
		await sites.serve({
			'h.test/': html('<meta http-equiv="refresh" content="0;url=/new">'),
			'h.test/new': htmlPage('New'),
		});
		const { redirectedTo, document } = await sites.fetch('h.test/', { ownSites: ['h.test'], delay: 0 }, readPage);
		expect(redirectedTo).toBe(sites.url('h.test/new'));
		expect(document).toBeDefined();
	});
});

it.each([
	[
		'needs-rendering',
		'an application',
		'<div id="root"></div><noscript>Enable JavaScript.</noscript><script src="/a.js"></script>',
	],
	['needs-rendering', 'a script that leads on', '<title>Moved</title><script>location = "/new"</script>'],
	['no-content', 'a title', '<title>Nothing</title><body></body>'],
	['no-content', 'a menu', '<title>Menu</title><nav><a href="/new">New</a></nav>'],
])('C2-150 a page without text ends as failed %s: %s', async (reason, _, body) => {
	await sites.serve({ 'h.test/': htmlPage('Home', ['/old']), 'h.test/old': html(body), 'h.test/new': htmlPage('New') });
	const { ends, results } = await sites.crawl(['h.test/'], own, readPage);
	expect(ends['h.test/old']).toBe(`failed ${reason}`);
	expect(documents(results)).toBe(Object.keys(ends).length - 1);
	if (body.includes('href')) expect(ends['h.test/new']).toBe('fetched');
});
