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
