import { readFileSync } from 'node:fs';
import { mediaTypeOfFile } from '@wayleave/protocols/file-types';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFileConverter, type FileSource } from '../read/convert-file.ts';
import { readPage } from '../read/read-page.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const loads = vi.hoisted(() => ({ count: 0 }));
vi.mock(import('@wayleave/files'), async (load) => {
	loads.count++;
	return load();
});

const sites = useSites();
let store: Store;
beforeEach(async () => {
	store = await openStore('memory');
});
afterEach(() => store.close());

const report = readFileSync(new URL('../../../files/src/testing/fixtures/tagged.pdf', import.meta.url));
const asPdf = { 'Content-Type': 'application/pdf' };
const asDocx = { 'Content-Type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' };
/** A compound file that holds an encrypted DOCX file. */
const locked = Buffer.concat([
	Buffer.from('d0cf11e0a1b11ae1', 'hex'),
	Buffer.alloc(512),
	Buffer.from('EncryptedPackage', 'utf16le'),
]);

it('a crawl without files loads no code that reads them, and one with a file loads it once', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/after']),
		'h.test/after': htmlPage('After'),
		'h.test/report.pdf': { headers: asPdf, body: report },
	});
	const { ends } = await sites.crawl(['h.test/'], { store }, readPage);
	expect(ends).toMatchObject({ 'h.test/': 'fetched', 'h.test/after': 'fetched' });
	expect(loads.count).toBe(0);
	await sites.crawl(['h.test/report.pdf'], {}, readPage);
	expect(loads.count).toBe(1);
});

it('AMB-31 a PDF is a document: its pages have anchors, its links are followed, a damaged one fails alone', async () => {
	await sites.serve({
		'h.test/': htmlPage('Home', ['/report.pdf', '/damaged.pdf', '/locked.docx', '/after']),
		'h.test/report.pdf': ({ headers }) =>
			headers['if-none-match'] === '"1"' ? { status: 304 } : { headers: { ...asPdf, ETag: '"1"' }, body: report },
		'h.test/damaged.pdf': { headers: asPdf, body: report.subarray(0, 20_000) },
		'h.test/locked.docx': { headers: asDocx, body: locked },
		'h.test/after': htmlPage('After'),
	});
	const first = await sites.crawl(['h.test/'], { store }, readPage);
	expect(first.ends).toMatchObject({
		'h.test/report.pdf': 'fetched',
		'h.test/damaged.pdf': 'failed file-damaged',
		'h.test/locked.docx': 'failed file-encrypted',
		'h.test/after': 'fetched',
	});
	const result = first.results.find(({ url }) => url.endsWith('/report.pdf'));
	const { document, page, representation } = result ?? {};
	const markdown = document?.content.markdown ?? '';
	expect(document?.identity).toMatchObject({ title: expect.stringMatching(/\w/), language: 'en' });
	expect(representation).toMatchObject({ kind: 'pdf', bytes: report.length });
	expect(page?.file).toMatchObject({ format: 'pdf', pages: 3 });
	for (const { page: number, id, at } of page?.file?.anchors ?? [])
		expect(markdown.slice(at)).toMatch(new RegExp(`^<a id="${id}"></a>`, number === 1 ? '' : 'u'));
	expect(page?.file?.anchors).toHaveLength(3);
	// Links inside of the file are judged like those of a page.
	const inside = document?.structure?.links?.map(({ url }) => url) ?? [];
	expect(inside.length).toBeGreaterThan(0);
	const known = await store.frontier.find(inside[0] ?? '');
	expect(known?.reason).toBe('other-host');
	const second = await sites.crawl(['h.test/'], { store }, readPage);
	expect(second.ends['h.test/report.pdf']).toBe('unchanged not-modified');
	expect(second.results.find(({ url }) => url.endsWith('/report.pdf'))?.document?.content.markdown).toBe(markdown);
});

const fixture = (name: string) => readFileSync(new URL(`../../../files/src/testing/fixtures/${name}`, import.meta.url));

it.each([
	['pandoc.epub', 'application/epub+zip', ['chapter-1', 'chapter-2', 'chapter-3'], undefined],
	['pandoc.odt', 'application/zip', undefined, undefined],
	[
		'pandoc.pptx',
		'application/octet-stream',
		['slide-1', 'slide-2', 'slide-3', 'slide-4', 'slide-5', 'slide-6'],
		undefined,
	],
	['exceljs.xlsx', 'application/vnd.ms-excel', ['sheet-1'], 4],
])('%s, sent as %s, is a document with its anchors and what was left out', async (name, type, anchors, leftOut) => {
	const kind = name.replace(/^.*\./, '');
	await sites.serve({
		'h.test/robots.txt': plain('User-agent: *\nDisallow: /not'),
		'h.test/': htmlPage('Home', [`/a.${kind}`, `/not.${kind}`, `/cut.${kind}`]),
		[`h.test/a.${kind}`]: { headers: { 'Content-Type': type }, body: fixture(name) },
		[`h.test/cut.${kind}`]: {
			headers: { 'Content-Type': mediaTypeOfFile(name) ?? '' },
			body: fixture(name).subarray(0, 3000),
		},
	});
	const { ends, results } = await sites.crawl(['h.test/'], { store }, readPage);
	expect(ends).toMatchObject({
		[`h.test/a.${kind}`]: 'fetched',
		[`h.test/not.${kind}`]: 'refused robots-disallow',
		[`h.test/cut.${kind}`]: 'failed file-damaged',
	});
	const { document, page, representation } = results.find(({ url }) => url.endsWith(`/a.${kind}`)) ?? {};
	expect(representation?.kind).toBe(kind);
	expect(document?.content.markdown).toMatch(/^\| Oak & Elm/m);
	expect(document?.content.markdown).not.toContain('Secret');
	expect(page?.file?.format).toBe(kind);
	expect(page?.file?.anchors?.map(({ id }) => id)).toEqual(anchors);
	for (const { id, at } of page?.file?.anchors ?? [])
		expect(document?.content.markdown.startsWith(`<a id="${id}"></a>`, at)).toBe(true);
	expect(page?.file?.leftOut?.length).toBe(leftOut);
});

it('the terms of a file are those of its address, as for a page', async () => {
	const terms = {
		'a.test': { 'X-Robots-Tag': 'none' },
		'b.test': { 'X-Robots-Tag': 'noai' },
		'c.test': { 'X-Robots-Tag': 'nofollow' },
		'd.test': { 'Content-Usage': 'train-ai=n' },
		'e.test': { 'tdm-reservation': '1' },
	};
	const hosts = Object.entries(terms).map(([host, headers]) => [
		[`${host}/robots.txt`, plain('User-agent: *\nDisallow: /not')],
		[`${host}/`, htmlPage('Home', ['/a.html', '/a.pdf', '/not.pdf'])],
		[`${host}/a.html`, { headers: { 'Content-Type': 'text/html', ...headers }, body: htmlPage('A') }],
		[`${host}/a.pdf`, { headers: { ...asPdf, ...headers }, body: report }],
		[`${host}/not.pdf`, { headers: asPdf, body: report }],
	]);
	await sites.serve(Object.fromEntries(hosts.flat()));
	const { ends, results } = await sites.crawl(
		Object.keys(terms).map((host) => `${host}/`),
		{ store },
		readPage,
	);
	for (const host of Object.keys(terms)) {
		expect(ends[`${host}/a.pdf`], host).toBe(ends[`${host}/a.html`]);
		expect(ends[`${host}/not.pdf`], host).toBe('refused robots-disallow');
		const [page, file] = ['a.html', 'a.pdf'].map((name) =>
			results.find(({ url }) => url === sites.url(`${host}/${name}`)),
		);
		expect(JSON.stringify(file?.policy ?? {}).replaceAll('a.pdf', 'a.html')).toBe(JSON.stringify(page?.policy ?? {}));
	}
});

it('without the package a file ends as unsupported-type, and a sentence says how to get it', async () => {
	const missing = Object.assign(new Error("Cannot find package '@wayleave/files' imported from /x.js"), {
		code: 'ERR_MODULE_NOT_FOUND',
	});
	const converter = createFileConverter(
		readPage,
		() => {},
		() => Promise.reject(missing),
	);
	const read = converter.read({ kind: 'pdf', body: report } as unknown as FileSource);
	await expect(read).rejects.toMatchObject({
		reason: 'unsupported-type',
		message: expect.stringMatching(/^to read PDF files, install the package @wayleave\/files: npm install/),
	});
	await converter.close();
});

const alternatesIn = ({ results }: Awaited<ReturnType<typeof sites.crawl>>, name: string) =>
	results.find(({ url }) => url === sites.url(name))?.page?.alternates;

it('a landing page and its file name each other, whatever the file is redirected to', async () => {
	const landing = (file: string) => htmlPage('Paper', [], `<meta name="citation_pdf_url" content="${file}">`);
	await sites.serve({
		'h.test/': htmlPage('Papers', ['/one', '/two', '/three', '/listed.pdf']),
		'h.test/one': landing('/one.pdf'),
		'h.test/one.pdf': { headers: asPdf, body: report },
		'h.test/two': landing('/download?id=2'),
		'h.test/download?id=2': { status: 302, headers: { Location: '/files/two.pdf' } },
		'h.test/files/two.pdf': { headers: asPdf, body: Buffer.concat([report, Buffer.from('\n% two\n')]) },
		'h.test/three': {
			headers: {
				'Content-Type': 'text/html',
				Link: '</three.pdf>; rel="item"; type="application/pdf", </x>; rel="next"',
			},
			body: htmlPage('Three'),
		},
		'h.test/three.pdf': {
			headers: {
				...asPdf,
				Link: '</three>; rel="collection"; type="text/html", </data.json>; rel="alternate"; type="application/json"',
			},
			body: Buffer.concat([report, Buffer.from('\n% three\n')]),
		},
		'h.test/listed.pdf': { headers: asPdf, body: Buffer.concat([report, Buffer.from('\n% listed\n')]) },
	});
	const crawled = await sites.crawl(['h.test/'], { store }, readPage);
	const page = (name: string) => ({ url: sites.url(name), type: 'text/html' });
	const file = (name: string) => ({ url: sites.url(name), type: 'application/pdf' });
	expect(alternatesIn(crawled, 'h.test/one')).toEqual([file('h.test/one.pdf')]);
	expect(alternatesIn(crawled, 'h.test/one.pdf')).toEqual([page('h.test/one')]);
	expect(alternatesIn(crawled, 'h.test/two')).toEqual([file('h.test/download?id=2')]);
	const two = crawled.results.find(({ page: read }) =>
		read?.alternates?.some(({ url }) => url === sites.url('h.test/two')),
	);
	expect(two?.representation?.kind).toBe('pdf');
	expect(alternatesIn(crawled, 'h.test/three')).toEqual([file('h.test/three.pdf')]);
	expect(alternatesIn(crawled, 'h.test/three.pdf')).toEqual([page('h.test/three')]);
	expect(crawled.ends['h.test/listed.pdf']).toBe('fetched');
	expect(alternatesIn(crawled, 'h.test/listed.pdf')).toBeUndefined();
});

it('a landing page that no longer names a file is not given with it', { timeout: 180_000 }, async () => {
	let names = '<meta name="citation_pdf_url" content="/one.pdf">';
	let version = 1;
	await sites.serve({
		'h.test/': htmlPage('Papers', ['/one', '/one.pdf']),
		'h.test/one': () => ({ headers: { 'Content-Type': 'text/html' }, body: htmlPage(`Paper ${version}`, [], names) }),
		'h.test/one.pdf': () => ({ headers: asPdf, body: Buffer.concat([report, Buffer.from(`\n% ${version}\n`)]) }),
	});
	await sites.crawl(['h.test/'], { store }, readPage);
	names = '';
	version = 2;
	await sites.crawl(['h.test/'], { store, refresh: true }, readPage);
	version = 3;
	const last = await sites.crawl(['h.test/'], { store, refresh: true }, readPage);
	expect(last.ends['h.test/one.pdf']).toBe('fetched');
	expect(alternatesIn(last, 'h.test/one.pdf')).toBeUndefined();
});
