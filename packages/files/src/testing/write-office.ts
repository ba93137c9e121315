import { strToU8, zipSync } from 'fflate';

// Small office files and books, for tests.

export type Parts = Readonly<Record<string, string | Uint8Array>>;

/** @param mimetype of a first file, which is not compressed */
export function archiveOf(parts: Parts, mimetype?: string): Uint8Array {
	const files = Object.entries(parts).map(
		([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part] as const,
	);
	return zipSync(
		{
			...(mimetype !== undefined && { mimetype: [strToU8(mimetype), { level: 0 }] }),
			...Object.fromEntries(files),
		},
		{ level: 9 },
	);
}

const relationsOf = (targets: readonly string[], more = ''): string =>
	`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
		.map((target, at) => `<Relationship Id="r${at + 1}" Type="x" Target="${target}"/>`)
		.join('')}${more}</Relationships>`;

/** A link of a part, with the id `link`. */
export const linkTo = (url: string): string =>
	relationsOf([], `<Relationship Id="link" Type="x" Target="${url}" TargetMode="External"/>`);

/** A book with these bodies in its reading order. */
export function epubWith(bodies: readonly string[], more: Parts = {}, metadata = '', head = ''): Uint8Array {
	const items = bodies.map((_, at) => `<item id="c${at}" href="c${at + 1}.xhtml" media-type="application/xhtml+xml"/>`);
	const spine = bodies.map((_, at) => `<itemref idref="c${at}"/>`);
	const chapters = bodies.map((body, at): [string, string] => [
		`OEBPS/c${at + 1}.xhtml`,
		`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title>${head}</head><body>${body}</body></html>`,
	]);
	return archiveOf(
		{
			'META-INF/container.xml':
				'<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
			'OEBPS/book.opf': `<package xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0"><metadata>${metadata}</metadata><manifest>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
			...Object.fromEntries(chapters),
			...more,
		},
		'application/epub+zip',
	);
}

/** A text document with this body and automatic styles. */
export function odtWith(body: string, styles = '', more: Parts = {}): Uint8Array {
	return archiveOf(
		{
			'META-INF/manifest.xml': '<manifest:manifest/>',
			'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
			...more,
		},
		'application/vnd.oasis.opendocument.text',
	);
}

/** A presentation of 100 by 100 with these slides, each the shapes of one, or the whole part. */
export function pptxWith(slides: readonly string[], more: Parts = {}): Uint8Array {
	const parts = slides.map((shapes, at): [string, string] => [
		`ppt/slides/slide${at + 1}.xml`,
		shapes.startsWith('<p:sld') ? shapes : slideOf(shapes),
	]);
	return archiveOf({
		'ppt/presentation.xml': `<p:presentation xmlns:r="r"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${at + 256}" r:id="r${at + 1}"/>`).join('')}</p:sldIdLst><p:sldSz cx="100" cy="100"/></p:presentation>`,
		'ppt/_rels/presentation.xml.rels': relationsOf(slides.map((_, at) => `slides/slide${at + 1}.xml`)),
		...Object.fromEntries(parts),
		...more,
	});
}

export const slideOf = (shapes: string, attributes = ''): string =>
	`<p:sld${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

/** A shape with these paragraphs. */
export const shape = (paragraphs: string, placeholder = '', properties = '', place = ''): string =>
	`<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"${properties}/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
export const line = (words: string, properties = ''): string =>
	`<a:p>${properties}<a:r><a:t>${words}</a:t></a:r></a:p>`;

interface SheetPart {
	readonly name: string;
	readonly state?: string;
	/** The parts of a `worksheet`. */
	readonly xml: string;
}

export function xlsxWith(sheets: readonly SheetPart[], more: Parts = {}): Uint8Array {
	const entries = sheets.map(
		({ name, state }, at) =>
			`<sheet name="${name}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="r${at + 1}"/>`,
	);
	return archiveOf({
		'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${entries.join('')}</sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': relationsOf(sheets.map((_, at) => `worksheets/sheet${at + 1}.xml`)),
		...Object.fromEntries(
			sheets.map(({ xml }, at) => [`xl/worksheets/sheet${at + 1}.xml`, `<worksheet>${xml}</worksheet>`]),
		),
		...more,
	});
}

/** A row of texts. */
export const row = (number: number, texts: readonly string[], attributes = ''): string =>
	`<row r="${number}"${attributes}>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

/** A compound file, as an office file with a password is one. */
export const compoundFile = (stream: string): Uint8Array =>
	Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512), Buffer.from(stream, 'utf16le')]);
