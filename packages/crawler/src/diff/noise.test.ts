import { describe, expect, it } from 'vitest';
import { isSameContent } from './noise.ts';
import { checkPages } from './testing/check-pages.ts';
import { type PagePair, pageOf } from './testing/page-pair.ts';
import { rulePages } from './testing/rule-pages.ts';

const address = 'https://lunde.test/harbour';

/** Pairs that the rules judge otherwise than a reader. */
const mistakes = (pairs: readonly PagePair[]) =>
	pairs.filter(([verdict, , before, after]) => {
		const isSame = isSameContent(pageOf(before), pageOf(after), [address, address]);
		return isSame !== (verdict === 'noise');
	});

describe('noise is no change', () => {
	it('on the pages by which the rules were chosen', () => {
		expect(mistakes(rulePages)).toEqual([]);
	});

	it('on other pages', () => {
		expect(mistakes(checkPages)).toEqual([]);
	});
});
