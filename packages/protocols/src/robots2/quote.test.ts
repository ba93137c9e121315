import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords, limitQuotes, limitWords, shortQuoteWords } from './index.ts';

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
const quotes = (source: string, ranges: [number, number][], max = shortQuoteWords) =>
	limitQuotes(
		source,
		ranges.map(([start, end]) => ({ start, end })),
		max,
	).map(({ start, end }) => source.slice(start, end));

describe('countWords', () => {
	it.each([
		['', 0],
		[' \n ', 0],
		['one', 1],
		["don't stop — ever", 4],
		['a\u00a0b\tc\nd', 4],
		['https://a.test/x?y=z', 1],
		['東京は日本の首都です。', 6],
		['我们喜欢阅读', 3],
		['GPT模型', 2],
		['สวัสดีครับ', 2],
		['안녕하세요 여러분', 2],
		['。', 1],
	])('AMB-50 %j has %i', (text, count) => {
		expect(countWords(text)).toBe(count);
	});
});

describe('limits', () => {
	it('AMB-50 R2-15 lets 49 words pass and cuts the fiftieth', () => {
		expect(limitWords(words(49), 49)).toBe(words(49));
		expect(limitWords(words(50), 49)).toBe(words(49));
		expect(limitWords(`${words(49)} . `, 50)).toBe(`${words(49)} . `);
	});
	it('cuts inside a run without spaces behind a word', () => {
		expect(limitWords('我们喜欢阅读', 2)).toBe('我们喜欢');
	});
	it('AMB-50 adjoining quotes of one passage count as one', () => {
		const source = words(80);
		const middle = source.indexOf('w30');
		expect(
			quotes(source, [
				[0, middle - 1],
				[middle, source.length],
			]),
		).toEqual([words(49)]);
	});
	it('overlapping quotes and quotes out of order are one', () => {
		const source = words(60);
		expect(
			quotes(source, [
				[100, source.length],
				[0, 120],
			]),
		).toEqual([words(49)]);
	});
	it('quotes with words between them stay apart, each with its own limit', () => {
		expect(
			quotes(
				'one two. Three four! Five six',
				[
					[0, 8],
					[21, 29],
				],
				2,
			),
		).toEqual(['one two.', 'Five six']);
		expect(
			quotes(
				'one two. Three',
				[
					[0, 8],
					[9, 14],
				],
				2,
			),
		).toEqual(['one two.']);
	});
	it('leaves out what does not lie in the source', () => {
		expect(
			quotes('one two', [
				[-5, 3],
				[90, 99],
				[5, 5],
				[6, 2],
			]),
		).toEqual(['one']);
	});
	it('on any text: never more words than allowed, and nothing that was not asked for', () => {
		const range = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }));
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', maxLength: 60 }),
				fc.array(range, { maxLength: 4 }),
				(source, ranges) => {
					const found = quotes(source, ranges, 3);
					for (const text of found) expect(countWords(text)).toBeLessThanOrEqual(3);
				},
			),
		);
	});
});
