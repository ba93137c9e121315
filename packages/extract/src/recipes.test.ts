import { expect, it } from 'vitest';
import { extract } from './extract.ts';
import { recipeLayouts, recipePages } from './testing/recipes.ts';

/** Letters and digits alone: cells and spans part a line in many ways. */
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
const times = (text: string, line: string): number => letters(text).split(letters(line)).length - 1;

it('has at least thirty layouts of recipes', () => {
	expect(recipeLayouts.length).toBeGreaterThanOrEqual(30);
});

it('finds at least 99 % of the ingredients of each layout, none of them twice', () => {
	const missing: string[] = [];
	const repeated: string[] = [];
	let count = 0;
	for (const { name, html, url, ingredients } of recipePages()) {
		const { text, markdown: source } = extract(html, url);
		// Addresses and tags are no part of a line.
		const markdown = source.replace(/\]\([^()]*\)|<\/?\w+>/g, '');
		for (const line of ingredients) {
			count++;
			const found = Math.min(times(text, line), times(markdown, line));
			if (found === 0) missing.push(`${name}: ${line}`);
			if (Math.max(times(text, line), times(markdown, line)) > 1) repeated.push(`${name}: ${line}`);
		}
	}
	expect(count).toBeGreaterThan(2000);
	expect(repeated).toEqual([]);
	expect(missing.slice(0, Math.max(0, missing.length - Math.floor(count / 100)))).toEqual([]);
});

it('shows the ingredients in the units that the page shows only', () => {
	for (const { name, html, url, others } of recipePages().filter((page) => page.name.includes('units')))
		for (const other of others) expect(times(extract(html, url).text, other), `${name}: ${other}`).toBe(0);
});
