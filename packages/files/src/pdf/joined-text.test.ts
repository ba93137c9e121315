import { expect, it } from 'vitest';
import { line, onePage, stream } from '../testing/write-pdf.ts';
import { defaultLimits } from '../types.ts';
import { readPdf } from './read-pdf.ts';

const bold = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>';
const mono = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>';

/** Of a page with Helvetica as F1, in bold as F2, and Courier in bold as F3. */
async function read(content: string, links: readonly string[] = []): Promise<string> {
	const annotations = links.map((rect) => {
		const action = '/A << /S /URI /URI (https://notes.example/) >>';
		return `<< /Type /Annot /Subtype /Link /Rect [${rect}] /Border [0 0 0] ${action} >>`;
	});
	const fonts = '/Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 7 0 R >> >>';
	const page = `${fonts} /Annots [${annotations.map((_, at) => `${at + 8} 0 R`).join(' ')}]`;
	return (await readPdf(onePage(stream(content), page, [bold, mono, ...annotations]), defaultLimits)).html;
}

const inFont = (font: string, text: string, x: number, y: number, size: number) =>
	line(text, x, y, size).replace('/F1', font);

it('characters that are painted twice, a little apart, are read once at every place of a page', async () => {
	const twice = Array.from({ length: 24 }, (_, at) => {
		const [x, y] = [72 + at * 0.31, 760 - at * 16.17];
		return inFont('/F3', `def word${at}`, x, y, 8) + inFont('/F3', `def word${at}`, x - 0.3, y - 0.3, 8);
	});
	const html = await read(twice.join(''));
	const words = html.match(/def word\d+/g);
	expect(words).toEqual(twice.map((_, at) => `def word${at}`));
	expect(html.match(/\w+/g)?.filter((word) => /^(?:d|e|f|w|o|r)+$/.test(word) && word !== 'def')).toEqual([]);
});

it('two letters of one word that are alike are both read', async () => {
	expect(await read(line('illicit Illinois', 72, 700, 6))).toContain('illicit Illinois');
});

it('a link leads from the text inside of its area only', async () => {
	// Helvetica at 10 points: "ask." ends 18.3 points behind its start, and its dot is 2.8 points wide.
	const html = await read(line('ask.', 72, 700, 10) + line('1', 90.4, 704, 7), ['89.2 698 96 712']);
	expect(html).toMatch(/ask\.<a [^>]*><sup>1/);
});

it('a raised mark that is almost as large as the text stands in its line', async () => {
	// Helvetica at 12 points: "ask." ends 22 points behind its start.
	const html = await read(
		line('This note tells what a keeper needs in a town, and what', 72, 700) +
			line('neighbours', 72, 682) +
			line('ask.', 134, 682) +
			line('1', 156, 687.3, 10.7) +
			line('Most of them ask for nothing but a jar of honey.', 72, 664),
		['155 686 163 697'],
	);
	expect(html).toMatch(/what neighbours ask\.<a [^>]*><sup>1/);
	expect(html.match(/<p>/g)).toHaveLength(1);
});

it('a heading above a table without lines is not the first line of its first cell', async () => {
	const row = (y: number, font: string, ...cells: string[]) =>
		cells.map((text, at) => inFont(font, text, 72 + at * 110, y, 12)).join('');
	const html = await read(
		line('Text of the part before, which is long enough to fill the line of the page.', 72, 760) +
			inFont('/F2', 'Weights by month', 72, 722, 14) +
			row(706, '/F1', 'Month', 'Stores', 'Frames') +
			row(688, '/F1', 'January', '14.5', '0') +
			row(670, '/F1', 'April', '6.0', '5') +
			row(652, '/F1', 'July', '22.0', '8'),
	);
	expect(html).toMatch(/<h\d>Weights by month<\/h\d>/);
	expect(html).toContain('<tr><th>Month</th><th>Stores</th><th>Frames</th></tr>');
});

it('lines of a quote that is set in on both sides are one paragraph; first lines that are set in begin one', async () => {
	const html = await read(
		line('The text of the page fills its lines from the left edge to the right one, as here, so far.', 72, 760) +
			line('Never open a hive in rain. The bees are all at home, and', 100, 740) +
			line('remember who came.', 100, 726) +
			line('The text of the page fills its lines from the left edge to the right one, as here, so far.', 72, 700) +
			line('"Who came?"', 84, 686) +
			line('"The keeper."', 84, 672),
	);
	expect(html).toContain('<p>Never open a hive in rain. The bees are all at home, and remember who came.</p>');
	expect(html).toMatch(/<p>[^<]*Who came\?[^<]*<\/p>\s*<p>[^<]*The keeper\.[^<]*<\/p>/);
});

it('a drawn marker of an inner list with one item is a marker', async () => {
	const square = (x: number, y: number) => `${x} ${y} 3.5 3.5 re f\n`;
	const item = (x: number, y: number, text: string) => square(x, y + 3) + line(text, x + 11, y);
	const html = await read(
		item(90, 700, 'ten frames each') + item(90, 684, 'a queen excluder between them') + item(106, 668, 'of wire'),
	);
	expect(html).toContain('<li>a queen excluder between them<ul><li>of wire</li></ul></li>');
});

it('a formula in the middle of the page stands where it is printed', async () => {
	const html = await read(
		line('Mass is what a scale shows; a full frame of a hive holds about', 72, 760, 10) +
			line('m = 1.42', 250, 730, 10) +
			line('or a little less', 240, 716, 10) +
			line('of honey.', 72, 690, 10) +
			line('Neighbours', 72, 660, 10) +
			line('The text goes on over the whole width of the page, line by line, as text does.', 72, 640, 10),
	);
	const at = (text: string) => html.indexOf(text);
	expect([at('holds about'), at('m = 1.42'), at('or a little'), at('of honey'), at('Neighbours')]).toEqual(
		[at('holds about'), at('m = 1.42'), at('or a little'), at('of honey'), at('Neighbours')].sort((a, b) => a - b),
	);
});

it('names and dates below a title are no headings although headings of their size are bold', async () => {
	const text = 'The text goes on over the whole width of the page, line by line, as text does.';
	const body = (y: number) => Array.from({ length: 5 }, (_, at) => line(text, 72, y - at * 12, 10)).join('');
	const html = await read(
		line('Keeping bees', 230, 780, 17) +
			line('Ada Lark', 240, 750, 12) +
			inFont('/F2', 'What you need', 72, 710, 12) +
			body(690) +
			inFont('/F2', 'Weights', 72, 600, 12) +
			body(580),
	);
	expect(html).toMatch(/<p>Ada Lark<\/p>/);
	expect(html).toMatch(/<h\d>What you need<\/h\d>/);
});
