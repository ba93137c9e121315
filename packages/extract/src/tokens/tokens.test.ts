import { countTokens as whole } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';
import { countTokens } from './index.ts';

describe('countTokens', () => {
	it('agrees with the tokenizer on short text', () => {
		for (const text of ['', 'Hello, world', '日本語のページ', 'a\n\n  b\tc', 'naïve café — 5 €']) {
			expect(countTokens(text)).toBe(whole(text));
		}
	});
	it('control tokens in a page are plain text', () => {
		expect(countTokens('a <|endoftext|> b')).toBeGreaterThan(5);
	});
	it('agrees with the tokenizer on long prose, cut between words', () => {
		const text = Array.from({ length: 3000 }, (_, i) => `word${i % 97} and,`).join(' ');
		expect(countTokens(text)).toBe(whole(text));
	});
	it('long unbroken runs are cut: twice the text takes twice the tokens', () => {
		const run = '日'.repeat(20_000);
		expect(countTokens(run + run)).toBe(2 * countTokens(run));
		expect(countTokens('😀'.repeat(5_001))).toBeGreaterThan(5_001);
	});
});
