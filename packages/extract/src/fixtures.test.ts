import { describe, expect, it } from 'vitest';
import { charactersOf, parseMarkdown } from './markdown/testing/characters.ts';
import { convert, readFixtures } from './testing/fixtures.ts';

// To add one: `npx tsx --conditions=wayleave-source packages/extract/scripts/add-fixture.ts NAME PAGE.html`
describe.each(readFixtures())('$name', ({ name, html, markdown, metadata }) => {
	it('comes out as expected', () => {
		const actual = convert(name, html);
		expect(actual.markdown).toBe(markdown);
		expect(actual.metadata).toEqual(metadata);
	});

	it('its Markdown is a tree to a CommonMark parser, and says nothing twice', () => {
		const root = parseMarkdown(markdown!);
		expect(charactersOf(root).length).toBeGreaterThan(0);
		// Marks that were written and not read would stand in the text.
		const text = charactersOf(root)
			.map((character) => [...character][0])
			.join('');
		expect(text).not.toMatch(/\]\(http|^#{1,6} /m);
	});
});

it('there are at least sixty pages', () => {
	expect(readFixtures().length).toBeGreaterThanOrEqual(60);
});
