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
	it.each([
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
