import { expect, it } from 'vitest';
import { measure } from './measure.ts';

it('counts characters, words and punctuation in one pass', () => {
	expect(measure('Hello, World! 42 things.')).toEqual({
		chars: 21,
		words: 4,
		digits: 2,
		upper: 2,
		capitals: 2,
		stops: 2,
		commas: 1,
		separators: 0,
		codes: 0,
	});
});

it('two characters of a script without spaces are one word', () => {
	expect(measure('古い橋が三年ぶりに開通し、').words).toBe(6);
	expect(measure('שלום עולם').words).toBe(2);
});

it('tells ids from words', () => {
	expect(measure('9303097ac-d3e5a41e1bf5 order A12 mp3').codes).toBe(2);
});
