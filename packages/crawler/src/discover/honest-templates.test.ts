import { expect, it } from 'vitest';
import { honestSites, lostPages } from './testing/honest-sites.ts';

// Each site in one of three orders of responses; the long tests take each of them.
it.each(Object.entries(honestSites).map(([name, site], at) => [name, (at % 3) + 1, site] as const))(
	'not one page is lost of %s, in the order of responses %i',
	async (_, order, site) => {
		expect(await lostPages(site, order)).toEqual([]);
	},
);
