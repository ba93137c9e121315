import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseHtml } from '../../dom/parse.ts';
import { segment } from './blocks.ts';

it('an element of its own name within a line is part of the line', () => {
	const lines = (html: string): string[] => segment(parseHtml(html).body).blocks.map(({ text }) => text);
	expect(lines('<p>As a study <x-source><a href="/1">1</a></x-source> shows<x-icon></x-icon>, it is.</p>')).toEqual([
		'As a study 1 shows, it is.',
	]);
	expect(lines('<h2><x-a>One</x-a> two</h2><x-b>Three</x-b><x-c>four</x-c>')).toEqual(['One two', 'Three', 'four']);
	expect(lines('<h2><div><x-a>One</x-a><x-a>two</x-a></div></h2>')).toEqual(['One', 'two']);
});

it('white space in a block is one space, or one line break in preformatted text', () => {
	const piece = fc.constantFrom(
		'a',
		'b.',
		'’',
		'中',
		' ',
		'  ',
		'\n',
		'\t',
		'\v',
		'\u00a0',
		'\u2003',
		'\u3000',
		'\ufeff',
	);
	const around = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
	const text = fc.tuple(around, around).map(([before, after]) => `${before}a${after}`);
	const textOf = (html: string): string[] => segment(parseHtml(html).body).blocks.map((block) => block.text);
	fc.assert(
		fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
			const html = texts.map((each) => `<b>${each}</b>`).join(' ');
			const written = `x${texts.join(' ')}`;
			expect(textOf(`<p>x${html}</p>`)).toEqual([written.replace(/\s+/g, ' ').trim()]);
			const lines = written.replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' ')).trim();
			expect(textOf(`<pre>x${html}</pre>`)).toEqual([lines]);
		}),
	);
});
