import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compoundFile, line, linkTo, pptxWith, shape, slideOf } from '../testing/write-office.ts';
import { defaultLimits } from '../types.ts';
import { readPptx } from './read-pptx.ts';

const read = (bytes: Uint8Array) => readPptx(bytes, defaultLimits, () => {});
const bodyOf = async (bytes: Uint8Array) => (await read(bytes)).html.replace(/^.*<main>|<\/main>.*$/gs, '');
const title = '<p:ph type="title"/>';
const content = '<p:ph idx="1"/>';

it('reads a presentation by pandoc: titles, lists, tables, code and links', async () => {
	const { html, pages } = await read(readFileSync(new URL('../testing/fixtures/pandoc.pptx', import.meta.url)));
	expect(pages).toBe(6);
	expect(html.match(/<a id="[^"]*"><\/a>|<h\d>.*?<\/h\d>/g)).toEqual([
		'<a id="slide-1"></a>',
		'<h1>Tides &amp; Herons</h1>',
		'<a id="slide-2"></a>',
		'<h2>First chapter</h2>',
		'<a id="slide-3"></a>',
		'<a id="slide-4"></a>',
		'<a id="slide-5"></a>',
		'<h2>Second chapter</h2>',
		'<a id="slide-6"></a>',
		'<h2>Notes</h2>',
	]);
	expect(html).toContain('<ul><li>one<ul><li>one a</li><li>one b</li></ul></li><li>two</li></ul>');
	expect(html).toContain('<ol start="3"><li>three</li><li>four</li></ol>');
	expect(html).toContain('<table><tr><th>Name</th><th>Count</th></tr><tr><td>Ash</td><td>12</td></tr>');
	expect(html).toContain('<pre><code>const a = 1;\nif (a &lt; 2) run();</code></pre>');
	expect(html).toContain('<a href="https://a.test/x?a=1&amp;b=2">link</a>');
});

it('takes slides in the order of the presentation, and names those that are hidden', async () => {
	const file = pptxWith([shape(line('One')), slideOf(shape(line('Secret')), ' show="0"'), shape(line('Three'))], {
		'ppt/presentation.xml':
			'<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="3" r:id="r3"/><p:sldId id="2" r:id="r2"/><p:sldId id="1" r:id="r1"/></p:sldIdLst></p:presentation>',
	});
	const { html, leftOut, pages } = await read(file);
	expect(html).toContain('<main><a id="slide-1"></a><p>Three</p>\n<a id="slide-3"></a><p>One</p></main>');
	expect([leftOut, pages]).toEqual([['slide 2: hidden'], 3]);
});

describe('what a slide does not show is not in the document', () => {
	const at = (x: number) => `<a:xfrm><a:off x="${x}" y="0"/><a:ext cx="10" cy="10"/></a:xfrm>`;
	it.each([
		['a hidden shape', shape(line('Secret'), '', ' hidden="1"'), false],
		['beside the slide', shape(line('Secret'), '', '', at(100)), false],
		['in part on the slide', shape(line('Secret'), '', '', at(95)), true],
		['the number of the slide', shape(line('Secret'), '<p:ph type="sldNum"/>'), false],
		[
			'a group that is hidden',
			`<p:grpSp><p:nvGrpSpPr><p:cNvPr hidden="1"/></p:nvGrpSpPr>${shape(line('Secret'))}</p:grpSp>`,
			false,
		],
		['a group', `<p:grpSp>${shape(line('Secret'), '', '', at(500))}</p:grpSp>`, true],
	])('%s', async (_name, part, isSeen) => {
		const body = await bodyOf(pptxWith([shape(line('Seen.')) + part], { 'ppt/notesSlides/notesSlide1.xml': 'Secret' }));
		expect(body).toContain('Seen.');
		expect(body.includes('Secret')).toBe(isSeen);
	});
});

it('reads bullets, numbers, alternative texts, merged cells and links', async () => {
	const lines = line('a') + line('b', '<a:pPr lvl="1"/>') + line('c', '<a:pPr><a:buNone/></a:pPr>');
	const picture = '<p:pic><p:nvPicPr><p:cNvPr descr="A heron"/></p:nvPicPr></p:pic>';
	const table =
		'<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
	const link = '<a:p><a:r><a:rPr><a:hlinkClick r:id="link"/></a:rPr><a:t>site</a:t></a:r></a:p>';
	const slide = shape(lines, content) + shape(line('T'), title) + picture + table + shape(link);
	const body = await bodyOf(pptxWith([slide], { 'ppt/slides/_rels/slide1.xml.rels': linkTo('https://a.test/') }));
	expect(body).toBe(
		'<a id="slide-1"></a><h2>T</h2>\n<ul><li>a<ul><li>b</li></ul></li></ul>\n<p>c</p>\n<p><img alt="A heron" src="#"></p>\n<table><tr><td colspan="2">x</td></tr></table>\n<p><a href="https://a.test/">site</a></p>',
	);
});

it.each([
	['EncryptedPackage', 'file-encrypted'],
	['PowerPoint Document', 'file-damaged'],
])('a compound file with %s ends as %s', async (stream, code) => {
	await expect(read(compoundFile(stream))).rejects.toMatchObject({ code });
});
