import { describe, expect, it } from 'vitest';
import { limitQuotes, parseRobots2, shortQuoteWords } from '../robots2/index.ts';
import { decide, limitTexts, type Presentation, present, type Use } from './index.ts';

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at + 1}`).join(' ');
const source = { name: 'The Example Weekly', url: 'https://a.test/article' };

function verdictOn(use: Use, robots2: string) {
	const files = [{ source: 'https://a.test/robots2.txt', file: parseRobots2(robots2).value }];
	return decide({ robots2: { files } }, { token: 'AIWebIndex' }, use, source.url);
}

describe('present', () => {
	it('R2-15 passes a quote of 49 words and cuts one of 60 below 50', () => {
		const verdict = verdictOn('quote', 'quote: short-only');
		expect(present('quote', words(49), verdict, source)).toEqual({ shown: true, text: words(49), cut: false });
		expect(present('quote', words(60), verdict, source)).toEqual({ shown: true, text: `${words(49)} …`, cut: true });
	});
	it('R2-15 G2-84: the limit is one constant, in the verdict, in the text for people and in the check', () => {
		const verdict = verdictOn('quote', 'quote: short-only');
		expect(shortQuoteWords).toBe(49);
		expect(verdict.limits).toMatchObject({ quoteWords: shortQuoteWords });
		expect(limitTexts(verdict.limits ?? {})).toContainEqual(
			expect.stringContaining(`at most ${shortQuoteWords} words`),
		);
		for (const count of [shortQuoteWords, shortQuoteWords + 1]) {
			const shown = present('quote', words(count), verdict, source);
			expect(shown).toMatchObject({ shown: true, cut: count > shortQuoteWords });
		}
		const quoted = limitQuotes(words(60), [{ start: 0, end: words(60).length }], shortQuoteWords);
		expect(quoted.map(({ end }) => end)).toEqual([words(49).length]);
	});
	it('R2-16 credit and URL do not count towards the words', () => {
		const verdict = verdictOn('quote', 'quote: short-only\nattribution: required\nlink-back: required');
		const long = { name: words(30), url: source.url };
		expect(present('quote', words(49), verdict, long)).toEqual({
			shown: true,
			text: words(49),
			cut: false,
			credit: `Source: ${words(30)}, ${source.url}`,
		});
	});
	it('R2-14 quote: no shows nothing, quote: yes shows all', () => {
		const refused = present('quote', 'a b', verdictOn('quote', 'quote: no'), source);
		expect(refused).toMatchObject({ shown: false, because: [{ text: 'quote: no', line: 1 }] });
		expect(present('quote', words(90), verdictOn('quote', 'quote: yes'), source)).toMatchObject({ cut: false });
	});
	it.each(['rewording', 'style-transfer', 'translation', 'adaptation'] as Presentation[])(
		'R2-17 derivative governs %s',
		(presentation) => {
			const refused = present(presentation, 'x', verdictOn('derivative', 'derivative: no'), source);
			expect(refused).toMatchObject({ shown: false, because: [{ text: 'derivative: no' }] });
			expect(present(presentation, 'x', verdictOn('derivative', 'derivative: yes'), source).shown).toBe(true);
		},
	);
	it('R2-18 a summary is governed by summarise', () => {
		const policy = 'derivative: no\nsummarise: yes\nquote: yes';
		expect(present('summary', 'x', verdictOn('summarise', policy), source).shown).toBe(true);
		expect(() => present('summary', 'x', verdictOn('derivative', policy), source)).toThrow(TypeError);
	});
	it('R2-28 R2-29 adds what is required and nothing else', () => {
		const credit = (policy: string) =>
			present('summary', 'x', verdictOn('summarise', `summarise: yes\n${policy}`), source);
		expect(credit('attribution: required')).toMatchObject({ credit: 'Source: The Example Weekly' });
		expect(credit('link-back: required')).toMatchObject({ credit: 'Source: https://a.test/article' });
		expect(credit('attribution: none\nlink-back: preferred')).not.toHaveProperty('credit');
	});
});
