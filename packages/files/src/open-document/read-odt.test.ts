import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { odtWith } from '../testing/write-office.ts';
import { defaultLimits } from '../types.ts';
import { readOdt } from './read-odt.ts';

const read = async (bytes: Uint8Array) => (await readOdt(bytes, defaultLimits)).html;
const bodyOf = async (bytes: Uint8Array) => (await read(bytes)).replace(/^.*<main>|<\/main>.*$/gs, '');

it('reads a text by pandoc: metadata, headings, lists, tables, notes, code, quotes and formulas', async () => {
	const html = await read(readFileSync(new URL('../testing/fixtures/pandoc.odt', import.meta.url)));
	expect(html).toContain('<html lang="de">');
	expect(html).toContain('<meta name="author" content="Ada Example"><meta name="author" content="Bo Sample">');
	expect(html.match(/<h\d>.*?<\/h\d>/g)).toEqual([
		'<h1>Tides &amp; Herons</h1>',
		'<h1>First chapter</h1>',
		'<h1>Second chapter</h1>',
		'<h2>Section</h2>',
	]);
	expect(html).toContain('<ul><li>one<ul><li>one a</li><li>one b</li></ul></li><li>two</li></ul>');
	expect(html).toContain('<ol start="3"><li>three</li><li>four</li></ol>');
	expect(html).toContain('<table><tr><th>Name</th><th>Count</th></tr><tr><td>Ash</td><td>12</td></tr>');
	expect(html).toContain('a note.<sup><a role="doc-noteref" href="#fn-1">1</a></sup> Also H<sub>2</sub>O');
	expect(html).toContain('<div role="doc-footnote" id="fn-1">The note’s <em>text</em>');
	expect(html).toContain('<pre><code>const a = 1;\nif (a &lt; 2) run();</code></pre>');
	expect(html).toContain('<blockquote><p>A quote.</p></blockquote>');
	expect(html).toContain('<p>Equation E=mc^2 inline');
});

const style = (name: string, properties: string, parent = '', kind = 'text') =>
	`<style:style style:name="${name}" style:family="paragraph"${parent && ` style:parent-style-name="${parent}"`}><style:${kind}-properties ${properties}/></style:style>`;
const gone = 'text:display="none"';
const white = 'fo:color="#FFFFFF"';

describe('text that an office program does not show is not in the document', () => {
	it.each([
		['hidden by its style', style('A', gone), '<text:p text:style-name="A">Secret</text:p>', false],
		[
			'hidden by the style it is based on',
			style('A', gone) + style('B', '', 'A'),
			'<text:p text:style-name="B">Secret</text:p>',
			false,
		],
		[
			'shown again in it',
			style('A', gone) + style('B', 'text:display="true"'),
			'<text:p text:style-name="A"><text:span text:style-name="B">Secret</text:span></text:p>',
			true,
		],
		['white', style('A', white), '<text:p><text:span text:style-name="A">Secret</text:span></text:p>', false],
		[
			'white on a colour',
			style('A', `${white} fo:background-color="#000088"`),
			'<text:p text:style-name="A">Secret</text:p>',
			true,
		],
		[
			'white in a dark cell',
			style('A', white) + style('C', 'fo:background-color="#000088"', '', 'table-cell'),
			'<table:table><table:table-row><table:table-cell table:style-name="C"><text:p text:style-name="A">Secret</text:p></table:table-cell></table:table-row></table:table>',
			true,
		],
		['of one point', style('A', 'fo:font-size="1pt"'), '<text:p text:style-name="A">Secret</text:p>', false],
		[
			'deleted',
			'',
			'<text:tracked-changes><text:changed-region><text:deletion><text:p>Secret</text:p></text:deletion></text:changed-region></text:tracked-changes>',
			false,
		],
		['a comment', '', '<text:p>x<office:annotation><text:p>Secret</text:p></office:annotation></text:p>', false],
		['a hidden section', '', '<text:section text:display="none"><text:p>Secret</text:p></text:section>', false],
		[
			'a hidden row',
			'',
			'<table:table><table:table-row table:visibility="collapse"><table:table-cell><text:p>Secret</text:p></table:table-cell></table:table-row></table:table>',
			false,
		],
		['hidden text', '', '<text:p>x<text:hidden-text text:is-hidden="true">Secret</text:hidden-text></text:p>', false],
		['inserted', '', '<text:p><text:change-start/>Secret<text:change-end/></text:p>', true],
	])('%s', async (_name, styles, part, isSeen) => {
		const body = await bodyOf(odtWith(`<text:p>Seen.</text:p>${part}`, styles));
		expect(body).toContain('Seen.');
		expect(body.includes('Secret')).toBe(isSeen);
	});
});

it('reads spaces, breaks, boxes, alternative texts, and a heading with a number', async () => {
	const body = await bodyOf(
		odtWith(
			'<text:list><text:list-item><text:h text:outline-level="2">Two</text:h></text:list-item></text:list>' +
				'<text:p>a<text:s text:c="2"/>b<text:line-break/>c<draw:frame><draw:text-box><text:p>Box</text:p></draw:text-box></draw:frame><draw:frame><draw:image/><svg:title>t</svg:title><svg:desc>A heron</svg:desc></draw:frame></text:p>',
		),
	);
	expect(body).toBe('<h2>Two</h2>\n<p>a  b\nc</p>\n<p>Box</p>\n<p><img alt="A heron" src="#"></p>');
});

it('a text with a password ends with that reason', async () => {
	const manifest =
		'<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
	await expect(read(odtWith('', '', { 'META-INF/manifest.xml': manifest }))).rejects.toMatchObject({
		code: 'file-encrypted',
	});
});
