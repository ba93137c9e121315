import { expect, it } from 'vitest';
import { line, onePage, stream } from '../testing/write-pdf.ts';
import { defaultLimits } from '../types.ts';
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
