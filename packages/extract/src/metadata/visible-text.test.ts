import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { headingText, spaced } from './visible-text.ts';

it('runs of white space become one space, soft hyphens go, whatever the rest is', () => {
	const pieces = [
		'a',
		'é',
		'日',
		' ',
		'  ',
		'\n',
		'\t',
		'\u00a0',
		'\u00ad',
		'\u200b',
		'\u2003',
		'\u3000',
		'\ufeff',
		'–',
	];
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (chosen) => {
			const text = chosen.join('');
			const words = text.replaceAll('\u00ad', '').split(/[\s\u200b]+/);
			expect(spaced(text)).toBe(words.filter((word) => word !== '').join(' '));
		}),
		{ numRuns: 2000 },
	);
});

it('a heading is told without its button and the sign that links to it', () => {
	const heading = (html: string) => headingText(parseHtml(`<h2>${html}</h2>`).body.children[0] as never);
	expect(heading('Ropes <a href="#ropes">#</a>')).toBe('Ropes');
	expect(heading('Ropes<a href="#ropes">¶</a>')).toBe('Ropes');
	expect(heading('Learn C#')).toBe('Learn C#');
	expect(heading('Ropes<button>Copy</button>')).toBe('Ropes');
	expect(heading('<button>Ropes</button>')).toBe('Ropes');
});
