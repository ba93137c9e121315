import { expect, it } from 'vitest';
import { readPage } from '../read/read-page.ts';
import { plain, type Sites, useSites } from '../testing/sites.ts';
import { htmlPage, type TestAnswer } from '../testing/web.ts';

const sites = useSites();
const typed = (type: string, body: string): TestAnswer => ({ headers: { 'Content-Type': type }, body });
const alternate = (type: string, href: string) => `<link rel="alternate" type="${type}" href="${href}">`;
const pages = (...names: string[]): Sites =>
	Object.fromEntries(names.map((name) => [`h.test/${name}`, htmlPage(name)]));
const fetched = (ends: Readonly<Record<string, string>>) =>
	Object.keys(ends)
		.filter((url) => ends[url] === 'fetched')
		.map((url) => url.slice('h.test'.length))
		.sort();

const rss = typed('application/rss+xml', '<rss><channel><link>/no</link><item><link>/r</link></item></channel></rss>');
const atom = typed(
	'application/atom+xml',
	'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="/feed2.atom"/><entry><link href="/a"/></entry></feed>',
);
const json = typed(
	'application/feed+json',
	JSON.stringify({
		version: 'https://jsonfeed.org/version/1.1',
		next_url: '/feed2.json',
		items: [{ id: '1', url: '/j', date_modified: '2026-01-02T03:04:05Z' }, { id: '2' }, 'x', { url: 'mailto:a@b' }],
	}),
);

it('RSS, Atom and JSON feeds that the front page names lead to their entries, and on to where they continue', async () => {
	const head = [
		alternate('application/rss+xml', '/feed.rss'),
		alternate('application/atom+xml', '/feed.atom'),
		alternate('application/feed+json', '/feed.json'),
		alternate('application/rss+xml', 'http://elsewhere.test/feed'),
	].join('');
	await sites.serve({
		'h.test/': htmlPage('Home', [], head),
		...pages('r', 'a', 'j', 'a2', 'j2'),
		'h.test/feed.rss': rss,
		'h.test/feed.atom': atom,
		'h.test/feed2.atom': typed('text/xml', '<feed><entry><link href="/a2"/></entry></feed>'),
		'h.test/feed.json': json,
		'h.test/feed2.json': typed(
			'application/json',
			JSON.stringify({ version: 'https://jsonfeed.org/version/1', next_url: '/feed2.json', items: [{ url: '/j2' }] }),
		),
	});
	const { ends, events, summary } = await sites.crawl(['h.test/'], {}, readPage);
	expect(fetched(ends)).toEqual(['/', '/a', '/a2', '/j', '/j2', '/r']);
	expect(sites.web.paths('elsewhere.test')).toEqual([]);
	expect(summary.sitemaps).toEqual({ read: 5, failed: 0 });
	expect(events).toContainEqual(
		expect.objectContaining({ type: 'sitemap', url: sites.url('h.test/feed.rss'), urls: 1 }),
	);
});

it('feeds of single pages are left alone, and all of them where sitemaps are not wanted or links not to be followed', async () => {
	const withFeed = (title: string, links: string[], more = '') =>
		htmlPage(title, links, alternate('application/rss+xml', `/${title}.rss`) + more);
	await sites.serve({ 'h.test/': htmlPage('Home', ['/post']), 'h.test/post': withFeed('post', []) });
	await sites.crawl(['h.test/'], {}, readPage);
	expect(sites.web.paths('h.test')).not.toContain('/post.rss');
	await sites.serve({ 'h.test/': withFeed('home', []) });
	await sites.crawl(['h.test/'], { sitemaps: false }, readPage);
	expect(sites.web.paths('h.test')).not.toContain('/home.rss');
	await sites.serve({ 'h.test/': withFeed('home', [], '<meta name="robots" content="nofollow">') });
	await sites.crawl(['h.test/'], {}, readPage);
	expect(sites.web.paths('h.test')).not.toContain('/home.rss');
});

it('Link headers lead to further pages and feeds, for Markdown too', async () => {
	const link = [
		'</next>; rel="next", </de>; rel=alternate; hreflang=de',
		'<canonical>; rel=canonical, </x.json>; rel=alternate; type="application/feed+json"',
		'</style>; rel=stylesheet, </other>; rel=next; anchor="#part", </pic.png>; rel=alternate; type=image/png',
	];
	await sites.serve({
		'h.test/': { headers: { 'Content-Type': 'text/markdown', Link: link }, body: '# Home\n\nSome text.' },
		...pages('next', 'de', 'canonical', 'j'),
		'h.test/x.json': json,
	});
	const { ends } = await sites.crawl(['h.test/'], {}, readPage);
	expect(fetched(ends)).toEqual(['/', '/canonical', '/de', '/j', '/next']);
	for (const path of ['/style', '/other', '/pic.png']) expect(sites.web.paths('h.test')).not.toContain(path);
});

it('a Refresh header leads on, from an answer without content too', async () => {
	const refresh = (value: string, body: string) => ({ headers: { 'Content-Type': 'text/html', Refresh: value }, body });
	await sites.serve({
		'h.test/': refresh("5;URL='/next'", htmlPage('Home', ['/empty', '/again', '/closed'])),
		'h.test/empty': refresh('0; /last', ''),
		'h.test/again': refresh('300', htmlPage('Again')),
		'h.test/closed': {
			headers: { 'Content-Type': 'text/html', Refresh: '0; url=/off', 'X-Robots-Tag': 'nofollow' },
			body: '',
		},
		...pages('next', 'last', 'off'),
	});
	const { ends } = await sites.crawl(['h.test/'], {}, readPage);
	expect(fetched(ends)).toEqual(['/', '/again', '/last', '/next']);
	expect(ends['h.test/empty']).toBe('fetched redirected');
});

it('llms.txt leads to what it lists', async () => {
	const text = '# Site\n\n> About it.\n\n- [Guide](/guide): how\n- https://h.test.invalid/x\n- <http://h.test/no>\n';
	await sites.serve({
		'h.test/': htmlPage('Home'),
		...pages('guide'),
		'h.test/llms.txt': plain(
			`${text}\n[Off](http://other.test/a) [Mail](mailto:a@b.test) [Terms](/robots2.txt) [Changes](/.well-known/pagedigest.json)`,
		),
	});
	const { ends, events } = await sites.crawl(['h.test/'], {}, readPage);
	expect(fetched(ends)).toEqual(['/', '/guide']);
	expect(sites.web.paths('other.test')).toEqual([]);
	expect(events).toContainEqual(
		expect.objectContaining({ type: 'sitemap', url: sites.url('h.test/llms.txt'), outcome: 'fetched', urls: 4 }),
	);
});

it('a web page under the name of llms.txt is none', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home'), 'h.test/llms.txt': htmlPage('Not found', ['/lost']) });
	const { events, summary } = await sites.crawl(['h.test/'], {}, readPage);
	expect(events).toContainEqual(expect.objectContaining({ type: 'sitemap', outcome: 'gone', reason: 'soft-404' }));
	expect(summary.sitemaps).toEqual({ read: 0, failed: 0 });
	expect(sites.pages('h.test')).toEqual(['/']);
});

it('a JSON file that is no feed is reported', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', [], alternate('application/feed+json', '/feed.json')),
		'h.test/feed.json': typed('application/json', '{"version": "https://jsonfeed.org/version/1.1"}'),
	});
	const { events, summary } = await sites.crawl(['h.test/'], {}, readPage);
	expect(events).toContainEqual(expect.objectContaining({ type: 'problem', code: 'sitemap-unreadable' }));
	const example = { url: sites.url('h.test/feed.json'), reason: 'sitemap-unreadable' };
	expect(summary.sitemaps).toEqual({ read: 0, failed: 1, example });
});
