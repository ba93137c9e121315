import { expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { segment } from './read/blocks.ts';
import { flagsOf } from './read/flags.ts';
import { shownBlocks } from './shown.ts';

const bar = Array.from({ length: 9 }, (_, i) => `<li><a href="/${i}">Tool ${i}</a></li>`).join('');

/** What is shown of a page of which only the list is kept. */
function shown(html: string, titles: readonly string[] | undefined): string[] {
	const { blocks } = segment(parseHtml(html).body);
	const keep = flagsOf(blocks, ({ text }) => text === 'Item');
	return blocks.filter((_, i) => shownBlocks(blocks, keep, { titles })[i]).map(({ text }) => text);
}

it('the heading of a list is shown above it', () => {
	expect(shown('<h1>Blog</h1><ul><li>Item</ul>', [])).toEqual(['Blog', 'Item']);
	expect(shown('<h1>Blog</h1><p>6 entries</p><ul><li>Item</ul>', [])).toEqual(['Blog', 'Item']);
	expect(shown('<h1>Blog</h1><ul><li>Item</ul>', undefined)).toEqual(['Item']);
});

it('from further away when it is the title of the page', () => {
	const html = `<h1>Pump</h1><ul>${bar}</ul><p>Item`;
	expect(shown(html, ['Pump - Forum'])).toEqual(['Pump', 'Item']);
	expect(shown(html, ['Forum'])).toEqual(['Item']);
});

it('the name of the site in the header of the page heads nothing', () => {
	expect(shown('<header><h1>Example</h1></header><p>Item', ['Example'])).toEqual(['Item']);
	expect(shown('<main><header><h1>List</h1></header><p>Item</main>', [])).toEqual(['List', 'Item']);
});

it('a header of a row is shown with its cells', () => {
	const rows = '<table><tr><th>Brand<td>Item<tr><th>Weight<td>2 kg</table>';
	expect(shown(rows, undefined)).toEqual(['Brand', 'Item']);
});
