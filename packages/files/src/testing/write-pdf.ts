import { deflateSync } from 'node:zlib';

export type PdfObject = string | { readonly dictionary: string; readonly stream: Uint8Array };

/** A PDF of these objects; the first is its catalog, unless the trailer names another root. */
export function writePdf(objects: readonly PdfObject[], trailer = '/Root 1 0 R'): Uint8Array {
	const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
	let length = parts[0]!.length;
	const offsets: number[] = [];
	objects.forEach((object, at) => {
		offsets.push(length);
		const body =
			typeof object === 'string'
				? [Buffer.from(object, 'latin1')]
				: [
						Buffer.from(`<< ${object.dictionary} /Length ${object.stream.length} >>\nstream\n`, 'latin1'),
						Buffer.from(object.stream),
						Buffer.from('\nendstream'),
					];
		const written = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), ...body, Buffer.from('\nendobj\n')]);
		parts.push(written);
		length += written.length;
	});
	const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	const size = objects.length + 1;
	parts.push(
		Buffer.from(
			`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF`,
		),
	);
	return Buffer.concat(parts);
}

export const stream = (text: string | Uint8Array, dictionary = ''): PdfObject => ({
	dictionary,
	stream: typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
});

export const deflated = (text: string | Uint8Array, dictionary = ''): PdfObject =>
	stream(deflateSync(text, { level: 9 }), `/Filter /FlateDecode ${dictionary}`);

/** One page with this content and Helvetica as `/F1`. */
export function onePage(content: PdfObject, page = '', more: readonly PdfObject[] = [], catalog = ''): Uint8Array {
	return writePdf([
		`<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
		content,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
		...more,
	]);
}

/** A page for each content, with Helvetica as `/F1`. */
export function pagesOf(contents: readonly string[]): Uint8Array {
	const font = contents.length * 2 + 3;
	return writePdf([
		'<< /Type /Catalog /Pages 2 0 R >>',
		`<< /Type /Pages /Kids [${contents.map((_, at) => `${at * 2 + 3} 0 R`).join(' ')}] /Count ${contents.length} >>`,
		...contents.flatMap((content, at) => [
			`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${at * 2 + 4} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
			stream(content),
		]),
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	]);
}

/** Shows a line of text at a place. */
export const line = (text: string, x = 72, y = 720, size = 12): string =>
	`BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`;
