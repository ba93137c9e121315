import { expect, it } from 'vitest';
import { line, onePage, pagesOf, stream, writePdf } from '../testing/write-pdf.ts';
import { defaultLimits } from '../types.ts';
import { logicalOrder } from './bidi.ts';
import { readPdf } from './read-pdf.ts';

const pages = async (...contents: readonly string[]) => (await readPdf(pagesOf(contents), defaultLimits)).html;
const read = async (content: string) => (await readPdf(onePage(stream(content)), defaultLimits)).html;
const rowsOf = (html: string) =>
	[...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
		[...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell),
	);
const body = (y: number, count = 6, font = 'F1') =>
	Array.from({ length: count }, (_, at) =>
		line(`Words of the running text, line ${at} of them, and more of it`, 72, y - at * 14, 11),
	)
		.join('')
		.replaceAll('F1', font);
const rule = (y: number) => `72 ${y} 300 0.6 re f\n`;

/** A cell whose four sides are painted as its frame, each clipped to the side. */
function framed(x: number, y: number, text: string): string {
	const [wide, high] = [100, 20];
	const frame = `${x} ${y} ${wide} ${high} re ${x + 1} ${y + 1} ${wide - 2} ${high - 2} re f*`;
	const sides = [
		[x, y, wide, 1],
		[x, y + high - 1, wide, 1],
		[x, y, 1, high],
		[x + wide - 1, y, 1, high],
	];
	return sides.map((side) => `q ${side.join(' ')} re W n ${frame} Q\n`).join('') + line(text, x + 4, y + 6, 11);
}

it('sides of cells that are painted as a clipped frame are lines of a table', async () => {
	// Without lines, the two in the middle of their cells would be one column.
	const html = await read(
		body(760) +
			framed(72, 600, 'One') +
			framed(172, 600, 'Two') +
			framed(272, 600, 'Three') +
			framed(72, 580, 'Four') +
			framed(172, 580, '') +
			framed(272, 580, 'Six'),
	);
	expect(rowsOf(html)).toEqual([
		['One', 'Two', 'Three'],
		['Four', '', 'Six'],
	]);
});

it('a header of several lines is one row above its line, and begins below the first one', async () => {
	const html = await read(
		body(790) +
			rule(714) +
			line('Mean', 192, 700, 11) +
			line('Station', 72, 687, 11) +
			line('height', 192, 687, 11) +
			line('Most', 312, 687, 11) +
			rule(681) +
			[
				['North', '12.5', '30'],
				['South', '8.0', '22'],
				['East', '9.1', '25'],
			]
				.flatMap((cells, row) => cells.map((cell, at) => line(cell, 72 + at * 120, 667 - row * 14, 11)))
				.join('') +
			rule(633),
	);
	expect(rowsOf(html)).toEqual([
		['Station', 'Mean height', 'Most'],
		['North', '12.5', '30'],
		['South', '8.0', '22'],
		['East', '9.1', '25'],
	]);
});

it('a row of which only the empty cells are on the next page is one row', async () => {
	const row = (y: number, ...cells: readonly string[]) =>
		cells.map((cell, at) => framed(72 + at * 100, y, cell)).join('');
	const html = await pages(
		body(760) + row(120, 'Name', 'Place', 'Price') + row(100, 'Pear', 'North', '7') + row(80, 'Fig', '', '9'),
		row(780, '', 'A long name', '') + row(760, 'Plum', 'South', '8'),
	);
	expect(rowsOf(html)).toEqual([
		['Name', 'Place', 'Price'],
		['Pear', 'North', '7'],
		['Fig', '<a id="page-2"></a>A long name', '9'],
		['Plum', 'South', '8'],
	]);
});

/** A cell whose lines are painted before the next cell. */
const cell = (x: number, y: number, ...lines: readonly string[]) =>
	lines.map((text, at) => line(text, x, y - at * 13, 11)).join('');

it('text that is painted later and stands beside is a cell of the same row, where words reach over the next column', async () => {
	const html = await read(
		body(790) +
			rule(702) +
			[cell(72, 690, 'Name'), cell(142, 690, 'Place'), cell(212, 690, 'Price')].join('') +
			rule(684) +
			[cell(72, 670, 'Pear tree', 'and apple'), cell(142, 670, 'An incomprehensibility'), cell(212, 670, '12')].join(
				'',
			) +
			[cell(72, 644, 'A'), cell(142, 644, 'North of the', 'Uncharacteristic', 'lake'), cell(212, 644, '7')].join('') +
			[cell(72, 605, 'Fig'), cell(142, 605, 'South'), cell(212, 605, 'Nothing to', 'be paid')].join(''),
	);
	expect(rowsOf(html)).toEqual([
		['Name', 'Place', 'Price'],
		['Pear tree and apple', 'An incomprehensibility', '12'],
		['A', 'North of the Uncharacteristic lake', '7'],
		['Fig', 'South', 'Nothing to be paid'],
	]);
});

it('a table goes on, on the next page, below its header again; a header at the end of a page belongs to it', async () => {
	const row = (y: number, ...texts: readonly string[]) =>
		texts.map((text, at) => cell(72 + at * 120, y, text)).join('');
	const first = body(790) + row(700, 'Name', 'Place') + rule(694) + row(680, 'Fig', 'North');
	const again = await pages(first, row(790, 'Name', 'Place') + rule(784) + row(770, 'Pear', 'South') + body(700));
	const whole = [
		['Name', 'Place'],
		['Fig', 'North'],
		['<a id="page-2"></a>Pear', 'South'],
	];
	expect(rowsOf(again)).toEqual(whole);
	const alone = await pages(
		`${body(790)}${row(700, 'Name', 'Place')}72 694 170 0.6 re f\n`,
		row(790, 'Fig', 'North') + row(776, 'Pear', 'South') + row(762, 'Plum', 'East') + body(700),
	);
	expect(rowsOf(alone).slice(0, 2)).toEqual([
		['Name', 'Place'],
		['<a id="page-2"></a>Fig', 'North'],
	]);
});

it('a cell begins where others of its column do, even without a gap before it', async () => {
	// Helvetica: "Zeffdritchjatchclue" is 97.8 points wide at 11 points.
	const html = await read(
		body(790) +
			['Fig', 'Pear', 'Plum']
				.map((name, at) => cell(72, 690 - at * 14, name) + cell(169.5, 690 - at * 14, `${at}00`))
				.join('') +
			cell(72, 648, 'Zeffdritchjatchclue') +
			cell(169.5, 648, '766'),
	);
	expect(rowsOf(html).at(-1)).toEqual(['Zeffdritchjatchclue', '766']);
});

it('a row that a page divides has no line at that side', async () => {
	const sides = (top: number, bottom: number) =>
		[72, 172, 272].map((x) => `${x} ${bottom} 0.6 ${top - bottom} re f\n`).join('');
	const across = (y: number) => `72 ${y} 200 0.6 re f\n`;
	const html = await pages(
		body(790) +
			sides(140, 60) +
			across(140) +
			across(110) +
			cell(80, 120, 'Name') +
			cell(180, 120, 'Place') +
			cell(80, 90, 'Fig') +
			cell(180, 90, 'North of'),
		sides(800, 740) +
			across(770) +
			across(740) +
			cell(180, 785, 'the lake') +
			cell(80, 750, 'Pear') +
			cell(180, 750, 'South'),
	);
	expect(rowsOf(html)).toEqual([
		['Name', 'Place'],
		['Fig', 'North of <a id="page-2"></a>the lake'],
		['Pear', 'South'],
	]);
});

it('numbers that count the pages are not text, far from the edge of the page too', async () => {
	const html = await pages(body(700) + line('1', 300, 200, 11), body(700) + line('2', 300, 200, 11));
	expect(html).not.toMatch(/>[12]</);
});

it('lines of a narrow justified column are text where nothing behind their gaps is aligned', async () => {
	const full = 'The efficient official flows on and on';
	const html = await read(
		line(full, 72, 700, 11) +
			line('Then', 72, 687, 11) +
			line('official flows on and on', 134.98, 687, 11) +
			line('It is of', 72, 674, 11) +
			line('flows on and on', 169.21, 674, 11) +
			line('stones, some', 72, 661, 11) +
			line('roll.', 180, 661, 11) +
			line(full, 72, 640, 11),
	);
	expect(html).not.toContain('<table');
});

it('justified lines with wide gaps are text where one of them ends a paragraph', async () => {
	const full = 'The efficient official flows on and on';
	// Helvetica: "The efficient " is 63.0 points wide at 11 points.
	const wide = (y: number) => line('Then', 72, y, 11) + line('official flows on and on', 134.98, y, 11);
	const other = (y: number) => line('It is', 72, y, 11) + line('flows on and on', 169.21, y, 11);
	const html = await read(
		line(full, 72, 700, 11) +
			wide(687) +
			wide(674) +
			line('It ends.', 72, 661, 11) +
			other(640) +
			other(627) +
			line(full, 72, 614, 11),
	);
	expect(html).not.toContain('<table');
});

/** Helvetica as `/F1`, and in bold as `/F2`. */
const readBold = async (content: string) => {
	const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} >>`;
	const file = writePdf([
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
		stream(content),
		font('Helvetica'),
		font('Helvetica-Bold'),
	]);
	return (await readPdf(file, defaultLimits)).html;
};

it('larger lines that come back in the text are headings below a bold title; a name below it is not', async () => {
	const html = await readBold(
		line('A bold title', 72, 790, 24).replace('F1', 'F2') +
			line('Ada Example', 72, 765, 14) +
			body(740) +
			line('Of stones', 72, 630, 16) +
			body(605) +
			line('Of rivers', 72, 495, 16) +
			body(470),
	);
	expect(html).toContain('<h1>A bold title</h1>');
	expect(html).toContain('<h2>Of stones</h2>');
	expect(html).toContain('<h2>Of rivers</h2>');
	expect(html).toContain('<p>Ada Example');
});

it('a note goes on above the notes of the next column', async () => {
	const column = (x: number, mark: string, notes: string) =>
		`${Array.from({ length: 24 }, (_, at) => line('left of the stone and of it', x, 500 - at * 13, 11)).join('')}${line('left it is', x, 188, 11)}${line(mark, x + 52, 192, 6)}${notes}`;
	const html = await read(
		column(72, '1', line('1', 72, 122, 6) + line('Note of the left that goes', 77, 120, 8)) +
			column(310, '2', line('on to its end.', 310, 131, 8) + line('2', 310, 122, 6) + line('Other note.', 315, 120, 8)),
	);
	expect(html).toMatch(/id="fn-1-1">Note of the left that goes on to its end\.<.*id="fn-1-2">Other note/s);
});

it('two Arabic letters at one place are read in order; a mark stays behind its letter', () => {
	const letters = [
		{ text: '\u0645', x: 0 },
		{ text: '\u0627', x: 10 },
		{ text: '\u0644', x: 10 },
		{ text: '\u0633', x: 20 },
	];
	expect(logicalOrder(letters)).toBe('\u0633\u0644\u0627\u0645');
	const mark = { text: '\u064e', x: 20 };
	expect(logicalOrder([...letters, mark])).toBe('\u0633\u064e\u0644\u0627\u0645');
});
