import { expect, it } from 'vitest';
import { parseHtml } from '../../dom/parse.ts';
import { segment } from '../read/blocks.ts';
import { findRelated } from './related.ts';

/** The blocks that are found to be about other articles. */
function related(html: string): string[] {
	const segments = segment(parseHtml(html).body);
	const found = findRelated(segments);
	return segments.blocks.filter((_, i) => found[i]).map(({ text }) => text);
}

it('a part that begins with a heading for other articles', () => {
	for (const heading of ['You may also like', 'Related articles', 'Você pode gostar...', 'Читайте также:', '関連記事'])
		expect(related(`<p>Text</p><div><h3>${heading}</h3><div><p>One</p><p>Two</p></div></div><p>More</p>`)).toEqual([
			heading,
			'One',
			'Two',
		]);
});

it('the heading may be in a box of its own', () => {
	expect(related('<p>Text</p><aside><div><h2>Related</h2></div><p>One</p></aside>')).toEqual(['Related', 'One']);
});

it('not what follows such a heading within a text, nor what only sounds like it', () => {
	expect(related('<p>Text</p><h3>Related articles</h3><p>One</p>')).toEqual([]);
	expect(related('<section><h2>Related work</h2><p>One</p></section>')).toEqual([]);
	expect(related('<div><p>Related articles</p><p>One</p></div>')).toEqual([]);
});
