import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openFileReader } from './index.ts';

const files = openFileReader();
afterAll(() => files.close());

const fixture = (name: string) => readFileSync(new URL(`./testing/fixtures/${name}`, import.meta.url));

/** Text of a known Markdown file or of converted HTML, word by word. */
const wordsOf = (text: string): string[] =>
	text
		.replace(/<title>.*?<\/title>|<[^>]+>|\[\^\d+\]:?|\]\([^)]*\)|!\[[^\]]*\]/g, ' ')
		.replace(/&\w+;/g, ' ')
		// A word that was written with a hyphen may end its line there.
		.replace(/(?<=\p{L})-(?=\p{L})/gu, '')
		.match(/[\p{L}\p{M}]+/gu) ?? [];

const headings = (html: string): string[] =>
	[...html.matchAll(/<h([1-6])>(.*?)<\/h\1>/g)].map(([, level, text]) => `${'#'.repeat(Number(level))} ${text}`);

describe('PDF files with known text', () => {
	it.each([
		['tagged', 'by its tags', 3],
		['untagged', 'by its layout', 4],
		['columns', 'in two columns', 3],
	])('reads %s.pdf %s, with its headings and an anchor for each page', async (name, _how, pages) => {
		const { html, pages: counted } = await files.read(fixture(`${name}.pdf`), 'pdf');
		const known = fixture(`${name}.md`)
			.toString()
			.replace(/```\{=ms\}\n.*\n```/, '');
		expect(counted).toBe(pages);
		expect(html.match(/<a id="page-\d+"><\/a>/g)).toEqual(
			Array.from({ length: pages }, (_, at) => `<a id="page-${at + 1}"></a>`),
		);
		expect(headings(html)).toEqual(known.split('\n').filter((line) => line.startsWith('#')));
		expect(wordsOf(html).join(' ')).toBe(wordsOf(known).join(' '));
	});

	it('keeps tables, code and lists of a page without tags', async () => {
		const { html } = await files.read(fixture('untagged.pdf'), 'pdf');
		expect(html).toContain('<pre><code>function trux(flan, greMap) {\n  const niaId = cer[18] + &quot;dioId&quot;;');
		expect(html).toMatch(/<ol><li>Quitri plioniar/);
		expect(html).toMatch(/<li>Nestgrebal treal stur grufind Liontrior rio<ul><li>Vuffiseastea grufind deastpost<\/li>/);
		expect(html).toMatch(/<table><tr><th>/);
	});
});
