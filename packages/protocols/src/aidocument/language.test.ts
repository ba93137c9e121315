import { describe, expect, it } from 'vitest';
import { isLanguageTag } from './language.ts';

describe('BCP 47, RFC 5646 §2.1', () => {
	it.each([
		'en',
		'EN',
		'en-US',
		'zh-Hant-TW',
		'es-419',
		'de-CH-1996',
		'sl-rozaj-biske',
		'zh-cmn-Hans-CN',
		'en-a-bbb-x-a',
		'x-private',
		'gsw',
		'de-DE-u-co-phonebk',
	])('%s is well-formed', (tag) => {
		expect(isLanguageTag(tag)).toBe(true);
	});

	it.each(['', 'e', 'en_US', 'en-', '-en', 'en--US', 'en, fr', 'en-a', 'x', 'de-419-DE', 'a-DE', 'en us'])(
		'%j is not',
		(tag) => {
			expect(isLanguageTag(tag)).toBe(false);
		},
	);
});
