import { FileError } from '../errors.ts';
import { escapeHtml } from '../html.ts';
import { type CellFormat, shownNumber, shownText } from './number-formats.ts';
import { followable, type Relation } from './ooxml.ts';
import { readXml } from './xml.ts';

/** The parts of a workbook that all its sheets share. */
export interface Workbook {
	readonly strings: readonly string[];
	readonly formats: readonly CellFormat[];
	readonly uses1904: boolean;
}

interface Cell {
	readonly column: number;
	readonly text: string;
	readonly isWhite: boolean;
}

interface Row {
	readonly number: number;
	readonly cells: readonly Cell[];
}

export interface Sheet {
	readonly rows: readonly Row[];
	/** The last row that was read, if there are more. */
	readonly cutAfter?: number;
	/** Hidden rows and columns that have values. */
	readonly hiddenRows: number;
	readonly hiddenColumns: number;
	readonly links: ReadonlyMap<string, string>;
}

/** Reads the rest of a part no further. */
class Enough extends Error {}

/** Reads the cells that people see. @param room cells that may still be kept @throws FileError */
export function readSheet(
	xml: string,
	part: string,
	workbook: Workbook,
	room: number,
	relations: ReadonlyMap<string, Relation>,
): Sheet {
	const reader = new SheetReader(workbook, room, relations);
	try {
		readXml(xml, reader, { part, local: true });
	} catch (error) {
		if (!(error instanceof Enough)) throw error;
	}
	return reader.sheet();
}

class SheetReader {
	readonly #workbook: Workbook;
	readonly #relations: ReadonlyMap<string, Relation>;
	readonly #rows: Row[] = [];
	readonly #hidden: (readonly [number, number])[] = [];
	readonly #links = new Map<string, string>();
	readonly #emptied = new Set<number>();
	#room: number;
	#row: { number: number; cells: Cell[]; hidden: boolean } = { number: 0, cells: [], hidden: false };
	#cell: { column: number; type: string; format: CellFormat | undefined; value: string } | undefined;
	#inValue = false;
	#inReading = false;
	#hiddenRows = 0;
	#cutAfter: number | undefined;
	/** Colours behind text that do not depend on the cell. */
	#hasOtherColours = false;

	constructor(workbook: Workbook, room: number, relations: ReadonlyMap<string, Relation>) {
		this.#workbook = workbook;
		this.#room = room;
		this.#relations = relations;
	}

	open(name: string, attributes: Readonly<Record<string, string>>): void {
		switch (name) {
			case 'col':
				if (isOn(attributes.hidden)) this.#hidden.push([Number(attributes.min), Number(attributes.max)]);
				break;
			case 'row':
				this.#row = {
					number: Number(attributes.r) || this.#row.number + 1,
					cells: [],
					hidden: isOn(attributes.hidden),
				};
				break;
			case 'c':
				this.#cell = {
					column: columnOf(attributes.r) ?? (this.#row.cells.at(-1)?.column ?? 0) + 1,
					type: attributes.t ?? 'n',
					format: this.#workbook.formats[Number(attributes.s ?? 0)],
					value: '',
				};
				break;
			case 'v':
			case 't':
				this.#inValue = true;
				break;
			case 'rPh':
				this.#inReading = true;
				break;
			case 'hyperlink':
				this.#addLink(attributes);
				break;
			case 'conditionalFormatting':
			case 'tablePart':
				this.#hasOtherColours = true;
		}
	}

	text(text: string): void {
		if (this.#inValue && !this.#inReading && this.#cell !== undefined) this.#cell.value += text;
	}

	close(name: string): void {
		if (name === 'v' || name === 't') this.#inValue = false;
		else if (name === 'rPh') this.#inReading = false;
		else if (name === 'c') this.#endCell();
		else if (name === 'row') this.#endRow();
	}

	#addLink(attributes: Readonly<Record<string, string>>): void {
		const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
		const href = followable(this.#relations.get(id ?? '')?.target);
		if (href !== undefined) this.#links.set((attributes.ref ?? '').replace(/:.*/, ''), href);
	}

	#endCell(): void {
		const cell = this.#cell;
		this.#cell = undefined;
		if (cell === undefined || cell.value === '') return;
		const text = this.#shown(cell.type, cell.value, cell.format?.code ?? 'General');
		if (text === '') return;
		if (this.#hidden.some(([from, to]) => cell.column >= from && cell.column <= to)) {
			this.#emptied.add(cell.column);
			return;
		}
		this.#row.cells.push({ column: cell.column, text, isWhite: cell.format?.isWhite === true });
	}

	#shown(type: string, value: string, code: string): string {
		switch (type) {
			case 's':
				return shownText(this.#workbook.strings[Number(value)] ?? '', code);
			case 'b':
				return value === '1' ? 'TRUE' : 'FALSE';
			case 'n': {
				const number = Number(value);
				return Number.isFinite(number) ? shownNumber(number, code, this.#workbook.uses1904) : value;
			}
			case 'str':
			case 'inlineStr':
				return shownText(value, code);
			// Dates and errors are written as they are shown.
			default:
				return value;
		}
	}

	#endRow(): void {
		const { number, cells, hidden } = this.#row;
		if (cells.length === 0) return;
		if (hidden) {
			this.#hiddenRows++;
			return;
		}
		if (cells.length > this.#room) {
			this.#cutAfter = this.#rows.at(-1)?.number ?? 0;
			throw new Enough();
		}
		this.#room -= cells.length;
		this.#rows.push({ number, cells });
	}

	sheet(): Sheet {
		const seen = this.#hasOtherColours
			? this.#rows
			: this.#rows.map(({ number, cells }) => ({ number, cells: cells.filter(({ isWhite }) => !isWhite) }));
		return {
			rows: seen.filter(({ cells }) => cells.length > 0),
			...(this.#cutAfter !== undefined && { cutAfter: this.#cutAfter }),
			hiddenRows: this.#hiddenRows,
			hiddenColumns: this.#emptied.size,
			links: this.#links,
		};
	}
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

/** `AB12` is in column 28. */
function columnOf(reference: string | undefined): number | undefined {
	const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
	if (letters === undefined) return undefined;
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function nameOf(column: number): string {
	let [rest, name] = [column, ''];
	for (; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
	return name;
}

/** Cells of the written table at most, empty ones included: a few values far apart make many. */
const maxWritten = 1_000_000;

/** The rows and columns that have values, as a table. A first row of words is its header. @throws FileError */
export function writeSheet({ rows, links }: Sheet): string {
	const used = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort((a, b) => a - b);
	if (rows.length * used.length > maxWritten)
		throw new FileError('file-over-limit', `a table has ${rows.length} rows and ${used.length} columns`);
	const hasHeader =
		rows.length > 1 && rows[0]?.cells.length === used.length && rows[0].cells.every(({ text }) => /\p{L}/u.test(text));
	const written = rows.map(({ number, cells }, at) => {
		const byColumn = new Map(cells.map((cell) => [cell.column, cell.text]));
		const tag = hasHeader && at === 0 ? 'th' : 'td';
		return `<tr>${used.map((column) => `<${tag}>${linked(byColumn.get(column) ?? '', links.get(nameOf(column) + number))}</${tag}>`).join('')}</tr>`;
	});
	return written.length === 0 ? '' : `<table>${written.join('\n')}</table>`;
}

function linked(text: string, href: string | undefined): string {
	const html = escapeHtml(text.trim()).replace(/\r?\n/g, '<br>');
	return href === undefined ? html : `<a href="${escapeHtml(href)}">${html}</a>`;
}
