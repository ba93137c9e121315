import { format, isDateFormat } from 'numfmt';
import { elementsOf, within, type XmlElement } from './xml.ts';

/** How a cell shows its value (ECMA-376 part 1 §18.8). */
export interface CellFormat {
	readonly code: string;
	/** White text without a colour behind it. */
	readonly isWhite: boolean;
}

/** Formats that are not in the file (§18.8.30); dates that depend on the reader's country are ISO dates. */
const builtIn: Readonly<Record<number, string>> = {
	1: '0',
	2: '0.00',
	3: '#,##0',
	4: '#,##0.00',
	9: '0%',
	10: '0.00%',
	11: '0.00E+00',
	12: '# ?/?',
	13: '# ??/??',
	14: 'yyyy-mm-dd',
	15: 'd-mmm-yy',
	16: 'd-mmm',
	17: 'mmm-yy',
	18: 'h:mm AM/PM',
	19: 'h:mm:ss AM/PM',
	20: 'h:mm',
	21: 'h:mm:ss',
	22: 'yyyy-mm-dd h:mm',
	37: '#,##0;(#,##0)',
	38: '#,##0;(#,##0)',
	39: '#,##0.00;(#,##0.00)',
	40: '#,##0.00;(#,##0.00)',
	45: 'mm:ss',
	46: '[h]:mm:ss',
	47: 'mmss.0',
	48: '##0.0E+0',
	49: '@',
};
/** Characters of a format, as Excel allows them. */
const maxCode = 255;
/** Days from the first one of the other calendar that workbooks can use (§18.17.4.1). */
const days1904 = 1462;

export function readFormats(styles: XmlElement): readonly CellFormat[] {
	const sheet = within(styles, 'styleSheet');
	const own = new Map(
		elementsOf(within(sheet, 'numFmts'), 'numFmt').map(({ attributes }) => [
			attributes.numFmtId,
			attributes.formatCode,
		]),
	);
	const white = elementsOf(within(sheet, 'fonts'), 'font').map((font) => {
		const { rgb, theme } = within(font, 'color')?.attributes ?? {};
		return theme === '0' || /^(?:ff)?ffffff$/i.test(rgb ?? '');
	});
	const filled = elementsOf(within(sheet, 'fills'), 'fill').map((fill) => {
		const pattern = within(fill, 'patternFill')?.attributes.patternType;
		return pattern === undefined ? elementsOf(fill).length > 0 : pattern !== 'none';
	});
	return elementsOf(within(sheet, 'cellXfs'), 'xf').map(({ attributes: { numFmtId = '0', fontId, fillId } }) => {
		const code = own.get(numFmtId) ?? builtIn[Number(numFmtId)] ?? 'General';
		return {
			code: code.length > maxCode ? 'General' : code,
			isWhite: white[Number(fontId ?? 0)] === true && filled[Number(fillId ?? 0)] !== true,
		};
	});
}

/** A number as a cell shows it. Without a format it has all its digits, which a wide enough cell shows. */
export function shownNumber(value: number, code: string, uses1904: boolean): string {
	if (/^general$/i.test(code)) return String(Number(value.toPrecision(15)));
	try {
		const serial = uses1904 && isDateFormat(code) ? value + days1904 : value;
		return format(code, serial).trim();
	} catch {
		return String(Number(value.toPrecision(15)));
	}
}

/** A text as a cell shows it: some formats hide it, or add to it. */
export function shownText(text: string, code: string): string {
	if (!code.includes(';') && !code.includes('@')) return text;
	try {
		return format(code, text);
	} catch {
		return text;
	}
}
