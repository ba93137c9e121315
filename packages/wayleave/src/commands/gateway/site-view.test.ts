import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	appear,
	expectAccessible,
	expectFits,
	expectInert,
	expectQuiet,
	launchBrowser,
	mainAppearances,
	openView,
	settled,
	widest,
} from '../../../../../apps/dashboard/src/testing/browser.ts';
import { hostileTexts } from '../../../../../apps/dashboard/src/testing/hostile-texts.ts';
import { sampleEntry } from '../../../../gateway/src/testing/sample-entry.ts';
import { type SeededDashboard, startSeededDashboard } from './testing/seeded-dashboard.ts';
import { arrived, Clicks, goTo, linkTo, tasks, tooWide, viewTitles, walkSiteView } from './testing/walk-site-view.ts';

let browser: Browser;
let dashboard: SeededDashboard;

beforeAll(async () => {
	[browser, dashboard] = await Promise.all([launchBrowser(), startSeededDashboard(12_000)]);
});
afterAll(async () => {
	await browser?.close();
	await dashboard?.close();
});

/** Milliseconds: axe looks at every view, on machines that do other things too. */
const timeout = 300_000;

describe('the site view over a made-up ledger', { timeout }, () => {
	it('shows each part of the traffic, and each number leads to what it counts', async () => {
		const page = await openView(browser, dashboard.url);
		await walkSiteView(page);
		expectQuiet(page);
		await page.close();
	});

	it.each(Object.entries(tasks))('at most five clicks from the start page: %s', async (_, task) => {
		const page = await openView(browser, `${dashboard.url}?period=30d`);
		const clicks = new Clicks(page);
		await task(page, clicks);
		expect(clicks.count).toBeGreaterThan(0);
		expect(clicks.count).toBeLessThanOrEqual(5);
		expectQuiet(page);
		await page.close();
	});

	// Width and colours hardly depend on each other: the long tests check every pair.
	it.each(mainAppearances)('axe finds nothing in any view, and all of it fits: $name', async (appearance) => {
		const page = await openView(browser, `${dashboard.url}?period=7d`, appearance);
		for (const title of viewTitles) {
			if (title !== 'Overview') await goTo(page, title);
			const summary = page.locator('tbody summary').first();
			if (await summary.isVisible()) await summary.click();
			await settled(page);
			await expectAccessible(page);
			expect(await tooWide(page), title).toEqual([]);
			// The same rows in the widest window, once.
			if (appearance.width !== 1280) continue;
			await appear(page, widest);
			await expectFits(page);
			expect(await tooWide(page), title).toEqual([]);
			await appear(page, appearance);
		}
		await goTo(page, 'Overview');
		await page.getByRole('button', { name: 'Filter' }).click();
		await expectAccessible(page);
		expectQuiet(page);
		await page.close();
	});

	it('by keyboard alone: skip link, views, filter, a table and the details of a request', async () => {
		const page = await openView(browser, `${dashboard.url}?period=30d`);
		const press = (key: string) => page.keyboard.press(key);
		const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
		/** Presses Tab until the focus is on an element with this text. */
		const tabTo = async (text: RegExp) => {
			for (let presses = 0; presses < 200; presses++) {
				await press('Tab');
				if (text.test(await focused())) return;
			}
			throw new Error(`Tab does not reach ${text}`);
		};
		await press('Tab');
		expect(await focused()).toBe('Skip to the content');
		await tabTo(/^Requests$/);
		expect(await linkTo(page, 'Requests').evaluate((link) => link === document.activeElement)).toBe(true);
		await press('Enter');
		await arrived(page, 'Requests');
		expect(await focused()).toBe('Requests');
		await tabTo(/^Filter$/);
		await press('Enter');
		await press('Tab');
		await page.keyboard.type('bytespider');
		await press('Enter');
		await page.waitForFunction(() => new URL(location.href).searchParams.get('agent') === 'bytespider');
		await settled(page);
		await tabTo(/^GET \//);
		await press('Enter');
		await page.locator('details[open] pre').waitFor();
		await tabTo(/"claimed"/);
		await press('Tab');
		expectQuiet(page);
		await page.close();
	});

	it('a view is the same for everybody who has its address, and filters by time', async () => {
		const page = await openView(browser, `${dashboard.url}?period=30d`);
		const since = new Date(Date.now() - 20 * 86_400_000).toISOString();
		const until = new Date(Date.now() - 10 * 86_400_000).toISOString();
		await page.goto(`${dashboard.url}?view=requests&agent=CCBot&since=${since}&until=${until}`);
		await settled(page);
		const times = await page
			.locator('tbody time')
			.evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
		expect(times.length).toBeGreaterThan(20);
		// Widened to full slices of three hours.
		const slice = 3 * 3_600_000;
		for (const time of times) {
			expect(Date.parse(time ?? '')).toBeGreaterThan(Date.parse(since) - slice);
			expect(Date.parse(time ?? '')).toBeLessThan(Date.parse(until) + slice);
		}
		expect(await page.locator('.chip').count()).toBe(3);
		await page.close();
	});
});

/** The made-up ledger with every hostile text in every field that comes from outside. */
async function startHostileDashboard(): Promise<SeededDashboard> {
	const hostile = await startSeededDashboard(50);
	const { ledger } = hostile.running;
	const at = Date.now() - 60_000;
	for (const [index, text] of hostileTexts.entries()) {
		const path = `/${text}`;
		const evidence = JSON.stringify({
			reason: 'no-ptr',
			claimed: { userAgent: text, agentIdentity: text },
			checks: [],
		});
		const base = { ...sampleEntry, at: at + index, agent: text, categories: text, evidence, path, policy: text };
		ledger.record({ ...base, outcome: 'spoofed', address: text, excuse: text, inForce: text });
		const rule = { ruleSource: `https://harbour.example/robots.txt`, ruleLine: 2, ruleText: text };
		ledger.record({ ...base, action: 'deny', reason: 'not-permitted', status: 403, violation: 1, ...rule });
		ledger.record({ ...base, action: 'honeypot', status: 403, violation: 1, reason: text });
		ledger.record({ ...base, action: 'ask', method: 'POST', asked: text, answer: text });
		ledger.record({ ...base, action: 'som', bytesSaved: 10, tokensSaved: 2, evidence: text });
		ledger.recordReferral?.({ at: Math.floor(at / 86_400_000) * 86_400_000, path, assistant: text });
	}
	await ledger.flush();
	const policies = hostileTexts.map((text) => ({ version: text, since: at, robots: `#\n${text}`, robots2: text }));
	await ledger.db.insertInto('gateway_policy').values(policies).execute();
	return hostile;
}

describe('texts from outside', { timeout }, () => {
	it('are text in every view, whatever they hold, and break no layout', async () => {
		expect(hostileTexts.length).toBeGreaterThanOrEqual(40);
		const hostile = await startHostileDashboard();
		const page = await openView(browser, `${hostile.url}?period=24h`);
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 900 });
			for (const title of viewTitles) {
				await goTo(page, title);
				// All at once, without scrolling to each.
				await page.evaluate(() => {
					for (const each of document.querySelectorAll<HTMLButtonElement>('.table-foot button:not(.save)'))
						each.click();
					for (const each of document.querySelectorAll('details')) each.open = true;
				});
				await settled(page);
				await expectInert(page);
				expect(await tooWide(page), title).toEqual([]);
			}
		}
		await page.close();
		await hostile.close();
	});

	it('are text in filters, in the texts of the policy and in addresses', async () => {
		const hostile = await startHostileDashboard();
		const page = await openView(browser, hostile.url);
		for (const text of hostileTexts) {
			// Longer ones are more than a server takes in an address.
			const value = encodeURIComponent([...text].slice(0, 200).join(''));
			for (const query of [
				`view=policy&version=${value}&file=robots.txt&line=2`,
				`view=requests&agent=${value}&rule=${value}&path=${value}&by=${value}&measure=${value}&hidden=${value}`,
			]) {
				await page.evaluate((search) => {
					history.pushState(null, '', search);
					dispatchEvent(new PopStateEvent('popstate'));
				}, `?${query}`);
				await settled(page);
			}
			await expectInert(page);
		}
		await page.close();
		await hostile.close();
	});
});
