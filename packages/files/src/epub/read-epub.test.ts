import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { epubWith } from '../testing/write-office.ts';
import { defaultLimits } from '../types.ts';
import { readEpub } from './read-epub.ts';

const read = (bytes: Uint8Array) => readEpub(bytes, defaultLimits, () => {});
const bodyOf = async (bytes: Uint8Array) => (await read(bytes)).html.replace(/^.*<main>|<\/main>.*$/gs, '');

it('reads a book by pandoc: metadata, chapters, lists, tables, notes, code and pictures', async () => {
	const { html, pages } = await read(readFileSync(new URL('../testing/fixtures/pandoc.epub', import.meta.url)));
	expect(pages).toBe(3);
	expect(html).toContain('<html lang="de"><head><meta charset="utf-8"><title>Tides &amp; Herons</title>');
	expect(html).toContain('<meta name="author" content="Ada Example"><meta name="author" content="Bo Sample">');
	expect(html).toContain('<meta property="article:published_time" content="2024-05-06">');
	expect(html.match(/<a id="[^"]*"><\/a>|<h\d>.*?<\/h\d>/g)).toEqual([
		'<a id="chapter-1"></a>',
		'<h1>Tides &amp; Herons</h1>',
		'<a id="chapter-2"></a>',
		'<h1>First chapter</h1>',
		'<a id="chapter-3"></a>',
		'<h1>Second chapter</h1>',
		'<h2>Section</h2>',
	]);
	expect(html).toMatch(/<li>one\s*<ul>\s*<li>one a<\/li>/);
	expect(html).toContain('<ol start="3">');
	expect(html).toMatch(/<tr>\s*<td>Oak &amp; Elm<\/td>\s*<td>7<\/td>/);
	expect(html).toContain('<img alt="A heron on a post" src="#">');
	expect(html).toContain('<a href="#chapter-3">inner link</a>');
	expect(html).toMatch(/<a id="c2-fnref1" href="#c2-fn1" role="doc-noteref">1<\/a>/);
	expect(html).toMatch(/<li id="c2-fn1" role="doc-footnote"><p>The note’s/);
});

it('reads chapters in the order of the spine, those outside of the reading order last', async () => {
	const spine =
		'<package><manifest><item id="a" href="c1.xhtml" media-type="application/xhtml+xml"/><item id="b" href="c%32.xhtml" media-type="application/xhtml+xml"/><item id="c" href="c3.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a" linear="no"/><itemref idref="c"/><itemref idref="b"/></spine></package>';
	const body = await bodyOf(epubWith(['<p>1</p>', '<p>2</p>', '<p>3</p>'], { 'OEBPS/book.opf': spine }));
	expect(body.match(/\d(?=<\/p>)/g)).toEqual(['3', '2', '1']);
});

describe('text that a reader does not see is not in the document', () => {
	it.each([
		['an element that is hidden', '<p hidden="">Secret</p>', '', false],
		['an attribute', '<p style="display: none">Secret</p>', '', false],
		['a rule', '<p class="a b">Secret</p>', '.b { display: none }', false],
		[
			'a rule for an element in another',
			'<div id="x"><p><i>Secret</i></p></div>',
			'#x > p i { visibility: hidden }',
			false,
		],
		['a rule for an element in another, which it is not in', '<p><i>Secret</i></p>', '#x i { display: none }', true],
		['a rule that a later one undoes', '<p class="a">Secret</p>', '.a { display: none } p.a { display: block }', true],
		['a rule for other devices', '<p class="a">Secret</p>', '@media amzn-kf8 { .a { display: none } }', true],
		['white text', '<p class="a">Secret</p>', '.a { color: #FFF }', false],
		[
			'white text on a colour',
			'<div class="b"><p class="a">Secret</p></div>',
			'.a { color: white } .b { background: #123 }',
			true,
		],
		['text without a size', '<p><span style="font-size:0">Secret</span></p>', '', false],
		['text of half a size', '<p><span style="font-size:0.5em">Secret</span></p>', '', true],
		['the number of a page', '<p><span epub:type="pagebreak">Secret</span></p>', '', false],
		['a script', '<script>Secret</script><p><a href="javascript:Secret()">x</a></p>', '', false],
	])('%s', async (_name, part, css, isSeen) => {
		const book = epubWith([`<p>Seen.</p>${part}`], { 'OEBPS/a.css': css }, '', '<link rel="stylesheet" href="a.css"/>');
		const body = await bodyOf(book);
		expect(body).toContain('Seen.');
		expect(body.includes('Secret')).toBe(isSeen);
	});

	it('has only the rules of the sheets that a chapter links', async () => {
		const body = await bodyOf(epubWith(['<p class="a">One.</p>'], { 'OEBPS/a.css': '.a { display: none }' }));
		expect(body).toContain('One.');
	});
});

it('finds notes in another chapter, and drops ids that nothing refers to', async () => {
	const body = await bodyOf(
		epubWith([
			'<p id="p">Text<a epub:type="noteref" href="c2.xhtml#n1">1</a> <a href="c2.xhtml#n1">see the notes</a></p>',
			'<aside epub:type="footnote" id="n1"><p>A note.</p></aside>',
		]),
	);
	expect(body).toContain('<p>Text<a href="#c2-n1" role="doc-noteref">1</a> <a href="#chapter-2">see the notes</a></p>');
	expect(body).toContain('<div id="c2-n1" role="doc-footnote"><p>A note.</p></div>');
});

it('names editors and translators no authors, and reads dates of the second version', async () => {
	const { html } = await read(
		epubWith(
			['<p>x</p>'],
			{},
			'<dc:title>T</dc:title><dc:creator opf:role="aut">Ada</dc:creator><dc:creator opf:role="edt">Ed</dc:creator><dc:creator id="t">Trans</dc:creator><meta property="role" refines="#t">trl</meta><dc:date opf:event="creation">1999-01-01</dc:date><dc:date opf:event="publication">2001-02-03</dc:date><dc:date opf:event="modification">2002-03-04</dc:date>',
		),
	);
	expect(html.match(/(?<=name="author" content=")[^"]+/g)).toEqual(['Ada']);
	expect(html.match(/(?<=_time" content=")[^"]+/g)).toEqual(['2001-02-03', '2002-03-04']);
});

const encrypted = (file: string, method: string) => ({
	'META-INF/encryption.xml': `<encryption><enc:EncryptedData xmlns:enc="x"><enc:EncryptionMethod Algorithm="${method}"/><enc:CipherData><enc:CipherReference URI="${file}"/></enc:CipherData></enc:EncryptedData></encryption>`,
});

it.each([
	['OEBPS/c1.xhtml', 'http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'file-encrypted'],
	['OEBPS/book.opf', 'http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'file-encrypted'],
	['OEBPS/a.otf', 'http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'read'],
	['OEBPS/a.otf', 'http://www.idpf.org/2008/embedding', 'read'],
])('a book in which %s is encrypted by %s: %s', async (file, method, end) => {
	const found = await read(epubWith(['<p>x</p>'], encrypted(file, method))).then(
		() => 'read',
		({ code }) => code,
	);
	expect(found).toBe(end);
});
