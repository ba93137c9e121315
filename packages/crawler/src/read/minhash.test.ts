import { describe, expect, it } from 'vitest';
import { isAlike, minHashOf } from './minhash.ts';

/** Words that follow from a seed. */
function words(count: number, seed: number): string[] {
	let state = seed;
	return Array.from({ length: count }, () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return `w${(state >>> 16) % 3000}`;
	});
}
const alike = (a: string, b: string) => isAlike(minHashOf(a)!, minHashOf(b)!);

describe('near duplicates', () => {
	const page = words(600, 1);
	const text = page.join(' ');

	it('case, punctuation and white space make no difference', () => {
		const other = page.map((word, at) => (at % 7 === 0 ? `${word.toUpperCase()},\n\n` : word)).join('  ');
		expect(minHashOf(other)).toEqual(minHashOf(text));
	});

	it.each([
		['a word at the end', [...page, 'printed'].join(' ')],
		['another date', ['3', 'May', ...page].join(' ')],
		['one word replaced', page.with(300, 'else').join(' ')],
	])('%s makes none', (_, other) => {
		expect(alike(text, other)).toBe(true);
	});

	it('of a hundred different pages no two are alike', () => {
		const pages = Array.from({ length: 100 }, (_, at) => minHashOf(words(400, at + 7).join(' '))!);
		expect(pages.flatMap((one, at) => pages.slice(at + 1).filter((other) => isAlike(one, other)))).toEqual([]);
	});

	it('pages that share half of their text are not', () => {
		expect(alike(text, [...page.slice(0, 300), ...words(300, 99)].join(' '))).toBe(false);
	});
});

it('three of four numbers make near duplicates', () => {
	const [a, b, c, d] = minHashOf(words(200, 3).join(' '))!;
	expect(isAlike([a, b, c, d], [a, b, c, d + 1])).toBe(true);
	expect(isAlike([a, b, c, d], [a, b, c + 1, d + 1])).toBe(false);
});

it('a text of a few words is like nothing', () => {
	expect(minHashOf('')).toBeUndefined();
	expect(minHashOf(words(49, 1).join(' '))).toBeUndefined();
	expect(minHashOf(words(50, 1).join(' '))).toBeDefined();
});

it('scripts without spaces are read letter by letter', () => {
	const chinese = Array.from({ length: 80 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 37) % 2000))).join('');
	expect(minHashOf(chinese)).toBeDefined();
	expect(minHashOf(`${chinese.slice(0, 40)}，${chinese.slice(40)}`)).toEqual(minHashOf(chinese));
});
