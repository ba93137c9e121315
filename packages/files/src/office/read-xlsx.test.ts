import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { row, xlsxWith } from '../testing/write-office.ts';
import { defaultLimits } from '../types.ts';
import { readXlsx } from './read-xlsx.ts';

const read = (bytes: Uint8Array) => readXlsx(bytes, defaultLimits, () => {});
const rowsOf = (html: string) =>
	[...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, cells = '']) =>
		[...cells.matchAll(/<(t[hd])>(.*?)<\/\1>/gs)].map(([, , text]) => text),
	);

it('reads a workbook of another program: values as they are shown, and nothing that is hidden', async () => {
	const { html, leftOut, pages } = await read(
		readFileSync(new URL('../testing/fixtures/exceljs.xlsx', import.meta.url)),
	);
	expect(html).toContain('<title>Counts</title><meta name="author" content="Ada Example">');
	expect(html).toContain('<main><a id="sheet-1"></a><h2>Birds &amp; co</h2><table><tr><th>Name</th>');
	expect(rowsOf(html)).toEqual([
		['Name', 'Count', 'When', 'Share', 'Price', 'Total', 'Note'],
		['Ash', '12', '06.05.2024', '12.5%', '1,234.50 €', '24', '<a href="https://a.test/x?y=1&amp;z=2">a site</a>'],
		['Oak &amp; Elm &lt;x&gt;', '7', '2024-05-07 13:30', '3.1%', '-5.00 €', '14', 'rich text'],
		['true?', 'TRUE', '', '', '4006381333931', '', ''],
		['White on blue', '', '', '', '', '', ''],
		['merged', '', '', '', '', '', ''],
	]);
	expect(html).not.toContain('Secret');
	expect([pages, leftOut]).toEqual([
		1,
		[
			'sheet "Birds &amp; co": 1 hidden row'.replace('&amp;', '&'),
			'sheet "Birds & co": 1 hidden column',
			'sheet "Secret sheet": hidden',
			'sheet "Very": hidden',
		],
	]);
});

const styled = (code: string, value: string, properties = '', type = 'n') =>
	xlsxWith([{ name: 'A', xml: `<sheetData><row><c s="1" t="${type}"><v>${value}</v></c></row></sheetData>` }], {
		'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs><xf/><xf numFmtId="${/^\d+$/.test(code) ? code : 200}"/></cellXfs></styleSheet>`,
		...(properties !== '' && {
			'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr ${properties}/><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`,
		}),
	});

it.each([
	['14', '45000', '', '2023-03-15'],
	['22', '45000.5', '', '2023-03-15 12:00'],
	['14', '43538', 'date1904="1"', '2023-03-15'],
	['[h]:mm', '1.5', '', '36:00'],
	['0.00', '2.005', '', '2.01'],
	['General', '0.1', '', '0.1'],
	['General', '0.30000000000000004', '', '0.3'],
	[';;;', '5', '', undefined],
	['bogus[[[', '5', '', '5'],
])('a cell of format %s shows %s %s as %s', async (code, value, properties, shown) => {
	expect(rowsOf((await read(styled(code, value, properties))).html)[0]?.[0]).toBe(shown);
});

it('reads shared texts without readings, names of elements with a prefix, and errors', async () => {
	const { html } = await read(
		xlsxWith(
			[
				{
					name: 'A',
					xml: '<x:sheetData><x:row><x:c t="s"><x:v>1</x:v></x:c><x:c r="D1" t="e"><x:v>#N/A</x:v></x:c><x:c t="d"><x:v>2024-05-06</x:v></x:c></x:row></x:sheetData>',
				},
			],
			{
				'xl/sharedStrings.xml':
					'<sst><si><t>a</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh><t>Secret</t></rPh></si></sst>',
			},
		),
	);
	expect(rowsOf(html)).toEqual([['東京', '#N/A', '2024-05-06']]);
});

describe('a sheet that is too large', () => {
	it('ends with the rows that are kept, and says so', async () => {
		const xml = `<sheetData>${Array.from({ length: 401 }, (_, at) =>
			row(
				at + 1,
				Array.from({ length: 500 }, () => 'x'),
			),
		).join('')}</sheetData>`;
		const { html, leftOut } = await read(xlsxWith([{ name: 'A', xml }]));
		expect(rowsOf(html)).toHaveLength(400);
		expect(leftOut).toEqual(['sheet "A": rows after row 400, since 200000 cells of a file are kept']);
	});

	it('with few values far apart is small', async () => {
		const xml =
			'<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>';
		expect(rowsOf((await read(xlsxWith([{ name: 'A', xml }]))).html)).toEqual([
			['1', ''],
			['', '2'],
		]);
	});
});

it('white text stays where a table style may put a colour behind it', async () => {
	const styles =
		'<styleSheet><fonts><font/><font><color rgb="FFFFFFFF"/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>';
	const xml = '<sheetData><row><c s="1"><v>7</v></c></row></sheetData>';
	const of = async (more: string) =>
		rowsOf((await read(xlsxWith([{ name: 'A', xml: xml + more }], { 'xl/styles.xml': styles }))).html);
	expect(await of('')).toEqual([]);
	expect(await of('<tableParts><tablePart/></tableParts>')).toEqual([['7']]);
});
