import { expect, it } from 'vitest';
import { honest } from '../../../../bench/waste/honest.ts';
import type { Site } from '../../../../bench/waste/site.ts';
import { everythingSite, facetedShop, parameterSite, traps } from '../../../../bench/waste/traps.ts';
import { crawlWaste, startWasteSite } from '../testing/waste-site.ts';

/** Counts the requests, and the texts that no document contains. */
async function measure({ serve, says }: Site) {
	const site = await startWasteSite(serve);
	try {
		const { results } = await crawlWaste(site, { maxPages: 1000 });
		const all = results.flatMap(({ document }) => document?.content.markdown ?? []).join('\n');
		return { asked: site.asked.length, lost: says.filter((text) => !all.includes(text)) };
	} finally {
		await site.close();
	}
}

it.each(honest.map((site) => [site.name, site] as const))(
	'the crawl loses no page of a site of %s',
	async (_, site) => {
		expect((await measure(site)).lost).toEqual([]);
	},
);

it.each(traps.map((site) => [site.name, site] as const))('%s costs few requests', async (_, site) => {
	const { asked, lost } = await measure(site);
	expect(lost).toEqual([]);
	expect(asked).toBeLessThanOrEqual(site.says.length * 1.25);
});

it.each([
	['a hundred pages with ?ref= and canonical links', parameterSite(true), 130],
	['a hundred pages with ?ref=', parameterSite(false), 130],
	['one page for everything', everythingSite, 30],
	['a faceted shop of sixty goods', facetedShop, 120],
] as const)('%s', async (_, site, most) => {
	const { asked, lost } = await measure(site);
	expect(lost).toEqual([]);
	expect(asked).toBeLessThanOrEqual(most);
});
