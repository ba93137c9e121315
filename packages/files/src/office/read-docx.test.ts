import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { docxWith, hostileFiles, paragraph, run } from '../testing/hostile.ts';
import { defaultLimits } from '../types.ts';
import { readDocx } from './read-docx.ts';

const read = async (bytes: Uint8Array) => (await readDocx(bytes, defaultLimits)).html;

it('reads headings, lists, code, metadata and language', async () => {
	const html = await read(readFileSync(new URL('../testing/fixtures/pandoc.docx', import.meta.url)));
	expect(html).toContain('<h1');
	expect(html.replace(/<\/?code>/g, '')).toMatch(/<pre>function trux\(flan, greMap\) \{(?:\n|<br \/>) {2}const niaId/);
	expect(html).toContain('<meta name="author" content="Ada Example">');
	expect(html).toContain('<html lang="de">');
});

describe('text that Word does not show is not in the document', () => {
	it.each([
		['hidden', '<w:vanish/>', false],
		['hidden, switched off', '<w:vanish w:val="0"/>', true],
		['white', '<w:color w:val="FFFFFF"/>', false],
		['white on a colour', '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="112233"/>', true],
		['of one point', '<w:sz w:val="2"/>', false],
	])('%s', async (_name, properties, isSeen) => {
		const html = await read(docxWith(paragraph(run('Seen.') + run('Secret', properties))));
		expect(html).toContain('Seen.');
		expect(html.includes('Secret')).toBe(isSeen);
	});
});

describe('styles, and what is behind the text, decide too', () => {
	const styles = (all: string) => ({
		'word/styles.xml': Buffer.from(
			`<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${all}</w:styles>`,
		),
	});
	const style = (id: string, properties: string, base = '', type = 'paragraph') =>
		`<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/>${base && `<w:basedOn w:val="${base}"/>`}${properties}</w:style>`;
	const gone = '<w:rPr><w:vanish/></w:rPr>';
	const white = '<w:color w:val="FFFFFF"/>';
	const dark = '<w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>';
	const inStyle = (id: string, runs: string) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${runs}</w:p>`;
	const cell = (properties: string, inner: string) =>
		`<w:tbl><w:tblPr>${properties}</w:tblPr><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>`;
	it.each([
		[
			'hidden by the style that its style is based on',
			style('A', gone) + style('B', '', 'A'),
			inStyle('B', run('Secret')),
			false,
		],
		[
			'based on a hidden one, and shown again',
			style('A', gone) + style('B', '<w:rPr><w:vanish w:val="0"/></w:rPr>', 'A'),
			inStyle('B', run('Secret')),
			true,
		],
		[
			'in a hidden style, but shown itself',
			style('A', gone),
			inStyle('A', run('Secret', '<w:vanish w:val="0"/>')),
			true,
		],
		['in styles based on each other', style('A', '', 'B') + style('B', gone, 'A'), inStyle('A', run('Secret')), false],
		[
			'white by a style, and black itself',
			style('A', `<w:rPr>${white}</w:rPr>`),
			inStyle('A', run('Secret', '<w:color w:val="000000"/>')),
			true,
		],
		['white in a dark cell', '', cell('', `<w:tcPr>${dark}</w:tcPr>${paragraph(run('Secret', white))}`), true],
		[
			'white in a white cell',
			'',
			cell('', `<w:tcPr><w:shd w:val="clear" w:fill="FFFFFF"/></w:tcPr>${paragraph(run('Secret', white))}`),
			false,
		],
		[
			'white in a table whose style is dark',
			style('T', `<w:tblStylePr w:type="firstRow"><w:tcPr>${dark}</w:tcPr></w:tblStylePr>`, '', 'table'),
			cell('<w:tblStyle w:val="T"/>', paragraph(run('Secret', white))),
			true,
		],
		['white in a dark paragraph', '', `<w:p><w:pPr>${dark}</w:pPr>${run('Secret', white)}</w:p>`, true],
		['white behind white', '', paragraph(run('Secret', `${white}<w:shd w:val="clear" w:fill="FFFFFF"/>`)), false],
		[
			'white by the default style',
			'<w:docDefaults><w:rPrDefault><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:rPrDefault></w:docDefaults>',
			paragraph(run('Secret')),
			false,
		],
	])('text %s', async (_name, all, body, isSeen) => {
		const html = await read(docxWith(paragraph(run('Seen.', '<w:color w:val="000000"/>')) + body, '', styles(all)));
		expect(html).toContain('Seen.');
		expect(html.includes('Secret')).toBe(isSeen);
	});
});

it.each([
	['elements nested 100,000 times', 'file-over-limit'],
	['no document', 'file-damaged'],
	['a password', 'file-encrypted'],
	['the format before', 'file-damaged'],
	['nothing', 'file-damaged'],
])('%s ends as %s', async (name, code) => {
	const file = hostileFiles((one, kind) => kind === 'docx' && one === name)[0];
	await expect(readDocx(file!.bytes, defaultLimits)).rejects.toMatchObject({ code });
});

describe('what mammoth drops is read as plain text', () => {
	const math = (inner: string) => `<m:oMath>${inner}</m:oMath>`;
	const of = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
	const table = (...cells: readonly string[]) =>
		`<w:tbl><w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr></w:tbl>`;
	it.each([
		[
			'a power',
			`<w:p>${math(`${of('E=m')}<m:sSup><m:e>${of('c')}</m:e><m:sup>${of('2')}</m:sup></m:sSup>`)}</w:p>`,
			'E=mc^2',
		],
		[
			'a fraction and a root',
			`<w:p><m:oMathPara>${math(`<m:f><m:num>${of('a+b')}</m:num><m:den><m:rad><m:e>${of('c')}</m:e></m:rad></m:den></m:f>`)}</m:oMathPara></w:p>`,
			'(a+b)/(√c)',
		],
		[
			'a hidden part of an equation',
			`<w:p>${math(`${of('a')}<m:r><w:rPr><w:vanish/></w:rPr><m:t>b</m:t></m:r>${of('c')}`)}</w:p>`,
			'<p>ac</p>',
		],
		[
			'a simple field',
			`<w:p><w:fldSimple w:instr=" DATE ">${run('May 2024')}</w:fldSimple>${run(' it was')}</w:p>`,
			'May 2024 it was',
		],
		[
			'ruby',
			`<w:p><w:r><w:ruby><w:rt>${run('kana')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby></w:r>${run('です')}</w:p>`,
			'<p>漢字です</p>',
		],
		[
			'a table in a cell',
			table(paragraph(run('North')), table(paragraph(run('a')), paragraph(run('b')))),
			'<tr><td><p>North</p></td><td><p>a | b</p></td></tr>',
		],
	])('%s', async (_name, body, text) => {
		expect(await read(docxWith(body))).toContain(text);
	});

	it('insertions are read, and deletions, moved text and comments are not', async () => {
		const html = await read(
			docxWith(
				`<w:p>${run('Kept ')}<w:ins w:id="1">${run('put in')}</w:ins><w:del w:id="2"><w:r><w:delText>Secret</w:delText></w:r></w:del><w:moveFrom w:id="3">${run('Secret')}</w:moveFrom><w:moveTo w:id="4">${run(', moved')}</w:moveTo><w:r><w:commentReference w:id="0"/></w:r></w:p>`,
				'',
				{
					'word/comments.xml': Buffer.from(
						`<w:comments><w:comment w:id="0">${paragraph(run('Secret'))}</w:comment></w:comments>`,
					),
					'word/header1.xml': Buffer.from(`<w:hdr>${paragraph(run('Secret'))}</w:hdr>`),
				},
			),
		);
		expect(html).toContain('<p>Kept put in, moved</p>');
		expect(html).not.toContain('Secret');
	});
});
