import { FileError } from '../errors.ts';
import { escapeHtml, writeDocument } from '../html.ts';
import type { FileContent, FileLimits } from '../types.ts';
import { headOfOffice } from './core-properties.ts';
import { readFormats } from './number-formats.ts';
import { openParts, prefixed } from './ooxml.ts';
import { readSheet, type Workbook, writeSheet } from './sheet.ts';
import { elementsOf, readXml, within } from './xml.ts';

/** Comments, charts, pivot tables, macros and embedded files stay packed. */
const isRead =
	/^(?:xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/(?:_rels\/)?[^/]+|docProps\/core\.xml)$/;
const main = 'xl/workbook.xml';
/** Cells with values that are kept of a file. */
const maxCells = 200_000;

/**
 * Reads the visible sheets of a workbook as tables of what their cells show. Hidden sheets, rows and columns, formulas and
 * comments are not read.
 *
 * @param onSheet called for each sheet that has been read
 * @throws FileError
 */
export async function readXlsx(bytes: Uint8Array, limits: FileLimits, onSheet: () => void): Promise<FileContent> {
	const parts = openParts(bytes, isRead, limits);
	if (!parts.has(main)) throw new FileError('file-damaged', `the file has no sheets: ${main} is missing`);
	const tree = within(parts.tree(main), 'workbook');
	const relations = parts.relations(main);
	const workbook: Workbook = {
		strings: sharedStrings(parts.text('xl/sharedStrings.xml')),
		formats: readFormats(parts.tree('xl/styles.xml')),
		uses1904: /^(?:1|true)$/.test(within(tree, 'workbookPr')?.attributes.date1904 ?? ''),
	};
	const leftOut: string[] = [];
	const read = new Set<string>();
	let [room, count] = [maxCells, 0];
	const bodies = elementsOf(within(tree, 'sheets'), 'sheet').flatMap((entry) => {
		const { name = '', state = 'visible' } = entry.attributes;
		const part = relations.get(prefixed(entry, 'id') ?? '')?.target ?? '';
		if (state !== 'visible') {
			leftOut.push(`sheet "${name}": hidden`);
			return [];
		}
		if (!parts.has(part)) {
			leftOut.push(`sheet "${name}": not a sheet of cells`);
			return [];
		}
		if (read.has(part)) return [];
		read.add(part);
		const sheet = readSheet(parts.text(part), part, workbook, room, parts.relations(part));
		onSheet();
		room -= sheet.rows.reduce((sum, { cells }) => sum + cells.length, 0);
		for (const [number, what] of [
			[sheet.hiddenRows, 'row'],
			[sheet.hiddenColumns, 'column'],
		] as const)
			if (number > 0) leftOut.push(`sheet "${name}": ${number} hidden ${number === 1 ? what : `${what}s`}`);
		if (sheet.cutAfter !== undefined)
			leftOut.push(`sheet "${name}": rows after row ${sheet.cutAfter}, since ${maxCells} cells of a file are kept`);
		return [`<a id="sheet-${++count}"></a><h2>${escapeHtml(name)}</h2>${writeSheet(sheet)}`];
	});
	const body = bodies.join('\n');
	return {
		html: writeDocument(headOfOffice(parts.text('docProps/core.xml'), undefined, ''), body),
		pages: count,
		leftOut,
	};
}

/** Texts that cells refer to by number (ECMA-376 part 1 §18.4.8), without readings above them. */
function sharedStrings(xml: string): string[] {
	const strings: string[] = [];
	let [current, isText, isReading] = ['', false, false];
	readXml(
		xml,
		{
			open(name) {
				if (name === 'si') current = '';
				else if (name === 't') isText = true;
				else if (name === 'rPh') isReading = true;
			},
			text(text) {
				if (isText && !isReading) current += text;
			},
			close(name) {
				if (name === 'si') strings.push(current);
				else if (name === 't') isText = false;
				else if (name === 'rPh') isReading = false;
			},
		},
		{ part: 'xl/sharedStrings.xml', local: true },
	);
	return strings;
}
