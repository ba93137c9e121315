import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	appearances,
	expectAccessible,
	expectQuiet,
	launchBrowser,
	openView,
	settled,
} from '../../../../../apps/dashboard/src/testing/browser.ts';
import { type SeededDashboard, startSeededDashboard } from './testing/seeded-dashboard.ts';
import { Clicks, goTo, tasks, viewTitles, walkSiteView } from './testing/walk-site-view.ts';

let browser: Browser;
let dashboard: SeededDashboard;

beforeAll(async () => {
	[browser, dashboard] = await Promise.all([launchBrowser(), startSeededDashboard(1_000_000)]);
});
afterAll(async () => {
	await browser?.close();
	await dashboard?.close();
});

describe('the site view over a made-up ledger of a million requests', () => {
	it('shows each part of the traffic, and each number leads to what it counts', async () => {
		const began = performance.now();
		const page = await openView(browser, dashboard.url);
		await page.locator('.stats').waitFor();
		console.log(`first view: ${Math.round(performance.now() - began)} ms, with the start of a tab`);
		await walkSiteView(page);
		expectQuiet(page);
		await page.close();
	});

	it.each(Object.entries(tasks))('at most five clicks from the start page: %s', async (_, task) => {
		const page = await openView(browser, `${dashboard.url}?period=30d`);
		const clicks = new Clicks(page);
		await task(page, clicks);
		expect(clicks.count).toBeLessThanOrEqual(5);
		await page.close();
	});

	it.each(appearances)('axe finds nothing in any view: $name', async (appearance) => {
		const page = await openView(browser, `${dashboard.url}?period=7d`, appearance);
		for (const title of viewTitles) {
			if (title !== 'Overview') await goTo(page, title);
			const summary = page.locator('tbody summary').first();
			if (await summary.isVisible()) await summary.click();
			await settled(page);
			await expectAccessible(page);
		}
		expectQuiet(page);
		await page.close();
	});
});
