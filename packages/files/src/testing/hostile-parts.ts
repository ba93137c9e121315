import { strToU8 } from 'fflate';
import { deflated, line, onePage, type PdfObject, stream, writePdf } from './write-pdf.ts';

// Hostile fonts, pictures, scripts, structure and archives, by name. `Secret` is in places that no reader sees.

const seen = line('Seen by all.');
const fonts = (font: string) => `/Resources << /Font << /F1 ${font} >> >>`;
const spaces = (mebibytes: number) => Buffer.alloc(mebibytes << 20, 0x20);

/** PDF files whose parts cost much, refer to themselves, or act. */
export const hostilePdfParts: Readonly<Record<string, () => Uint8Array>> = {
	'a font program of 200 MiB of zeros': () =>
		onePage(stream(seen), fonts('<< /Type /Font /Subtype /TrueType /BaseFont /A /FontDescriptor 6 0 R >>'), [
			'<< /Type /FontDescriptor /FontName /A /Flags 4 /FontFile2 7 0 R >>',
			deflated(Buffer.alloc(200 << 20)),
		]),
	'a font program of noise': () =>
		onePage(stream(seen), fonts('<< /Type /Font /Subtype /Type1 /BaseFont /A /FontDescriptor 6 0 R >>'), [
			'<< /Type /FontDescriptor /FontName /A /Flags 4 /FontFile 7 0 R >>',
			stream(
				Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919 + (at >> 3)) & 255),
				'/Length1 300000',
			),
		]),
	'a font with a million widths': () =>
		onePage(
			stream(seen),
			fonts(
				`<< /Type /Font /Subtype /Type1 /BaseFont /A /FirstChar 0 /LastChar 999999 /Widths [${'9 '.repeat(1_000_000)}] >>`,
			),
		),
	'a map of four billion characters': () =>
		onePage(stream(seen), fonts('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>'), [
			stream(
				'begincmap 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange 1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange endcmap',
			),
		]),
	'a map that uses itself': () =>
		onePage(
			stream(seen),
			fonts('<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 6 0 R /DescendantFonts [7 0 R] >>'),
			[
				stream('begincmap endcmap', '/Type /CMap /CMapName /A /UseCMap 6 0 R'),
				'<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> >>',
			],
		),
	'a drawn character that draws itself': () =>
		onePage(
			stream('BT /F1 12 Tf 72 700 Td (aaaa) Tj ET'),
			fonts(
				'<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /Resources << /Font << /F1 3 0 R >> >> >>',
			),
			[stream('9 0 d0 BT /F1 12 Tf (a) Tj ET')],
		),
	'a pattern that is filled with itself': () =>
		onePage(
			stream(`${seen}/Pattern cs /P scn 0 0 500 500 re f`),
			'/Resources << /Font << /F1 5 0 R >> /Pattern << /P 6 0 R >> >>',
			[
				stream(
					'/Pattern cs /P scn 0 0 9 9 re f',
					'/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 0.001 /YStep 0.001 /Resources << /Pattern << /P 6 0 R >> >>',
				),
			],
		),
	'a calculation that never ends': () =>
		onePage(
			stream(`${seen}/S sh`),
			'/Resources << /Font << /F1 5 0 R >> /Shading << /S << /ShadingType 1 /ColorSpace /DeviceGray /Function 6 0 R >> >> >>',
			[stream(`{ ${'dup mul '.repeat(200_000)} }`, '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]')],
		),
	'a picture packed ten times': () =>
		onePage(stream(`${seen}/X Do`), '/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>', [
			stream(
				Buffer.alloc(100_000, 'A'),
				`/Type /XObject /Subtype /Image /Width 30000 /Height 30000 /ColorSpace /DeviceRGB /BitsPerComponent 16 /Filter [${'/RunLengthDecode '.repeat(10)}]`,
			),
		]),
	'a picture that is a mask of itself': () =>
		onePage(stream(`${seen}/X Do`), '/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>', [
			stream(
				'\0',
				'/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /SMask 6 0 R',
			),
		]),
	'100,000 pictures in the page': () =>
		onePage(deflated(`${seen}${'BI /W 1 /H 1 /BPC 8 /CS /G ID x EI\n'.repeat(100_000)}`)),
	'a script that runs on opening': () =>
		onePage(
			stream(seen),
			'/AA << /O << /S /JavaScript /JS (Secret) >> >>',
			[],
			'/OpenAction << /S /JavaScript /JS (while\\(true\\){Secret}) >>',
		),
	'a program to launch': () =>
		onePage(stream(seen), '', [], '/OpenAction << /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) /P (Secret) >> >>'),
	'a file inside that is the file': () =>
		onePage(
			stream(seen),
			'',
			[
				'<< /Type /Filespec /F (../../Secret.pdf) /EF << /F 7 0 R >> >>',
				stream('%PDF-1.7 Secret', '/Type /EmbeddedFile'),
			],
			'/Names << /EmbeddedFiles << /Names [(../../Secret.pdf) 6 0 R] >> >>',
		),
	'a form that is XML': () =>
		onePage(stream(seen), '', [stream('<xdp:xdp><Secret/></xdp:xdp>')], '/AcroForm << /XFA 6 0 R /Fields [] >>'),
	'names that hold themselves': () =>
		onePage(stream(seen), '', ['<< /Kids [6 0 R 6 0 R] >>'], '/Names << /Dests 6 0 R /EmbeddedFiles 6 0 R >>'),
	'bookmarks that follow each other': () =>
		onePage(
			stream(seen),
			'',
			[
				'<< /First 7 0 R /Last 8 0 R >>',
				'<< /Title (Secret) /Next 8 0 R /First 8 0 R /Parent 6 0 R >>',
				'<< /Title (Secret) /Next 7 0 R /First 7 0 R /Parent 7 0 R >>',
			],
			'/Outlines 6 0 R',
		),
	'a structure that holds itself': () =>
		onePage(
			stream(`/P << /MCID 0 >> BDC ${seen} EMC`),
			'/StructParents 0',
			[
				'<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [7 0 R]] >> >>',
				'<< /S /P /P 6 0 R /K [7 0 R 0] /Pg 3 0 R >>',
			],
			'/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R',
		),
	'a structure of 30,000 levels': () =>
		onePage(
			stream(`/P << /MCID 0 >> BDC ${seen} EMC`),
			'/StructParents 0',
			[
				'<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [30006 0 R]] >> >>',
				...Array.from(
					{ length: 30_000 },
					(_, at) => `<< /S /Div /P ${at + 6} 0 R /K ${at === 29_999 ? '0' : `${at + 8} 0 R`} /Pg 3 0 R >>`,
				),
			],
			'/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R',
		),
	'marked content opened 500,000 times': () => onePage(deflated(`${'/P << /MCID 0 >> BDC '.repeat(500_000)}${seen}`)),
	'page labels without an end': () =>
		onePage(stream(seen), '', ['<< /Kids [6 0 R] /Limits [0 999999999] >>'], '/PageLabels 6 0 R'),
	'a million objects in a stream of objects': () =>
		writePdf([
			'<< /Type /Catalog /Pages 2 0 R >>',
			'<< /Type /Pages /Kids [] /Count 0 >>',
			deflated(Buffer.concat([Buffer.from('9 0 '.repeat(1000)), spaces(60)]), '/Type /ObjStm /N 1000000 /First 4000'),
		]),
	'content of 50,000 streams': () => contentOf(Array.from({ length: 50_000 }, () => '4 0 R')),
	'letters of a million points': () => onePage(stream(line('Seen by all.', 72, 720, 1_000_000))),
	'numbers of 100,000 digits': () => onePage(stream(`${'9'.repeat(100_000)} 0 Td ${seen}`)),
	'text without an end': () => onePage(stream(`BT /F1 12 Tf (${'a'.repeat(3_000_000)}`)),
	'two million empty operations': () => onePage(deflated(`${seen}${'n\n'.repeat(2_000_000)}`)),
	'300,000 dashes and clips': () => onePage(deflated(`${seen}${'[1 2] 0 d 0 0 9 9 re W n\n'.repeat(300_000)}`)),
	'a password by AES-256': () =>
		encrypted('/V 5 /R 6 /Length 256 /StmF /StdCF /StrF /StdCF /CF << /StdCF << /CFM /AESV3 >> >>'),
	'a password by a filter of its own': () => encrypted('/V 4 /SubFilter /adbe.pkcs7.s5', '/Adobe.PubSec'),
	'a header and a picture of another type': () =>
		Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from('89504e470d0a1a0a', 'hex'), spaces(1)]),
	'a million ends of file': () => Buffer.from(`%PDF-1.7\n${'startxref\n9\n%%EOF\n'.repeat(1_000_000)}`),
	'a million objects that begin': () => Buffer.from(`%PDF-1.7\n${'1 0 obj\n'.repeat(1_000_000)}`),
};

const contentOf = (contents: readonly string[]): Uint8Array =>
	writePdf([
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [${contents.join(' ')}] /Resources << /Font << /F1 5 0 R >> >> >>`,
		stream(seen),
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	] satisfies PdfObject[]);

function encrypted(how: string, filter = '/Standard'): Uint8Array {
	const long = `<${'ab'.repeat(48)}>`;
	const short = `<${'cd'.repeat(32)}>`;
	return writePdf(
		[
			'<< /Type /Catalog /Pages 2 0 R >>',
			'<< /Type /Pages /Kids [] /Count 0 >>',
			`<< /Filter ${filter} ${how} /P -44 /O ${long} /U ${long} /OE ${short} /UE ${short} /Perms <${'ef'.repeat(16)}> >>`,
		],
		'/Root 1 0 R /Encrypt 3 0 R /ID [<00><00>]',
	);
}

type Parts = Readonly<Record<string, Uint8Array>>;
type DocxOf = (body: string, before?: string, more?: Parts) => Uint8Array;

const text = '<w:p><w:r><w:t>Seen by all.</w:t></w:r></w:p>';
const xmlns = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relations = (targets: string) =>
	strToU8(
		`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets}</Relationships>`,
	);
const relation = (id: string, type: string, target: string, mode = '') =>
	`<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${mode}/>`;

/** DOCX files whose archive, XML or relations cost much, or name other files. */
export const hostileDocxParts = (docx: DocxOf): Readonly<Record<string, () => Uint8Array>> => ({
	'an entity that is a file': () =>
		docx(
			`<w:p><w:r><w:t>Seen by all. &Secret;</w:t></w:r></w:p>`,
			'<!DOCTYPE w [<!ENTITY Secret SYSTEM "file:///etc/passwd">]>',
		),
	'an entity of 100 kB, used 10,000 times': () =>
		docx(
			`<w:p><w:r><w:t>${'&a;'.repeat(10_000)}</w:t></w:r></w:p>`,
			`<!DOCTYPE w [<!ENTITY a "${'a'.repeat(100_000)}">]>`,
		),
	'files outside of the archive': () =>
		docx(text, '', {
			'../../../Secret.txt': strToU8('Secret'),
			'/etc/Secret': strToU8('Secret'),
			'C:\\Secret': strToU8('Secret'),
		}),
	'a part with a name of 60,000 characters': () =>
		docx(text, '', { [`word/${'a'.repeat(60_000)}.xml`]: strToU8('<a/>') }),
	'a document that includes itself': () =>
		docx(`${text}<w:altChunk xmlns:r="r" r:id="r1"/>`, '', {
			'word/_rels/document.xml.rels': relations(relation('r1', 'aFChunk', 'document.xml')),
		}),
	'relations that leave the archive': () =>
		docx(text, '', {
			'word/_rels/document.xml.rels': relations(
				relation('r1', 'image', 'file:///etc/passwd', ' TargetMode="External"') +
					relation('r2', 'styles', '../../../../etc/passwd') +
					relation('r3', 'attachedTemplate', 'http://127.0.0.1:9/Secret.dotm', ' TargetMode="External"'),
			),
		}),
	'styles that are based on each other': () =>
		docx(`<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>Seen by all.</w:t></w:r></w:p>`, '', {
			'word/styles.xml': strToU8(
				`<w:styles ${xmlns}><w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>`,
			),
		}),
	'100,000 styles in a row': () =>
		docx(`<w:p><w:pPr><w:pStyle w:val="s99999"/></w:pPr><w:r><w:t>Seen by all.</w:t></w:r></w:p>`, '', {
			'word/styles.xml': strToU8(
				`<w:styles ${xmlns}>${Array.from({ length: 100_000 }, (_, at) => `<w:style w:type="paragraph" w:styleId="s${at}"><w:basedOn w:val="s${at - 1}"/></w:style>`).join('')}</w:styles>`,
			),
		}),
	'numbers that are each other': () =>
		docx(
			`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Seen by all.</w:t></w:r></w:p>`,
			'',
			{
				'word/_rels/document.xml.rels': relations(relation('r1', 'numbering', 'numbering.xml')),
				'word/numbering.xml': strToU8(
					`<w:numbering ${xmlns}><w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="A"/><w:styleLink w:val="A"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
				),
			},
		),
	'tables in tables, 120 deep': () =>
		docx(`${'<w:tbl><w:tr><w:tc>'.repeat(120)}${text}${'</w:tc></w:tr></w:tbl>'.repeat(120)}`),
	'a table of 300,000 cells': () =>
		docx(`<w:tbl>${`<w:tr>${`<w:tc>${text}</w:tc>`.repeat(300)}</w:tr>`.repeat(1000)}</w:tbl>`),
	'a row of cells that span 10 million columns': () =>
		docx(`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="10000000"/><w:vMerge/></w:tcPr>${text}</w:tc></w:tr></w:tbl>`),
	'a million attributes': () =>
		docx(`<w:p ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(' ')}>${text}</w:p>`),
	'XML without an end': () => docx(`${text}<w:p><w:r><w:t>${'a'.repeat(2_000_000)}`.replace(/$/, '<![CDATA[')),
	'footnotes that note each other': () =>
		docx('<w:p><w:r><w:t>Seen by all.</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p>', '', {
			'word/_rels/document.xml.rels': relations(relation('r1', 'footnotes', 'footnotes.xml')),
			'word/footnotes.xml': strToU8(
				`<w:footnotes ${xmlns}><w:footnote w:id="1"><w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p></w:footnote></w:footnotes>`,
			),
		}),
	'a macro and an embedded program': () =>
		docx(text, '', { 'word/vbaProject.bin': strToU8('Secret'), 'word/embeddings/oleObject1.bin': strToU8('Secret') }),
	'a style sheet of 100 MiB': () => docx(text, '', { 'word/styles.xml': spaces(100) }),
	'a relation file of 100 MiB': () => docx(text, '', { 'word/_rels/document.xml.rels': spaces(100) }),
});
