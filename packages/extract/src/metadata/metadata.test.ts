import { describe, expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { type MetadataOptions, readMetadata } from './index.ts';

const pageUrl = 'https://site.example/dir/page.html';
const read = (html: string, options: MetadataOptions = {}) => readMetadata(parseHtml(html), pageUrl, options);

describe('identity', () => {
	it('AWI-27 title: og:title, then the first h1, then the title element', () => {
		const [graph, h1, title] = [
			'<meta property="og:title" content=" Graph  title ">',
			'<h1>First <i>head</i></h1><h1>Second</h1>',
			'<title>Element</title>',
		];
		expect(read(title + graph + h1).title).toBe('Graph title');
		expect(read(title + h1).title).toBe('First head');
		expect(read(title).title).toBe('Element');
		expect(read('<p>x').title).toBeUndefined();
	});
	it('AMB-22 empty candidates are passed over', () => {
		expect(
			read('<meta property="og:title" content=" "><title>E</title><h1> </h1><h1><span>Nested</span></h1>').title,
		).toBe('Nested');
		expect(read('<meta property="og:title" content=""><title> </title>').title).toBeUndefined();
	});
	it('AWI-28 description: meta name=description, then og:description', () => {
		const [own, graph] = [
			'<meta name="Description" content="Own">',
			'<meta property="og:description" content="Graph">',
		];
		expect(read(graph + own).description).toBe('Own');
		expect(read(graph).description).toBe('Graph');
		expect(read('<meta name=description content="">').description).toBeUndefined();
	});
	it('AWI-29 language is a well-formed tag or nothing', () => {
		expect(read('<html lang="en-us">').language).toBe('en-US');
		expect(read('<html lang="ZH-hant_tw">').language).toBe('zh-Hant-TW');
		expect(read('<html lang="english please">').language).toBeUndefined();
		expect(read('<html lang="x y z">').language).toBeUndefined();
		expect(read('<html lang="und">').language).toBeUndefined();
	});
	it('language: html lang, then the header, then the text', () => {
		const german = {
			mainText: () => 'Das ist ein Satz in deutscher Sprache, und er ist lang genug, um erkannt zu werden.',
		};
		expect(read('<html lang="fr">', { contentLanguage: 'de', ...german }).language).toBe('fr');
		expect(read('<p>', { contentLanguage: 'nl-BE', ...german }).language).toBe('nl-BE');
		expect(read('<p>', { contentLanguage: 'en, fr', ...german }).language).toBe('de');
		expect(read('<p>', german).language).toBe('de');
		expect(read('<p>', { mainText: () => '12 34' }).language).toBeUndefined();
	});
	it('the text is not asked for when the page says its language', () => {
		expect(() => read('<html lang="en">', { mainText: () => expect.unreachable() })).not.toThrow();
	});
	it('AWI-15 canonical: resolved, http(s) only, absent without the tag', () => {
		expect(read('<link rel="Canonical alternate" href="../x">').canonicalUrl).toBe('https://site.example/x');
		expect(read('<base href="https://other.example/"><link rel=canonical href="y">').canonicalUrl).toBe(
			'https://other.example/y',
		);
		expect(read('<link rel=canonical href="ftp://a/b">').canonicalUrl).toBeUndefined();
		expect(read('<link rel=canonical href="">').canonicalUrl).toBeUndefined();
		expect(read('<p>x').canonicalUrl).toBeUndefined();
	});
});

describe('structure', () => {
	it('AWI-35 headings in order, with level, text and id', () => {
		const html =
			'<h1>One<a class="headerlink" href="#o">¶</a></h1><section><h2 id="x">Two <b>bold</b></h2></section><h3></h3><h3>C#</h3>';
		expect(read(html).headings).toEqual([
			{ level: 1, text: 'One' },
			{ level: 2, text: 'Two bold', id: 'x' },
			{ level: 3, text: 'C#' },
		]);
	});
	it('AWI-36 AMB-24 links that resolve to http(s), in order, duplicates kept', () => {
		const html =
			'<a href="b.html">plain</a><a href="b.html" rel=" nofollow  ugc "> </a><a>none</a><a href="mailto:a@b.c">m</a><a href="javascript:x">j</a><a href="#f">f</a><a href="http://[">bad</a>';
		expect(read(html).links).toEqual([
			{ url: 'https://site.example/dir/b.html', text: 'plain', internal: true },
			{ url: 'https://site.example/dir/b.html', internal: true, rel: 'nofollow ugc' },
			{ url: 'https://site.example/dir/page.html#f', text: 'f', internal: true },
		]);
	});
	it('AWI-37 internal means the same host: no www., any port and scheme', () => {
		const html =
			'<a href="https://site.example/a"></a><a href="https://www.site.example/"></a><a href="http://SITE.example:8080/"></a><a href="https://other.example/"></a>';
		expect(read(html).links.map(({ internal }) => internal)).toEqual([true, false, true, false]);
	});
	it('AWI-38 images with url and alt, a lazy one by the address it will load', () => {
		const html =
			'<img src="a.png" alt="A"><img src="b.png"><img src="data:x" data-src="c.png" alt=""><noscript><img src="c.png"></noscript><img>';
		expect(read(html).images).toEqual([
			{ url: 'https://site.example/dir/a.png', alt: 'A' },
			{ url: 'https://site.example/dir/b.png' },
			{ url: 'https://site.example/dir/c.png' },
		]);
	});
	const block = (json: string): string => `<script type="application/ld+json">${json}</script>`;
	it('AWI-39 AMB-26 one object keyed by type holds all blocks', () => {
		const html =
			block('{"@context":"x","@type":"Article","headline":"A"}') +
			block(
				'{"@graph":[{"@type":["Person","Thing"],"name":"P"},{"@type":"https://schema.org/Article","headline":"B"}]}',
			) +
			block('[{"name":"nameless"}]');
		expect(read(html).structuredData).toEqual({
			Article: [
				{ '@type': 'Article', headline: 'A' },
				{ '@type': 'https://schema.org/Article', headline: 'B' },
			],
			Person: { '@type': ['Person', 'Thing'], name: 'P' },
			Thing: { name: 'nameless' },
		});
		expect(read('<p>x')).not.toHaveProperty('structuredData');
	});
	it('a type called __proto__ is a key like any other', () => {
		const data = read(block('{"@type":"__proto__","polluted":1}')).structuredData;
		expect(Object.keys(data!)).toEqual(['__proto__']);
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
	});
	it('AWI-40 AMB-27 has_json_ld: a block that is not empty, readable or not', () => {
		expect(read(block('{"@type":"Article"}')).hasJsonLd).toBe(true);
		expect(read(block('nonsense')).hasJsonLd).toBe(true);
		expect(read(block('  ')).hasJsonLd).toBe(false);
		expect(read('<p>x').hasJsonLd).toBe(false);
		expect(read(block('nonsense')).page.problems?.map(({ code }) => code)).toEqual(['jsonld-unreadable']);
		expect(read(block('{"@type":"Article",}')).page.problems?.map(({ code }) => code)).toEqual(['jsonld-repaired']);
	});
});

describe('page', () => {
	it('robots tags by name, discovery links, refresh', () => {
		const { page } = read(
			'<meta name="ROBOTS" content="noindex"><meta name="Googlebot" content="nosnippet"><meta name="viewport" content="x"><meta name="tdm-reservation" content="1"><meta name="som-endpoint" content="/som"><link rel="next" href="2"><link rel="stylesheet" href="s.css"><link rel="icon" href="i"><meta http-equiv="Refresh" content="0;URL=\'/to\'">',
		);
		expect(page.robots).toEqual([
			{ name: 'robots', content: 'noindex' },
			{ name: 'googlebot', content: 'nosnippet' },
			{ name: 'tdm-reservation', content: '1' },
			{ name: 'som-endpoint', content: '/som' },
		]);
		expect(page.links).toEqual([{ rel: 'next', url: 'https://site.example/dir/2' }]);
		expect(page.refresh).toEqual({ seconds: 0, url: 'https://site.example/to', noscript: false });
	});
	it('a refresh in noscript says so; one without address is none', () => {
		expect(read('<noscript><meta http-equiv=refresh content="5; url=/plain"></noscript>').page.refresh).toEqual({
			seconds: 5,
			url: 'https://site.example/plain',
			noscript: true,
		});
		expect(read('<meta http-equiv=refresh content="30">').page.refresh).toBeUndefined();
	});
	it('a page that says nothing has nothing', () => {
		expect(read('<p>x').page).toEqual({});
	});
	it('classes of the body and cards with contact data are no by-lines', () => {
		const body = '<body class="page single-author author-hidden"><a href="#c">Skip to content</a><h1>Posts</h1>';
		expect(read(`${body}<p>A text about posts.</p>`).page.author).toBeUndefined();
		expect(
			read('<h1>Posts</h1><div class="vcard"><h4>Phone:</h4><p>209 372 0200</p></div>').page.author,
		).toBeUndefined();
	});
	it('an organisation gives way to the person of the by-line', () => {
		const html = '<meta name=author content="Desk Team"><h1>T</h1><p>By Ina Falk</p><p>Text.</p>';
		expect(read(html).page.author).toEqual(['Ina Falk']);
		expect(read('<meta name=author content="Desk Team"><h1>T</h1>').page.author).toEqual(['Desk Team']);
		expect(read(html, { starter: 'seaman' }).page.author).toEqual(['seaman']);
		expect(read(html, { starter: 'Bergen, NO' }).page.author).toEqual(['Ina Falk']);
	});
	it('dates and names of comments and related pages are not those of the page', () => {
		const html =
			'<article><h1>T</h1><p>Text.</p></article><div class="comments"><span class=author>Troll</span><time datetime="2020-01-01">x</time></div><footer><time datetime="2019-01-01">y</time></footer>';
		expect(read(html).page).toEqual({ title: 'T' });
	});
	it('a visible date near the heading is the last resort', () => {
		expect(read('<h1>T</h1><div><p>March 4, 2026 · 5 min read</p></div>').page.published).toBe('2026-03-04');
		expect(read('<h1>T</h1><p>Updated May 2, 2025 · Published May 1, 2024</p>').page.published).toBe('2024-05-01');
	});
});

describe('people and dates on a list', () => {
	const shown = '<h1>Posts</h1><p class="byline">by Ada Brandt</p><time datetime="2024-02-03">Feb 3</time><p>text</p>';
	const page = (contentType: 'listing' | 'article', html = shown) =>
		readMetadata(parseHtml(html), 'https://a.test/', { contentType }).page;

	it('is about what it lists', () => {
		expect(page('listing')).toEqual({ title: 'Posts' });
		expect(page('article')).toEqual({ title: 'Posts', author: ['Ada Brandt'], published: '2024-02-03' });
	});

	it('but its head speaks of itself', () => {
		const head = '<meta name="author" content="Ole Holm"><meta name="date" content="2024-05-06">';
		expect(page('listing', head + shown)).toMatchObject({ author: ['Ole Holm'], published: '2024-05-06' });
	});
});

it('the heading of a home page is its title where the head says much the same, else the head is', () => {
	const title = (html: string) => readMetadata(parseHtml(html), pageUrl, { contentType: 'home' }).page.title;
	const slogan = '<h1>You deserve the best of days.</h1><p>Text.</p>';
	expect(title(`<title>Acme: Rockets for the Desert</title>${slogan}`)).toBe('Acme: Rockets for the Desert');
	expect(title(`<title>Acme | The best days, deserved</title>${slogan}`)).toBe('You deserve the best of days.');
	expect(title(slogan)).toBe('You deserve the best of days.');
});

it('does not take the author and date of the subject of an article for its own', () => {
	const rows = '<tr><th>Written by<td>Hideyuki Kurata<tr><th>Original run<td>October 14, 1999';
	const page = (name: string) =>
		read(`<h1>A series</h1><table class="${name}">${rows}</table><p>It has thirteen parts.`, { contentType: 'article' })
			.page;
	expect(page('facts')).toMatchObject({ author: ['Hideyuki Kurata'], published: '1999-10-14' });
	expect(page('infobox vevent').author).toBeUndefined();
	expect(page('infobox vevent').published).toBeUndefined();
});
