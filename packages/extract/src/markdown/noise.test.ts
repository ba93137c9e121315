import { expect, it } from 'vitest';
import { Addresses } from '../addresses.ts';
import { parseHtml } from '../dom/parse.ts';
import { toMarkdown } from './index.ts';

const markdown = (html: string): string =>
	toMarkdown([parseHtml(html).body], { addresses: new Addresses('https://a.example/fs/') });

it('functions that are called as tools of a page stand in their index', () => {
	const index =
		'<dl><dt><a href="fn.copy.html">copy</a><dd>Copies a file.<dt><a href="#edit"><code>edit</code></a><dd>Edits it.</dl>';
	expect(markdown(index)).toBe(
		'**[copy](https://a.example/fs/fn.copy.html)**\n: Copies a file.\n\n**[`edit`](https://a.example/fs/#edit)**\n: Edits it.',
	);
});

it('tools of a page do not', () => {
	expect(markdown('<p>Text <a href="#">copy</a> <a href="/print">Print</a> <a href="fs?do=edit">edit</a>')).toBe(
		'Text',
	);
});
