import { expect, it } from 'vitest';
import { line, onePage, pagesOf, stream, writePdf } from '../testing/write-pdf.ts';
import { defaultLimits } from '../types.ts';
import { inRtl } from './bidi.ts';
import { readPdf } from './read-pdf.ts';

const read = async (content: string, page = '', more: readonly string[] = [], catalog = '') =>
	(await readPdf(onePage(stream(content), page, more, catalog), defaultLimits)).html;
const rowsOf = (html: string) =>
	[...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
		[...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell),
	);

it('a space that the next character covers is none: it stands for a soft hyphen', async () => {
	// Helvetica: "photo" is 28.0 points wide at 12 points, and a space 3.3.
	const at = (x: number, text: string) => `1 0 0 1 ${x} 700 Tm (${text}) Tj `;
	const html = await read(
		`BT /F1 12 Tf ${at(72, 'photo')}${at(100.02, ' ')}${at(100.02, 'graph')}${at(138, 'and')} ET`,
	);
	expect(html).toContain('<p>photograph and</p>');
});

it('cells that stand near each other are apart where those of the next row begin at the same place', async () => {
	const row = (y: number, ...cells: [string, number][]) => cells.map(([text, x]) => line(text, x, y)).join('');
	const html = await read(
		row(700, ['Name', 72], ['Weight', 114], ['Price', 220]) +
			row(680, ['Pears', 72], ['three kg', 114], ['seven', 220]) +
			row(660, ['Figs', 72], ['nine kg', 114], ['eight', 220]),
	);
	expect(rowsOf(html)).toEqual([
		['Name', 'Weight', 'Price'],
		['Pears', 'three kg', 'seven'],
		['Figs', 'nine kg', 'eight'],
	]);
});

it('a header in the middle of its column belongs to the cells at its side', async () => {
	const row = (y: number, a: string, ax: number, b: string, bx: number) => line(a, ax, y) + line(b, bx, y);
	const html = await read(
		row(700, 'Fruit', 120, 'Count', 350) + row(680, 'fig', 72, '12', 300) + row(660, 'pear', 72, '7', 300),
	);
	expect(rowsOf(html)).toEqual([
		['Fruit', 'Count'],
		['fig', '12'],
		['pear', '7'],
	]);
});

it('tags that name no heading leave it to the size of the text', async () => {
	const part = (id: number, text: string, y: number, size: number) =>
		`/P << /MCID ${id} >> BDC ${line(text, 72, y, size)} EMC `;
	const element = (role: string, id: number) => `<< /S /${role} /P 6 0 R /Pg 3 0 R /K ${id} >>`;
	const html = await read(
		part(0, 'A large title', 760, 24) +
			part(1, 'Some text below it, as a sentence.', 720, 11) +
			part(2, 'An item.', 700, 11),
		'/StructParents 0',
		[
			'<< /Type /StructTreeRoot /K [7 0 R 8 0 R 9 0 R] /ParentTree << /Nums [0 [7 0 R 8 0 R 10 0 R]] >> >>',
			element('P', 0),
			element('P', 1),
			'<< /S /L /P 6 0 R /K [10 0 R] >>',
			'<< /S /LI /P 9 0 R /Pg 3 0 R /K 2 >>',
		],
		'/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R',
	);
	expect(html).toContain('<h1>A large title</h1>');
	expect(html).toContain('<li>An item.</li>');
});

it('a footnote whose mark is on the page before stands with the other notes', async () => {
	const body = Array.from({ length: 12 }, (_, at) =>
		line(`Words of the running text, line ${at} of them`, 72, 760 - at * 14, 11),
	);
	const html = await read(
		`${body.join('')}${line('and the end.', 72, 592, 11)}${line('8', 133, 596, 6)}${line('7. From the page before.', 72, 100, 8)}${line('8. Of this page.', 72, 90, 8)}`,
	);
	expect(html).toMatch(/id="fn-1-7">From the page before\.<.*id="fn-1-8">Of this page\./s);
});

const pagesOfLines = async (...pages: readonly string[]) => (await readPdf(pagesOf(pages), defaultLimits)).html;
const words = (count: number, word = 'river') => Array.from({ length: count }, () => word).join(' ');
/** Body text, so that the usual size is known. */
const body = (y: number, count = 6) =>
	Array.from({ length: count }, (_, at) => line(`${words(9)} number ${at + 1}`, 72, y - at * 14, 11)).join('');

it('narrow justified columns painted one after the other are no table', async () => {
	const column = (x: number) =>
		Array.from({ length: 8 }, (_, at) =>
			at % 2 === 0
				? line('stone', x, 700 - at * 13, 11) +
					line('office', x + 55, 700 - at * 13, 11) +
					line('end', x + 115, 700 - at * 13, 11)
				: line('letters of stone and office', x, 700 - at * 13, 11),
		).join('');
	expect(await read(column(72) + column(240) + column(410))).not.toContain('<table');
});

it('justified lines with wide gaps between full lines are text', async () => {
	const full = 'The efficient official flows on and on';
	// Helvetica: "The efficient " is 63.0 points wide at 11 points.
	const wide = (y: number) => line('Then', 72, y, 11) + line('official flows on and on', 134.98, y, 11);
	const html = await read(line(full, 72, 700, 11) + wide(687) + wide(674) + line(full, 72, 661, 11));
	expect(html).not.toContain('<table');
	expect(html).toContain('Then official flows on and on Then official');
});

it('an accent painted under its letter is one letter with it', async () => {
	const html = await read('BT /F1 12 Tf 1 0 0 1 72 700 Tm (caf\\302) Tj 1 0 0 1 88 700 Tm (e and more) Tj ET', '');
	expect(html).toContain('café and more');
});

it('raised text of several places of a line stays in them', async () => {
	const html = await read(
		`${line('H', 55, 700)}${line('2', 63.7, 697, 8)}${line('O', 68.2, 700)}${line('has mc', 88, 700)}${line('2', 127, 705, 8)}${line('and it grows by 10', 134, 700)}${line('9', 232, 705, 8)}${line('m.', 246, 700)}`,
	);
	expect(html).toContain('has mc<sup>2</sup> and it grows by 10<sup>9</sup>');
});

it('circles and squares at the start of lines are markers of a list', async () => {
	const curve = (x: number, y: number) => `${x} ${y} ${x} ${y} ${x} ${y} c `;
	const circle = (x: number, y: number) =>
		`${x} ${y} m ${curve(x + 2, y + 2)}${curve(x + 4, y)}${curve(x + 2, y - 2)}${curve(x, y)}f\n`;
	const html = await read(
		body(760) +
			circle(80, 604) +
			line('One thing', 92, 600, 11) +
			'100 583 4 4 re f\n' +
			line('Inner thing', 112, 582, 11) +
			'100 565 4 4 re f\n' +
			line('Inner other', 112, 564, 11) +
			circle(80, 550) +
			line('Other thing', 92, 546, 11),
	);
	expect(html).toContain(
		'<ul><li>One thing<ul><li>Inner thing</li><li>Inner other</li></ul></li><li>Other thing</li></ul>',
	);
});

it('a table of contents is a list, without its dots', async () => {
	const entry = (y: number, x: number, title: string, page: string, dots = true) =>
		line(title, x, y, 11) + (dots ? line('. . . . . . . . . . . . . . .', 250, y, 11) : '') + line(page, 400, y, 11);
	const html = await read(
		body(780) +
			entry(640, 72, '1 Introduction', '1', false) +
			entry(624, 90, '1.1 Motivation', '3') +
			entry(608, 90, '1.2 Method', '4') +
			entry(592, 72, '2 Results', '9', false),
	);
	expect(html).toContain(
		'<li>1 Introduction … 1<ul><li>1.1 Motivation … 3</li><li>1.2 Method … 4</li></ul></li><li>2 Results … 9</li>',
	);
});

it('rows below a header with a line under it are apart', async () => {
	const row = (y: number, ...cells: readonly string[]) =>
		cells.map((cell, at) => line(cell, 72 + at * 120, y, 11)).join('');
	const rule = (y: number) => `72 ${y} 300 0.6 re f\n`;
	const html = await read(
		rule(714) +
			row(700, 'Station', 'Mean', 'Most') +
			rule(694) +
			row(680, 'North', '12.5', '30') +
			row(666, 'South', '8.0', '22') +
			row(652, 'East bank', '9.1', '25') +
			rule(646),
	);
	expect(rowsOf(html)).toHaveLength(4);
});

it('an exponent is not the mark of a note that another word has', async () => {
	const html = await read(
		`${body(760)}${line('Since E = c', 72, 660, 11)}${line('1', 128, 664, 7)}${line('it is difficult', 134, 660, 11)}${line('1', 188, 664, 7)}${line('to say.', 206, 660, 11)}${line('1. The note.', 72, 100, 8)}`,
	);
	expect(html).toContain('c<sup>1</sup>');
	expect(html).toContain('difficult<sup><a role="doc-noteref" href="#fn-1-1">1</a></sup>');
});

it('a mark that is not raised refers to its note', async () => {
	const html = await read(
		`${body(760)}${line('It was so in 1999.1 The other one.2 And', 72, 660, 11)}${line('1. The note.', 72, 110, 8)}${line('2. Second note.', 72, 100, 8)}`,
	);
	expect(html).toContain('1999.<sup><a role="doc-noteref" href="#fn-1-1">1</a></sup> The other one.<sup>');
	expect(html).toContain('id="fn-1-2">Second note.');
});

it('a running header is left out although one part of it names the chapter', async () => {
	const page = (chapter: string) => line('Annual report', 72, 810, 9) + line(chapter, 400, 810, 9) + body(700, 12);
	const html = await pagesOfLines(page('Of stones'), page('Of rivers'), page('Of seasons'));
	expect(html).not.toMatch(/Annual report|Of stones|Of seasons/);
});

it('a list goes on, on the next page, and with the number of its marker', async () => {
	const html = await pagesOfLines(
		body(760) + line('1. One step', 80, 600, 11) + line('2. Two steps', 80, 586, 11),
		line('3. Three steps', 80, 760, 11) + line('4. Four steps', 80, 746, 11),
	);
	expect(html).toContain('<li>Two steps</li><li><a id="page-2"></a>Three steps</li><li>Four steps</li></ol>');
});

it('a hyphen at the end of a line stays where the file divides no words, and in addresses', async () => {
	const html = await read(
		line('See https://example.test/a-long-', 72, 700, 11) + line('path/to.html and the rest of it', 72, 686, 11),
	);
	expect(html).toContain('https://example.test/a-long-path/to.html');
});

it('a number and its unit in a table from right to left keep their order', async () => {
	expect(inRtl({ text: 'kg 5139' }).text).toBe('5139 kg');
	expect(inRtl({ text: 'chapter 12' }).text).toBe('chapter 12');
});

it('columns of text are apart although a hyphen hangs into the narrow white between them', async () => {
	const column = (x: number, word: string) =>
		Array.from({ length: 10 }, (_, at) => line(`${word} of the stone and of the next-`, x, 700 - at * 13, 11)).join('');
	// Helvetica: a line on the left is 154.5 points wide at 11 points.
	const html = await read(column(72, 'left') + column(233.5, 'right'));
	expect(html.indexOf('right')).toBeGreaterThan(html.lastIndexOf('left'));
});

it('numbers of a list from right to left are its markers, with their dots on the left', async () => {
	const hebrew = [
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
		stream(
			'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <7a> <05d0> endbfrange 3 beginbfchar <31> <0031> <32> <0032> <2e> <002e> endbfchar endcmap',
		),
	];
	const item = (number: string, y: number) =>
		line(number, 500, y, 11) + line('.', 496.94, y, 11) + line('abcd', 400, y, 11) + line('efgh abcd', 430, y, 11);
	const objects = [stream(item('1', 700) + item('2', 686)), ...hebrew] as const;
	const html = (
		await readPdf(
			writePdf([
				'<< /Type /Catalog /Pages 2 0 R >>',
				'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
				'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
				...objects,
			]),
			defaultLimits,
		)
	).html;
	expect(html).toMatch(/<ol><li>[^<]+<\/li><li>[^<]+<\/li><\/ol>/);
});

it('footnotes below each of two columns stand with the other notes', async () => {
	const column = (x: number, word: string, mark: string) =>
		`${Array.from({ length: 24 }, (_, at) => line(`${word} of the stone and of it`, x, 500 - at * 13, 11)).join('')}${line(`${word} it is`, x, 188, 11)}${line(mark, x + 52, 192, 6)}${line(mark, x, 122, 6)}${line(`Note of the ${word}`, x + 5, 120, 8)}`;
	const html = await read(column(72, 'left', '1') + column(310, 'left', '2'));
	expect(html).toMatch(/id="fn-1-1">Note of the left\.?<.*id="fn-1-2">Note of the left/s);
});
