import { describe, expect, it } from 'vitest';
import { deflated, line, onePage, stream, writePdf } from '../testing/write-pdf.ts';
import { defaultLimits } from '../types.ts';
import { readPdf } from './read-pdf.ts';

const read = async (bytes: Uint8Array) => (await readPdf(bytes, defaultLimits)).html;
const seen = line('Seen by all.');
const secret = (before: string, after = '', text = line('Secret', 72, 600)) => `${seen}${before}${text}${after}`;
const layers = (state: string) =>
	`/OCProperties << /OCGs [6 0 R] /D << /${state} [6 0 R] /BaseState /${state === 'OFF' ? 'ON' : 'OFF'} >> >>`;
const group = '<< /Type /OCG /Name (Layer) >>';
const named = '/Resources << /Font << /F1 5 0 R >> /Properties << /L 6 0 R >> >>';

describe('text that nobody sees is not in the document', () => {
	it.each([
		['white on white', secret('1 1 1 rg ')],
		['nearly white on white', secret('0.99 g ')],
		['black on black', secret('0 g 0 550 600 100 re f ')],
		['without ink', secret('3 Tr ')],
		['under a box', secret('', '0.9 g 0 550 600 100 re f ')],
		['outside of the page', `${seen}${line('Secret', -300, 600)}${line('Secret', 72, 2000)}`],
		['outside of the clipping path', secret('q 0 0 10 10 re W n ', 'Q ')],
		['too small to read', `${seen}${line('Secret', 72, 600, 1)}`],
	])('%s', async (_name, content) => {
		const html = await read(onePage(deflated(content)));
		expect(html).toContain('<p>Seen by all.</p>');
		expect(html).not.toContain('Secret');
	});

	it.each([
		['white on a dark box', secret('0.1 g 0 550 600 100 re f 1 g ')],
		['grey on white', secret('0.5 g ')],
	])('but %s is', async (_name, content) => {
		expect(await read(onePage(deflated(content)))).toContain('Secret');
	});

	const image = (more = '') =>
		stream(
			'\x00'.repeat(90 * 90),
			`/Type /XObject /Subtype /Image /Width 90 /Height 90 /ColorSpace /DeviceGray /BitsPerComponent 8 ${more}`,
		);
	const withImage =
		'/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> /ExtGState << /M << /BM /Multiply >> >> >>';
	const draw = 'q 500 0 0 100 50 560 cm /X Do Q ';
	it.each([
		['white over a picture', secret(`${draw}1 1 1 rg `), false],
		['under a picture', secret('', draw), false],
		['under a picture in JPEG', secret('', draw), false, '/Filter /DCTDecode'],
		['black over a picture', secret(draw), true],
		['under a picture that is multiplied with it', secret('', `q /M gs ${draw} Q`), true],
		['under a marker pen', secret('', 'q /M gs 1 1 0 rg 0 550 600 100 re f Q '), true],
	])('%s: text is read only where its colour is known to be seen', async (_name, content, isRead, filter = '') => {
		const html = await read(onePage(deflated(content), withImage, [image(filter)]));
		expect(html).toContain('Seen by all.');
		expect(html.includes('Secret')).toBe(isRead);
	});

	it.each([0, 90, 180, 270])('turned by %i degrees, a page is cut to its box and read', async (degrees) => {
		const content = stream(`${seen}${line('Kept by the box.', 72, 500)}`);
		const html = await read(onePage(content, `/Rotate ${degrees} /CropBox [20 20 500 590]`));
		expect(html).toContain('<p>Kept by the box.</p>');
		expect(html).not.toContain('Seen');
	});

	it('of layers, only the visible ones are read', async () => {
		const content = deflated(`${seen}/OC /L BDC ${line('Layer', 72, 600)} EMC`);
		expect(await read(onePage(content, named, [group], layers('OFF')))).not.toContain('Layer');
		expect(await read(onePage(content, named, [group], layers('ON')))).toContain('Layer');
	});

	it('comments, scripts, embedded files and replaced text are not read', async () => {
		const note = '/Annots [<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (Secret) >>]';
		const tagged = `/Span << /ActualText (Secret) >> BDC ${seen} EMC`;
		const catalog =
			'/OpenAction << /S /JavaScript /JS (app.alert\\("Secret"\\)) >> /Names << /EmbeddedFiles << /Names [(Secret) 6 0 R] >> >>';
		const html = await read(onePage(stream(tagged), note, ['<< /Type /Filespec /F (Secret) >>'], catalog));
		expect(html).toContain('Seen by all.');
		expect(html).not.toContain('Secret');
	});
});

describe('a PDF without a document ends with the reason', () => {
	const picture = onePage(stream('600 0 0 800 0 0 cm /X Do'), '/Resources << /XObject << /X 6 0 R >> >>', [
		stream('\x00', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'),
	]);
	const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
	const pages = (count: number) =>
		writePdf([
			catalog,
			`<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, at) => `${at + 3} 0 R`).join(' ')}] >>`,
			...Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'),
		]);
	const numbered = writePdf([
		catalog,
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
		stream('BT /F1 12 Tf 72 700 Td <004100420043> Tj ET'),
		'<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Odd /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
		'<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Odd /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 /FontDescriptor 7 0 R >>',
		'<< /Type /FontDescriptor /FontName /ABCDEF+Odd /Flags 4 /FontBBox [0 0 600 700] /ItalicAngle 0 /Ascent 700 /Descent 0 /CapHeight 700 /StemV 80 >>',
	]);
	it.each([
		['glyphs without characters', numbered, 'pdf-without-text', /3 of 3 characters are shown by fonts/],
		['a scan', picture, 'pdf-without-text', /no text, 1 pictures/],
		['hidden text only', onePage(stream(`3 Tr ${seen}`)), 'pdf-without-text', /not visible/],
		['too many pages', pages(2001), 'file-over-limit', /2001 pages; at most 2000/],
		['no PDF', Buffer.from('%PDF-1.7\n'), 'file-damaged', /cannot be opened/],
		[
			'a page tree that holds itself',
			writePdf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
			'file-damaged',
			/circular/,
		],
	])('%s', async (_name, bytes, code, message) => {
		await expect(readPdf(bytes, defaultLimits)).rejects.toMatchObject({
			code,
			message: expect.stringMatching(message),
		});
	});
});
