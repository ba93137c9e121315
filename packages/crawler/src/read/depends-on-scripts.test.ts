import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownLength } from './depends-on-scripts.ts';

it('counts the characters of a text without white space at its ends and with one for each run of it', () => {
	const pieces = [...'a.é中 \t\n\r\v\f\x1c\x85\xa0\u1680\u180e\u2003\u200b\u2028\u202f\u205f\u3000\ufeff'];
	const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
	fc.assert(
		fc.property(text, (sample) => {
			expect(shownLength(sample)).toBe(sample.replace(/\s+/g, ' ').trim().length);
		}),
	);
});
