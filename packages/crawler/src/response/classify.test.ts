import { describe, expect, it } from 'vitest';
import { archiveOf } from '../../../files/src/testing/write-office.ts';
import { describeUnread, kindOfFile } from './classify.ts';

/** An archive with these files, and a first one that says what it is. */
const archive = (names: readonly string[], mimetype?: string) =>
	archiveOf(Object.fromEntries(names.map((name) => [name, ''])), mimetype);
const empty = archive([]);

it.each([
	['docx', 'wordprocessingml.document', 'wordprocessingml.template; charset=binary'],
	['pptx', 'presentationml.presentation', 'presentationml.slideshow', 'presentationml.template'],
	['xlsx', 'spreadsheetml.sheet', 'spreadsheetml.template'],
])('archives of the types of %s are read as it', (kind, ...types) => {
	for (const type of types)
		expect(kindOfFile(`application/vnd.openxmlformats-officedocument.${type}`, archive(['x']))).toBe(kind);
});

it.each([
	['application/vnd.ms-word.document.macroEnabled.12', 'docx'],
	['application/vnd.ms-word.template.macroEnabled.12', 'docx'],
	['application/vnd.ms-excel.sheet.macroEnabled.12', 'xlsx'],
	['application/vnd.ms-powerpoint.slideshow.macroenabled.12', 'pptx'],
	['application/epub+zip', 'epub'],
	['application/vnd.oasis.opendocument.text-template', 'odt'],
	['application/vnd.oasis.opendocument.chart', undefined],
	['image/png', undefined],
])('an archive of type %s is read as %s', (type, kind) => {
	expect(kindOfFile(type, archive(['x']))).toBe(kind);
});

describe.each([
	'application/octet-stream',
	'application/zip',
	'application/x-zip-compressed',
	'application/msword',
	'application/vnd.ms-excel',
	'text/plain; charset=utf-8',
	undefined,
])('where the type is %s, what an archive holds decides', (type) => {
	it.each([
		['docx', archive(['[Content_Types].xml', 'word/document.xml'])],
		['pptx', archive(['ppt/presentation.xml'])],
		['xlsx', archive(['xl/workbook.xml'])],
		['epub', archive([], 'application/epub+zip')],
		['epub', archive(['META-INF/container.xml'])],
		['odt', archive(['content.xml'], 'application/vnd.oasis.opendocument.text')],
		[undefined, archive(['content.xml'], 'application/vnd.oasis.opendocument.chart')],
		[undefined, archive(['backup/word/document.xml', 'word/document.xml.bak'])],
		[undefined, empty],
	])('%s', (kind, body) => {
		expect(kindOfFile(type, body)).toBe(kind);
	});
});

it('a compound file is one that may have a password', () => {
	const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex');
	const of = (type: string) => kindOfFile(type, compound);
	expect(of('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')).toBe('xlsx');
	expect([of('application/epub+zip'), of('application/vnd.ms-excel')]).toEqual([undefined, undefined]);
});

const read = 'HTML, PDF, DOCX, PPTX, XLSX, EPUB and ODT are';
it.each([
	['application/msword', `application/msword: DOC files are not read; ${read}`],
	['application/vnd.oasis.opendocument.chart', expect.stringContaining('Other OpenDocument files are not read')],
	['application/vnd.ms-powerpoint', expect.stringContaining('PPT files are not read')],
	['application/vnd.ms-excel', expect.stringContaining('XLS files are not read')],
	['image/png', 'image/png'],
	[undefined, 'none stated'],
])('the detail of unsupported-type %s says which files are read', (type, detail) => {
	expect(describeUnread(type)).toEqual(detail);
});
