import { describe, expect, it } from 'vitest';
import { Offered } from './offered.ts';
import type { NewUrl } from './types.ts';

const page = (path: string, more: Partial<NewUrl> = {}): NewUrl => ({
	url: `http://a.test/${path}`,
	kind: 'page',
	host: 'a.test',
	depth: 2,
	dates: 0,
	...more,
});
const ending = { outcome: 'out-of-scope', reason: 'other-host' } as const;

describe('what was offered to the frontier', () => {
	it('need not be offered again, unless it comes nearer, as a seed, or for a visit where none was asked for', () => {
		const offered = new Offered();
		offered.add([page('a'), page('b', { ending })]);
		expect(offered.has(page('a'))).toBe(true);
		expect(offered.has(page('a', { depth: 3 }))).toBe(true);
		expect(offered.has(page('a', { ending }))).toBe(true);
		expect(offered.has(page('b', { ending, depth: 1 }))).toBe(true);
		expect(offered.has(page('a', { depth: 1 }))).toBe(false);
		expect(offered.has(page('a', { seed: true }))).toBe(false);
		expect(offered.has(page('a', { kind: 'sitemap' }))).toBe(false);
		expect(offered.has(page('b'))).toBe(false);
		expect(offered.has(page('c'))).toBe(false);
		offered.add([page('a', { depth: 1 }), page('a', { ending }), page('b', { depth: 4 })]);
		expect(offered.has(page('a', { depth: 1 }))).toBe(true);
		expect(offered.has(page('b', { depth: 4 }))).toBe(true);
		offered.clear();
		expect(offered.has(page('a'))).toBe(false);
	});

	it('is forgotten in time: the memory for it has a bound', () => {
		const offered = new Offered();
		const pages = Array.from({ length: 40_000 }, (_, n) => page(String(n)));
		for (const one of pages) offered.add([one]);
		const known = pages.map((one) => offered.has(one));
		expect(known.lastIndexOf(false)).toBeLessThan(40_000 - 2000);
		expect(known.filter(Boolean).length).toBeLessThan(4100);
	});
});
