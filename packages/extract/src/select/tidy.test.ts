import { expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { segment } from './blocks.ts';
import { tidy } from './tidy.ts';

/** What is kept of a page where the measure would keep the blocks that begin with a plus. */
function kept(html: string, isDocumentation = false): string[] {
	const segments = segment(parseHtml(html).body);
	const chosen = segments.blocks.map(({ text }) => text.startsWith('+'));
	const tidied = tidy(segments, chosen, { isThread: false, isDocumentation });
	return segments.blocks.filter((_, i) => tidied[i]).map(({ text }) => text);
}

const cells = (of: (name: string) => string): string =>
	['Voltage', 'Weight'].map((name) => `<tr><th>${name}<td>${of(name)}`).join('');

it('a table of data stays below its heading', () => {
	const specification = `<table>${cells(() => '18')}</table>`;
	const all = ['+Specification', 'Voltage', '18', 'Weight', '18'];
	expect(kept(`<div><h2>+Specification</h2>${specification}</div>`)).toEqual(all);
	expect(kept(`<div><h2>+Specification</h2><div>${specification}</div></div>`)).toEqual(all);
	expect(kept(`<div><h2>+Specification</h2></div><div><div><div>${specification}</div></div></div>`)).toHaveLength(1);
	expect(kept(`<div><p>+Text</p>${specification}</div>`)).toEqual(['+Text']);
});

it('a table of contents or of boxes does not', () => {
	expect(kept(`<h2>+Contents</h2><table>${cells((name) => `<a href="#${name}">${name} of it</a>`)}</table>`)).toEqual([
		'+Contents',
	]);
	expect(kept(`<h2>+News</h2><table>${cells(() => 'word '.repeat(80))}</table>`)).toEqual(['+News']);
});

it('code stays below its line in documentation, with the heading between them', () => {
	const page = '<div><p>+Returns the next value.</p><h5>Examples</h5><div><pre>next()</pre></div></div>';
	expect(kept(page, true)).toEqual(['+Returns the next value.', 'Examples', 'next()']);
	expect(kept(page)).toEqual(['+Returns the next value.']);
	expect(kept('<div><p>Not kept.</p><h5>Examples</h5><pre>next()</pre></div>', true)).toEqual([]);
});
