import { describe, expect, it } from 'vitest';
import { honestSites, lostPages } from './testing/honest-sites.ts';

describe.each(Object.entries(honestSites))('not one page is lost of %s', (_, site) => {
	it.each([1, 2, 3])('in the order of responses %i', async (order) => {
		expect(await lostPages(site, order)).toEqual([]);
	});
});
