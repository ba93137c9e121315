import type { FileKind } from '../types.ts';
import { compoundFile, epubWith, line, odtWith, pptxWith, row, shape, slideOf, xlsxWith } from './write-office.ts';

// Hostile books, text documents, presentations and workbooks, by name. `Secret` is in places that no reader sees.

const spaces = (mebibytes: number) => Buffer.alloc(mebibytes << 20, 0x20);
const deep = (tag: string) => `<${tag}>`.repeat(100_000) + `</${tag}>`.repeat(100_000);
const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghij'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
const seen = '<p>Seen by all.</p>';
const drm = (file: string) =>
	`<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData><CipherReference URI="${file}"/></CipherData></EncryptedData></encryption>`;
const textOf = (words: string) => `<text:p>${words}</text:p>`;
const sheet = (xml: string, state?: string) => [{ name: 'A', xml, ...(state !== undefined && { state }) }];

type Makers = Readonly<Record<string, () => Uint8Array>>;

const books: Makers = {
	'a chapter of 300 MiB of spaces': () => epubWith([seen], { 'OEBPS/c1.xhtml': spaces(300) }),
	'a chapter of 60 MiB of paragraphs': () => epubWith([seen.repeat(3_000_000)]),
	'chapters nested 100,000 times': () => epubWith([deep('div')]),
	'a book of 3,000 chapters': () => epubWith(Array.from({ length: 3000 }, () => seen)),
	'a chapter with entities that hold entities': () =>
		epubWith([seen], { 'OEBPS/c1.xhtml': `${entities}<html><body><p>&j;&f;</p></body></html>` }),
	'a book under DRM': () => epubWith([seen], { 'META-INF/encryption.xml': drm('OEBPS/c1.xhtml') }),
	'a book whose package is encrypted': () => epubWith([seen], { 'META-INF/encryption.xml': drm('OEBPS/book.opf') }),
	'a package that lists itself': () =>
		epubWith([seen], {
			'OEBPS/book.opf':
				'<package><manifest><item id="a" href="book.opf" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="a"/></spine></package>',
		}),
	'a container that names no package': () => epubWith([seen], { 'META-INF/container.xml': '<container/>' }),
	'a package outside of the archive': () =>
		epubWith([seen], {
			'META-INF/container.xml': '<container><rootfile full-path="../../../etc/passwd"/></container>',
		}),
	'scripts, frames and forms in a book': () =>
		epubWith([
			`${seen}<script>Secret</script><iframe srcdoc="Secret">Secret</iframe><object>Secret</object><input value="Secret"/><p hidden="">Secret</p><p style="display:none">Secret</p><a href="javascript:Secret">x</a>`,
		]),
	'10,000 rules that hide, and 10,000 elements': () =>
		epubWith(
			[seen + Array.from({ length: 10_000 }, (_, at) => `<p class="a${at} b">x</p>`).join('')],
			{},
			'',
			`<style>${Array.from({ length: 10_000 }, (_, at) => `div .b .a${at} { display: none }`).join('\n')}</style>`,
		),
	'a style sheet of braces': () => epubWith([seen], {}, '', `<style>${'{'.repeat(1_000_000)}</style>`),
};

const texts: Makers = {
	'text nested 100,000 times': () => odtWith(deep('text:span')),
	'a text of 100 MiB of paragraphs': () => odtWith(textOf('Seen by all.').repeat(3_000_000)),
	'a text under a password': () =>
		odtWith('', '', {
			'META-INF/manifest.xml':
				'<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
		}),
	'a cell that is repeated a billion times': () =>
		odtWith(
			`<table:table><table:table-row><table:table-cell table:number-columns-repeated="1000000000">${textOf('x')}</table:table-cell></table:table-row></table:table>`,
		),
	'spaces without an end': () => odtWith(textOf(`Seen by all.${'<text:s text:c="999999999"/>'.repeat(1000)}`)),
	'text styles that are based on each other': () =>
		odtWith(
			'<text:p text:style-name="A">Seen by all.</text:p>',
			'<style:style style:name="A" style:parent-style-name="B"/><style:style style:name="B" style:parent-style-name="A"/>',
		),
	'deletions, comments and hidden text': () =>
		odtWith(
			`<text:tracked-changes><text:changed-region><text:deletion>${textOf('Secret')}</text:deletion></text:changed-region></text:tracked-changes><text:p>Seen by all.<office:annotation>${textOf('Secret')}</office:annotation><text:hidden-text>Secret</text:hidden-text></text:p><text:section text:display="none">${textOf('Secret')}</text:section>`,
		),
	'no text': () => odtWith('', '', { 'content.xml': '<office:document-content/>' }),
	'notes that hold notes': () => {
		const note = (body: string): string =>
			`<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>x${body}</text:p></text:note-body></text:note>`;
		return odtWith(`<text:p>Seen by all.${note(note(note(note('Y'))))}</text:p>`);
	},
};

const slides: Makers = {
	'a slide nested 100,000 times': () => pptxWith([deep('p:grpSp')]),
	'3,000 slides': () => pptxWith(Array.from({ length: 3000 }, () => shape(line('Seen by all.')))),
	'a slide on the list 100,000 times': () =>
		pptxWith([shape(line('Seen by all.').repeat(10_000))], {
			'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${'<p:sldId r:id="r1"/>'.repeat(100_000)}</p:sldIdLst></p:presentation>`,
		}),
	'a slide of 100 MiB': () => pptxWith([shape(line('Seen by all.').repeat(2_500_000))]),
	'hidden slides and shapes': () =>
		pptxWith([
			shape(line('Seen by all.')) + shape(line('Secret'), '', ' hidden="1"'),
			slideOf(shape(line('Secret')), ' show="0"'),
		]),
	'slides that are missing': () =>
		pptxWith([shape(line('x'))], { 'ppt/_rels/presentation.xml.rels': '<Relationships/>' }),
	'a presentation with a password': () => compoundFile('EncryptedPackage'),
	'the presentations before': () => compoundFile('PowerPoint Document'),
};

const workbooks: Makers = {
	'a sheet of 100 MiB': () =>
		xlsxWith(sheet(`<sheetData>${row(1, ['Seen by all.', 'x']).repeat(1_000_000)}</sheetData>`)),
	'cells at both ends of a sheet': () =>
		xlsxWith(
			sheet(
				'<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>',
			),
		),
	'cells along a diagonal of 16,000': () =>
		xlsxWith(
			sheet(
				`<sheetData>${Array.from({ length: 16_000 }, (_, at) => `<row r="${at + 1}"><c r="${letters(at + 1)}${at + 1}"><v>${at}</v></c></row>`).join('')}</sheetData>`,
			),
		),
	'a shared text used a million times': () =>
		xlsxWith(sheet(`<sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(1000)}</row>`.repeat(1000)}</sheetData>`), {
			'xl/sharedStrings.xml': `<sst><si><t>${'a'.repeat(30_000)}</t></si></sst>`,
		}),
	'a format of a million signs': () =>
		xlsxWith(sheet(`<sheetData>${'<row><c s="0"><v>1.5</v></c></row>'.repeat(1000)}</sheetData>`), {
			'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(1_000_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
		}),
	'100,000 hidden columns, and cells': () =>
		xlsxWith(
			sheet(
				`<cols>${'<col min="9" max="9" hidden="1"/>'.repeat(100_000)}</cols><sheetData>${row(1, ['Seen by all.']).repeat(50_000)}</sheetData>`,
			),
		),
	'sheets, rows and columns that are hidden': () =>
		xlsxWith([
			{ name: 'A', xml: `<sheetData>${row(1, ['Seen by all.'])}${row(2, ['Secret'], ' hidden="1"')}</sheetData>` },
			{
				name: 'B',
				xml: `<cols><col min="2" max="3" hidden="1"/></cols><sheetData>${row(1, ['x', 'Secret'])}</sheetData>`,
			},
			{ name: 'C', state: 'veryHidden', xml: `<sheetData>${row(1, ['Secret'])}</sheetData>` },
		]),
	'a workbook with a password': () => compoundFile('EncryptedPackage'),
};

function letters(column: number): string {
	let [rest, name] = [column, ''];
	for (; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
	return name;
}

export const hostileOffice = { epub: books, odt: texts, pptx: slides, xlsx: workbooks } satisfies Partial<
	Record<FileKind, Makers>
>;
