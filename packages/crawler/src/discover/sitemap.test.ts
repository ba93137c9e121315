import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzipAll } from './gunzip.ts';
import { readSitemap } from './sitemap.ts';
import type { SitemapEntry } from './sitemap-entry.ts';

const base = 'https://a.test/maps/sitemap.xml';

function read(source: string | Uint8Array) {
	const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
	const entries: SitemapEntry[] = [];
	const batches = readSitemap(bytes, base);
	let batchCount = 0;
	for (let step = batches.next(); ; step = batches.next()) {
		if (step.done) return { entries, urls: entries.map(({ url }) => url), problems: step.value, batchCount };
		entries.push(...step.value);
		batchCount++;
	}
}

const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code).sort();

describe('XML', () => {
	it('url set with lastmod', () => {
		const { entries, problems } = read(
			'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.test/1</loc><lastmod>2026-01-02</lastmod></url></urlset>',
		);
		expect(entries).toEqual([{ url: 'https://a.test/1', kind: 'page', lastModified: '2026-01-02' }]);
		expect(problems).toEqual([]);
	});

	it('index', () => {
		const { entries } = read('<sitemapindex><sitemap><loc>https://a.test/s-1.xml.gz</loc></sitemap></sitemapindex>');
		expect(entries).toEqual([{ url: 'https://a.test/s-1.xml.gz', kind: 'sitemap' }]);
	});

	it('CB-90 CB-91 CDATA, entities, spaces, relative addresses, a byte order mark', () => {
		const { urls } = read(
			'\uFEFF<urlset><url><loc><![CDATA[https://a.test/?x=1&y=2]]></loc></url><url><loc>\n https://a.test/?a=1&amp;b=&#50; </loc></url><url><loc>../rel</loc></url></urlset>',
		);
		expect(urls).toEqual(['https://a.test/?x=1&y=2', 'https://a.test/?a=1&b=2', 'https://a.test/rel']);
	});

	it.each([
		['no namespace', '<urlset><url><loc>https://a.test/1</loc></url></urlset>'],
		[
			'foreign namespace',
			'<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>https://a.test/1</loc></url></urlset>',
		],
		['prefix', '<sm:urlset xmlns:sm="x"><sm:url><sm:loc>https://a.test/1</sm:loc></sm:url></sm:urlset>'],
		[
			'images',
			'<urlset><url><loc>https://a.test/1</loc><image:image><image:loc>https://a.test/i.png</image:loc></image:image></url></urlset>',
		],
		[
			'image first',
			'<urlset><url><image:loc>https://a.test/i.png</image:loc><loc>https://a.test/1</loc></url></urlset>',
		],
	])('CB-98 %s', (_, source) => {
		expect(read(source).urls).toEqual(['https://a.test/1']);
	});

	it('CB-99 XB-66 recovers what is not XML, and says what is wrong', () => {
		const { urls, problems } = read(' \n<?xml version="1.0"?><urlset><url><loc>https://a.test/?a=1&b=2</loc></url>');
		expect(urls).toEqual(['https://a.test/?a=1&b=2']);
		expect(codes(problems)).toEqual(['sitemap-raw-ampersand', 'sitemap-unclosed', 'sitemap-xml-declaration-not-first']);
		expect(problems.find(({ code }) => code === 'sitemap-raw-ampersand')?.line).toBe(2);
	});

	it('a file cut in the middle gives the complete entries', () => {
		const { urls } = read('<urlset><url><loc>https://a.test/1</loc></url><url><loc>https://a.te');
		expect(urls[0]).toBe('https://a.test/1');
	});

	it('entities that are defined in the file are not expanded', () => {
		const { urls } = read(
			'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>https://a.test/&b;</loc></url></urlset>',
		);
		expect(urls).toEqual([]);
	});

	it.each([
		['UTF-8 that a .NET program calls UTF-16', '<?xml version="1.0" encoding="utf-16"?>', 'utf8', ''],
		['UTF-16 with a mark', '<?xml version="1.0" encoding="UTF-16"?>', 'utf16le', '\uFEFF'],
		['UTF-16 without one', '<?xml version="1.0" encoding="UTF-16"?>', 'utf16le', ''],
	] as const)('%s', (_, declaration, encoding, mark) => {
		const text = `${mark}${declaration}<urlset><url><loc>https://a.test/é</loc></url></urlset>`;
		expect(read(Buffer.from(text, encoding)).urls).toEqual(['https://a.test/%C3%A9']);
	});

	it('RFC 4287 §2 addresses of a feed start from xml:base', () => {
		const { entries } = read(
			`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/?a=1&amp;b=2"><link rel="next" href="page2.xml"/>
			<entry><link href="one"/></entry><entry xml:base="sub/"><link href="two"/></entry><entry><link href="three"/></entry></feed>`,
		);
		expect(entries).toEqual([
			{ url: 'https://a.test/blog/page2.xml', kind: 'sitemap' },
			{ url: 'https://a.test/blog/one', kind: 'page' },
			{ url: 'https://a.test/blog/sub/two', kind: 'page' },
			{ url: 'https://a.test/blog/three', kind: 'page' },
		]);
	});

	it('feeds count as sitemaps', () => {
		expect(
			read('<rss><channel><link>https://a.test/</link><item><link>https://a.test/1</link></item></channel></rss>').urls,
		).toEqual(['https://a.test/1']);
		expect(
			read(
				'<feed><link href="/"/><entry><link rel="alternate" href="https://a.test/2"/><link rel="self" href="/x"/></entry></feed>',
			).urls,
		).toEqual(['https://a.test/2']);
	});

	it('RSS 2.0 an item without a link is found by its guid', () => {
		const { urls, problems } = read(`<rss><channel><item><guid>https://a.test/1</guid></item>
			<item><guid isPermaLink="false">https://a.test/no</guid></item><item><guid>tag:a.test,2026:2</guid></item>
			<item><guid>https://a.test/short</guid><link>https://a.test/3</link></item></channel></rss>`);
		expect(urls).toEqual(['https://a.test/1', 'https://a.test/3']);
		expect(problems).toEqual([]);
	});

	it('a page of HTML is no sitemap', () => {
		expect(codes(read('<!doctype html><html><body><a href="/x">x</a></body></html>').problems)).toContain(
			'sitemap-unreadable',
		);
	});

	it('50,000 addresses come in batches', () => {
		const urls = Array.from({ length: 50_000 }, (_, at) => `<url><loc>https://a.test/page/${at}</loc></url>`);
		const result = read(`<urlset>${urls.join('')}</urlset>`);
		expect(result.urls.length).toBe(50_000);
		expect(result.batchCount).toBeGreaterThan(25);
		expect(result.problems).toEqual([]);
	});
});

describe('text', () => {
	it('one address per line', () => {
		expect(read('https://a.test/1\r\nhttps://a.test/2\n\n').urls).toEqual(['https://a.test/1', 'https://a.test/2']);
	});

	it('a line that is none is reported', () => {
		const { urls, problems } = read('https://a.test/1\nnonsense\n');
		expect(urls).toEqual(['https://a.test/1']);
		expect(problems[0]).toMatchObject({ code: 'sitemap-bad-url', line: 2 });
	});

	it('anything else is unreadable', () => {
		expect(codes(read('Not found').problems)).toEqual(['sitemap-unreadable']);
	});
});

describe('gzip', () => {
	const plain = new TextEncoder().encode('https://a.test/1\n'.repeat(100));

	it('CB-93 XB-64 every layer is taken off', async () => {
		expect((await gunzipAll(gzipSync(gzipSync(plain)), 10_000)).bytes.length).toBe(plain.length);
	});

	it('CB-94 XB-62 reads a body as it is if it only claims to be compressed', async () => {
		expect((await gunzipAll(plain, 10_000)).bytes).toBe(plain);
	});

	it('CB-89 damaged data is a problem, not an error', async () => {
		const broken = Uint8Array.from([0x1f, 0x8b, 8, 0, 9, 9, 9, 9, 9, 9, 255, 255, 3, 4]);
		expect((await gunzipAll(broken, 10_000)).problem).toBe('sitemap-gzip-broken');
	});

	it('CB-93 the limit counts decoded bytes', async () => {
		expect((await gunzipAll(gzipSync(new Uint8Array(100_000)), 10_000)).problem).toBe('sitemap-too-large');
	});

	it('data that breaks off gives its beginning', async () => {
		const whole = gzipSync(plain);
		expect((await gunzipAll(whole.subarray(0, whole.length - 4), 10_000)).bytes.length).toBe(plain.length);
	});

	it('CB-97 a compressed list of addresses', async () => {
		const { bytes } = await gunzipAll(gzipSync(plain), 10_000);
		expect(read(bytes).urls.length).toBe(100);
	});
});
