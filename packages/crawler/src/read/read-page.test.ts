import { describe, expect, it } from 'vitest';
import { fetchDocument } from '../engine/fetch-document.ts';
import { startWeb } from '../testing/web.ts';
import { readPage } from './read-page.ts';

const fetched = {
	url: 'https://h.test/dir/x',
	freshnessPolicy: 'cache_first',
	cache: { status: 'miss', origin_contacted: true, body_fetched: true },
} as const;
const read = (html: string | Uint8Array, kind: 'html' | 'text' | 'markdown' = 'html', contentType?: string) =>
	readPage({
		kind,
		body: typeof html === 'string' ? new TextEncoder().encode(html) : html,
		contentType,
		contentLanguage: undefined,
		economics: false,
		fetched,
	});

describe('links of a page', () => {
	it('anchors, and what is named as next, previous, canonical or another language', async () => {
		const { links } = await read(`<html><head><link rel="canonical" href="/canonical"><link rel="next" href="?page=2">
			<link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/rss+xml" href="/feed">
			<link rel="stylesheet" href="/style.css"></head><body><a href="../y">y</a><a href="mailto:a@b.test">m</a></body></html>`);
		expect(links).toEqual(
			expect.arrayContaining([
				'https://h.test/y',
				'https://h.test/dir/x?page=2',
				'https://h.test/canonical',
				'https://h.test/de',
			]),
		);
		expect(links.join(' ')).not.toMatch(/feed|style|mailto/);
	});

	it('frames and areas of image maps, which are no links of the document', async () => {
		const frameset = await read(
			'<html><head><title>API</title></head><frameset cols="20%,80%"><frame src="all.html"><frame src="/main.html"></frameset></html>',
		);
		expect(frameset.links).toEqual(['https://h.test/dir/all.html', 'https://h.test/main.html']);
		const map = await read('<p>x<img usemap="#m" src="m.png"><map name="m"><area href="a"><area nohref></map>');
		expect(map.links).toEqual(['https://h.test/dir/a']);
		expect(map.document.structure.links ?? []).toEqual([]);
	});

	it('CB-41 CB-43 a refresh is followed, inside noscript too', async () => {
		for (const html of [
			'<meta http-equiv="refresh" content="0; url=../p/3">',
			'<noscript><meta http-equiv="refresh" content="0; url=../p/3"></noscript>',
		])
			expect((await read(`<html><head>${html}</head><body>x</body></html>`)).links).toContain('https://h.test/p/3');
	});
});

describe('text', () => {
	it('Markdown keeps its words, and gives its headings and links', async () => {
		const { document, links } = await read(
			'# Title\n\nText with [a link](/a) and <https://b.test/>.\n\n```\n# no heading\n```\n\n## Two ##\n',
			'markdown',
		);
		expect(document.content.markdown).toContain('Text with [a link](/a)');
		expect(document.identity.title).toBe('Title');
		expect(document.structure.headings).toEqual([
			{ level: 1, text: 'Title' },
			{ level: 2, text: 'Two' },
		]);
		expect(links).toEqual(['https://h.test/a', 'https://b.test/']);
	});

	it('plain text is what it is', async () => {
		const { document, links } = await read('# not a heading\r\nline two', 'text');
		expect(document.content.markdown).toBe('# not a heading\nline two');
		expect(document.structure.headings).toBeUndefined();
		expect(links).toEqual([]);
	});
});

it('AMB-98 the page has the source of its encoding', async () => {
	const { document, page } = await read(
		Buffer.from(
			'<html><head><meta charset=windows-1251><title>\xcf\xf0\xe8\xe2\xe5\xf2</title></head></html>',
			'latin1',
		),
	);
	expect(document.identity.title).toBe('Привет');
	expect(page).toMatchObject({ charset: { encoding: 'windows-1251', source: 'meta' } });
});

it('AMB-98 a page that declares two encodings says so', async () => {
	const html = Buffer.from('<html><head><meta charset=utf-8><title>O\xf9</title></head></html>', 'latin1');
	const { document, page } = await read(html, 'html', 'text/html; charset=windows-1252');
	expect(document.identity.title).toBe('Où');
	expect(page.problems).toEqual([
		{
			code: 'charset-conflict',
			severity: 'warning',
			line: 0,
			column: 0,
			args: { used: 'windows-1252', unused: 'utf-8' },
		},
	]);
});

it('one page over the network, with the real reader', async () => {
	const web = await startWeb(({ path }) =>
		path === '/' ? '<html lang="en"><title>T</title><main><h1>Head</h1><p>Some text.</p></main></html>' : undefined,
	);
	const { outcome, document } = await fetchDocument(web.url('h.test'), {
		lookup: web.lookup,
		delay: 0,
		ownSites: ['h.test'],
		economics: true,
	});
	expect(outcome).toBe('fetched');
	expect(document?.identity.title).toBe('Head');
	expect(document?.schema.ref).toMatch(/^aidoc:sha256:[0-9a-f]{32}$/);
	expect(document?.economics?.raw_html_tokens_approx).toBeGreaterThan(0);
	await web.close();
});
