import { expect, it } from 'vitest';
import { describeUnread, kindOfFile } from './classify.ts';

const archive = Buffer.from('PK\x03\x04 word/document.xml', 'latin1');

it.each([
	['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
	['application/vnd.ms-word.document.macroEnabled.12', 'docx'],
	['application/vnd.openxmlformats-officedocument.wordprocessingml.template; charset=binary', 'docx'],
	['application/vnd.ms-word.template.macroEnabled.12', 'docx'],
	['application/octet-stream', 'docx'],
	['application/epub+zip', undefined],
	['application/vnd.oasis.opendocument.text', undefined],
])('an archive of type %s is read as %s', (type, kind) => {
	expect(kindOfFile(type, archive)).toBe(kind);
});

it.each([
	['application/epub+zip', 'application/epub+zip: EPUB files are not read; PDF, DOCX and HTML are'],
	['application/vnd.oasis.opendocument.text', expect.stringContaining('OpenDocument files are not read')],
	['application/vnd.ms-powerpoint', expect.stringContaining('PowerPoint files are not read')],
	['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', expect.stringContaining('Excel files are')],
	['image/png', 'image/png'],
	[undefined, 'none stated'],
])('the detail of unsupported-type %s says which files are read', (type, detail) => {
	expect(describeUnread(type)).toEqual(detail);
});
