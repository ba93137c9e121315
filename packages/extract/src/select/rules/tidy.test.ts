import { expect, it } from 'vitest';
import { parseHtml } from '../../dom/parse.ts';
import { segment } from '../read/blocks.ts';
import { flagsOf } from '../read/flags.ts';
import { tidy } from './tidy.ts';

/** Texts that are kept of a page whose model keeps the blocks that begin with a plus. */
function kept(html: string, isThread = false): string[] {
	const segments = segment(parseHtml(html).body);
	const chosen = flagsOf(segments.blocks, ({ text }) => text.startsWith('+'));
	const tidied = tidy(segments, chosen, { isThread });
	return segments.blocks.filter((_, i) => tidied[i]).map(({ text }) => text);
}

it('keeps or drops a table of data as a whole', () => {
	expect(kept('<table><tr><th>+Voltage<td>18<tr><th>+Weight<td>2</table>')).toEqual(['+Voltage', '18', '+Weight', '2']);
	expect(kept('<p>+Text</p><table><tr><th>+Voltage<td>18 to 20 volts<td>more<td>of it</table>')).toEqual(['+Text']);
});

it('keeps a paragraph between two kept ones', () => {
	expect(kept('<div><p>+One</p><p>Two</p><p>+Three</p></div>')).toEqual(['+One', 'Two', '+Three']);
	expect(kept('<div><p>+One</p><p><a href="/">Two</a></p><p>+Three</p></div>')).toEqual(['+One', '+Three']);
});

it('drops menus, unless they hold the substance of the page', () => {
	const text = `<p>+${'word '.repeat(50)}</p>`;
	expect(kept(`<nav><ul><li>+Home<li>+News</ul></nav>${text}`)).toHaveLength(1);
	expect(kept('<nav><ul><li>+Home<li>+News</ul></nav>')).toEqual(['+Home', '+News']);
});

it('drops a part named comments after an article, but not in a thread', () => {
	const page = `<p>+${'word '.repeat(80)}</p><div class="comments"><p>+Nice one.</p></div>`;
	expect(kept(page)).toHaveLength(1);
	expect(kept(page, true)).toHaveLength(2);
});
