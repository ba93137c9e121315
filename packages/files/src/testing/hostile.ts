import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import type { FileKind } from '../types.ts';
import { hostileOffice } from './hostile-office.ts';
import { hostileDocxParts, hostilePdfParts } from './hostile-parts.ts';
import { deflated, line, onePage, stream, writePdf } from './write-pdf.ts';

/** The format of a fixture by its name. */
export const kindOfName = (name: string): FileKind => name.replace(/^.*\./, '') as FileKind;

export interface HostileFile {
	readonly name: string;
	readonly kind: FileKind;
	readonly bytes: Uint8Array;
}

/** Numbers from 0 to 1 that depend on the seed only (mulberry32). */
function random(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

const damages: Readonly<Record<string, (bytes: Uint8Array, next: () => number, other: Uint8Array) => Uint8Array>> = {
	truncated: (bytes, next) => bytes.slice(0, Math.floor(bytes.length * next())),
	'without its start': (bytes, next) => bytes.slice(Math.floor(bytes.length * next() * 0.5)),
	'with flipped bits': (bytes, next) => {
		const copy = Uint8Array.from(bytes);
		for (let count = 1 + Math.floor(next() * 200); count > 0; count--) {
			const at = Math.floor(next() * copy.length);
			copy[at] = copy[at]! ^ (1 << Math.floor(next() * 8));
		}
		return copy;
	},
	'with other digits': (bytes, next) => {
		const copy = Uint8Array.from(bytes);
		for (let count = 400; count > 0; count--) {
			const at = Math.floor(next() * copy.length);
			if (copy[at]! >= 48 && copy[at]! <= 57) copy[at] = 48 + Math.floor(next() * 10);
		}
		return copy;
	},
	'with a hole': (bytes, next) =>
		Uint8Array.from(bytes).fill(0, Math.floor(bytes.length * next()), Math.floor(bytes.length * next()) + 900),
	'with a part twice': (bytes, next) => {
		const [from, to] = [next(), next()].sort().map((part) => Math.floor(part * bytes.length)) as [number, number];
		return Buffer.concat([bytes.slice(0, to), bytes.slice(from)]);
	},
	'continued by another': (bytes, next, other) =>
		Buffer.concat([bytes.slice(0, Math.floor(bytes.length * next())), other.slice(Math.floor(other.length * next()))]),
	'with noise': (bytes, next) => {
		const copy = Uint8Array.from(bytes);
		const start = Math.floor(next() * copy.length);
		for (let at = start; at < Math.min(copy.length, start + 2000); at++) copy[at] = Math.floor(next() * 256);
		return copy;
	},
};

/** Damaged copies of good files: the same for the same seed. */
export function damagedFiles(good: readonly HostileFile[], count: number, seed = 1): HostileFile[] {
	const names = Object.keys(damages);
	return Array.from({ length: count }, (_, at) => {
		const next = random(seed * 7919 + at);
		const file = good[at % good.length]!;
		const damage = names[Math.floor(at / good.length) % names.length]!;
		const other = good[Math.floor(next() * good.length)]!.bytes;
		return {
			name: `${file.name} ${damage} (${at})`,
			kind: file.kind,
			bytes: damages[damage]!(file.bytes, next, other),
		};
	});
}

const zeros = (mebibytes: number): Uint8Array => deflateSync(Buffer.alloc(mebibytes << 20, 0x20), { level: 9 });
const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const text = line('A sentence that a reader sees.');

/** Files that are made to cost much, or to never end. */
export function hostileFiles(wants: (name: string, kind: FileKind) => boolean = () => true): HostileFile[] {
	const parts = (kind: FileKind, of: Readonly<Record<string, () => Uint8Array>>) =>
		Object.entries(of).map(([name, make]): Recipe => ({ name, kind, make }));
	const recipes = [
		...hostilePdfs(),
		...hostileDocx(),
		...parts('pdf', hostilePdfParts),
		...parts('docx', hostileDocxParts(docxWith)),
		...Object.entries(hostileOffice).flatMap(([kind, of]) => parts(kind as FileKind, of)),
	];
	const made = recipes.filter(({ name, kind }) => wants(name, kind));
	return made.map(({ name, kind, make }) => ({ name, kind, bytes: make() }));
}

interface Recipe {
	readonly name: string;
	readonly kind: FileKind;
	readonly make: () => Uint8Array;
}

function hostilePdfs(): Recipe[] {
	const pdf = (name: string, make: () => Uint8Array): Recipe => ({ name, kind: 'pdf', make });
	return [
		pdf('content of 1 GiB in 1 MiB', () => onePage(stream(zeros(1024), '/Filter /FlateDecode'))),
		pdf('content packed twice, 4 GiB in some kB', () =>
			onePage(
				stream(
					deflateSync(Buffer.concat(Array.from({ length: 4 }, () => zeros(1024)))),
					'/Filter [/FlateDecode /FlateDecode]',
				),
			),
		),
		pdf('a page tree that holds itself', () => writePdf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>'])),
		pdf('pages that are each other', () =>
			writePdf([
				catalog,
				'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
				'<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>',
			]),
		),
		pdf('a count of a billion pages', () => writePdf([catalog, '<< /Type /Pages /Kids [] /Count 1000000000 >>'])),
		pdf('a page tree of 20,000 levels', () =>
			writePdf([
				catalog,
				...Array.from({ length: 20_000 }, (_, at) => `<< /Type /Pages /Kids [${at + 3} 0 R] /Count 1 >>`),
				'<< /Type /Page /MediaBox [0 0 9 9] >>',
			]),
		),
		pdf('3,000 pages', () =>
			writePdf([
				catalog,
				`<< /Type /Pages /Count 3000 /Kids [${Array.from({ length: 3000 }, (_, at) => `${at + 3} 0 R`).join(' ')}] >>`,
				...Array.from({ length: 3000 }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'),
			]),
		),
		pdf('an object that refers to itself', () => writePdf([catalog, '2 0 R'])),
		pdf('a length that refers to its own stream', () =>
			writePdf([
				catalog,
				'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
				'<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
				'<< /Length 4 0 R >>\nstream\nBT ET\nendstream',
			]),
		),
		pdf('arrays nested 200,000 times', () => writePdf([catalog, '['.repeat(200_000)])),
		pdf('dictionaries nested in content', () => onePage(stream(`/X ${'<< /A '.repeat(100_000)}`))),
		pdf('300,000 saved states', () => onePage(deflated('q '.repeat(300_000) + text))),
		pdf('a million operators', () => onePage(deflated(`${text}0 0 m 1 1 l S\n`.repeat(250_000)))),
		pdf('a million short texts', () => onePage(deflated('BT /F1 9 Tf 9 9 Td (a b) Tj ET\n'.repeat(400_000)))),
		pdf('a form that draws itself', () =>
			onePage(stream(`${text}/X Do`), '/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>', [
				stream('/X Do /X Do', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>'),
			]),
		),
		pdf('forms that draw 10 forms, 9 levels deep', () =>
			onePage(
				stream('/X Do'),
				'/Resources << /XObject << /X 6 0 R >> >>',
				Array.from({ length: 9 }, (_, at) =>
					stream(
						'/X Do '.repeat(10),
						`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${Math.min(at + 7, 14)} 0 R >> >>`,
					),
				),
			),
		),
		pdf('a picture of 60,000 by 60,000', () =>
			onePage(stream(`${text}/X Do`), '/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>', [
				stream(
					zeros(300),
					'/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode',
				),
			]),
		),
		pdf('a page of 14 million points', () => onePage(stream(text), '/MediaBox [0 0 14400000 14400000]')),
		pdf('a password', () =>
			writePdf(
				[
					catalog,
					'<< /Type /Pages /Kids [] /Count 0 >>',
					`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
				],
				'/Root 1 0 R /Encrypt 3 0 R /ID [<00><00>]',
			),
		),
		pdf('a cross-reference table that follows itself', () =>
			Buffer.from(
				`%PDF-1.7\n1 0 obj\n${catalog}\nendobj\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 2 /Root 1 0 R /Prev 58 >>\nstartxref\n58\n%%EOF`,
			),
		),
		pdf('a function of many parts', () =>
			onePage(
				stream('/P gs /CS cs 0.5 scn 0 0 9 9 re f'),
				'/Resources << /ColorSpace << /CS [/Separation /A /DeviceRGB 6 0 R] >> >>',
				[`<< /FunctionType 3 /Domain [0 1] /Bounds [] /Encode [0 1] /Functions [6 0 R] >>`],
			),
		),
		pdf('100,000 links', () =>
			onePage(
				stream(text),
				`/Annots [${'<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://a.test/) >> >> '.repeat(100_000)}]`,
			),
		),
		pdf('nothing', () => Buffer.from('%PDF-1.7\n')),
		pdf('a name that goes on', () => Buffer.from(`%PDF-1.7\n1 0 obj\n<< /${'A'.repeat(3_000_000)}`)),
	];
}

const types =
	'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const relations =
	'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A DOCX file with this body. */
export function docxWith(body: string, before = '', more: Readonly<Record<string, Uint8Array>> = {}): Uint8Array {
	const document = `<?xml version="1.0"?>${before}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
	const parts = {
		'[Content_Types].xml': strToU8(types),
		'_rels/.rels': strToU8(relations),
		'word/document.xml': Buffer.from(document),
		...more,
	};
	return zipSync(parts, { level: 9 });
}

export const run = (words: string, properties = ''): string =>
	`<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t>${words}</w:t></w:r>`;
export const paragraph = (runs: string): string => `<w:p>${runs}</w:p>`;

function hostileDocx(): Recipe[] {
	const docx = (name: string, make: () => Uint8Array): Recipe => ({ name, kind: 'docx', make });
	const entities = `<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]>`;
	return [
		docx('a document of 300 MiB of spaces', () => docxWith(paragraph(run('x')) + ' '.repeat(300 << 20))),
		docx('a document of 100 MiB of paragraphs', () => docxWith(paragraph(run('a')).repeat(1_500_000))),
		docx('elements nested 100,000 times', () => docxWith(`${'<w:p>'.repeat(100_000)}${'</w:p>'.repeat(100_000)}`)),
		docx('entities that hold entities', () => docxWith(paragraph(run('&j;')), entities)),
		docx('an archive in an archive', () =>
			docxWith(paragraph(run('Text.')), '', { 'word/embeddings/a.zip': docxWith('') }),
		),
		docx('30,000 files', () =>
			docxWith(
				paragraph(run('Text.')),
				'',
				Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`x/${at}`, new Uint8Array()])),
			),
		),
		docx('no document', () => zipSync({ 'word/styles.xml': strToU8('<x/>') })),
		docx('a file that says it has 9 bytes', () => lying(docxWith(paragraph(run('a')).repeat(400_000)))),
		docx('a password', () =>
			Buffer.concat([
				Buffer.from('d0cf11e0a1b11ae1', 'hex'),
				Buffer.alloc(512),
				Buffer.from('EncryptedPackage', 'utf16le'),
			]),
		),
		docx('the format before', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)])),
		docx('nothing', () => Buffer.from('PK\x03\x04')),
	];
}

/** An archive whose list states a smaller size than its files have. */
function lying(bytes: Uint8Array): Uint8Array {
	const copy = Buffer.from(bytes);
	for (let at = copy.indexOf('PK\x01\x02'); at >= 0; at = copy.indexOf('PK\x01\x02', at + 4))
		copy.writeUInt32LE(9, at + 24);
	return copy;
}
