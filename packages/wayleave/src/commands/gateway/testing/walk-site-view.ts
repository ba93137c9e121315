import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { seen, settled, textOf } from '../../../../../../apps/dashboard/src/testing/browser.ts';

/** The views by the titles in the navigation. */
export const viewTitles = [
	'Overview',
	'Traffic',
	'Agents',
	'Requests',
	'Broken rules',
	'Identity',
	'Asks',
	'Honeypots',
	'Pages',
	'Savings',
	'From assistants',
	'Policy',
	'Health',
] as const;
export type ViewTitle = (typeof viewTitles)[number];

export const linkTo = (page: Page, title: ViewTitle): Locator =>
	page.locator('nav a', { has: page.getByText(title, { exact: true }) });

/** Goes to a view by the navigation. */
export async function goTo(page: Page, title: ViewTitle): Promise<void> {
	const menu = page.getByRole('button', { name: 'Menu' });
	if (await menu.isVisible()) await menu.click();
	await linkTo(page, title).click();
	await arrived(page, title);
}

/** Waits for a view and its figures. */
export async function arrived(page: Page, title: ViewTitle): Promise<void> {
	await page.locator('h1', { hasText: new RegExp(`^${title}$`) }).waitFor();
	await settled(page);
}

const section = (page: Page, title: string) => page.locator('section', { has: page.locator('h2', { hasText: title }) });
const cell = (row: Locator, title: string) => row.locator(`td[data-name="${title}"]`);
const numberIn = async (locator: Locator) => Number((await textOf(locator)).replace(/\D/g, ''));

/** Walks through each part of the site view over the made-up ledger. Begins and ends at the overview of 30 days. */
export async function walkSiteView(page: Page): Promise<void> {
	for (const step of [walkOverview, walkTraffic, walkAgents, walkRules, walkIdentity, walkAsks]) await step(page);
	for (const step of [walkPages, walkSavings, walkAssistants, walkPolicy, walkHealth]) await step(page);
	await goTo(page, 'Overview');
}

async function walkOverview(page: Page): Promise<void> {
	await page.getByLabel('30 days').check({ force: true });
	await settled(page);
	for (const title of ['Requests over time', 'Requests by agent', 'Agents to act on', 'Identity', 'Actions'])
		expect(await section(page, title).first().isVisible(), title).toBe(true);
	expect(await seen(page, '.stats')).toMatch(/Requests[\s\S]*Denied[\s\S]*Rules broken[\s\S]*Bytes saved/);
	// A number leads to what it counts.
	await page.locator('.stat', { hasText: 'Denied' }).locator('a').click();
	await arrived(page, 'Requests');
	expect(await page.locator('tbody .badge.bad').count()).toBeGreaterThan(20);
	await page.goBack();
	await arrived(page, 'Overview');
}

async function walkTraffic(page: Page): Promise<void> {
	await goTo(page, 'Traffic');
	const lines = page.locator('path.line');
	const all = await lines.count();
	expect(all).toBe(8);
	await page.locator('.legend button', { hasText: 'GPTBot' }).click();
	await page.waitForFunction((count) => document.querySelectorAll('path.line').length === count, all - 1);
	expect(new URL(page.url()).searchParams.get('hidden')).toBe('GPTBot');
	for (const [by, name] of [
		['operator', 'OpenAI'],
		['category', 'data-harvester'],
		['purpose', 'Assistants that fetch for a person'],
	] as const) {
		await page.getByLabel('Series for each').selectOption(by);
		await page.locator('tbody th', { hasText: name }).first().waitFor();
	}
	const row = page.locator('tbody tr', { hasText: 'Assistants that fetch' });
	const requests = await numberIn(cell(row, 'Requests'));
	expect(requests).toBeGreaterThan(0);
	await page.getByLabel('Tokens saved', { exact: true }).check({ force: true });
	await section(page, 'Tokens saved by purpose').waitFor();
	await cell(row, 'Requests').locator('a').click();
	await arrived(page, 'Requests');
	expect(await page.locator('.chip').allInnerTexts()).toEqual([expect.stringMatching(/^Purpose: assistant/)]);
	await page.locator('.chip').click();
	await page.waitForFunction(() => document.querySelector('.chip') === null);
}

async function walkAgents(page: Page): Promise<void> {
	await goTo(page, 'Agents');
	await page.locator('tbody th', { hasText: 'Bytespider' }).locator('a').click();
	await section(page, 'Bytespider, unverified').waitFor();
	await settled(page);
	const facts = section(page, 'Bytespider, unverified').locator('dl');
	expect(await tooWide(page)).toEqual([]);
	const broken = await numberIn(facts.locator('dt:text-is("Disallowed pages") + dd'));
	expect(broken).toBeGreaterThan(0);
	await section(page, 'Rules it broke').locator('td[data-name=Times] a').first().click();
	await arrived(page, 'Requests');
	await page.locator('tbody summary').first().click();
	// Down to the version that it had read, and the line.
	await page.locator('dt:text-is("Policy version it had read") + dd a').first().click();
	await arrived(page, 'Policy');
	await page.locator('mark.text-line').waitFor();
	expect(await seen(page, 'mark.text-line')).toMatch(/^Disallow: |^Train: /);
	await goTo(page, 'Requests');
	await page.locator('.chip').first().waitFor();
	while ((await page.locator('.chip').count()) > 0) {
		const left = (await page.locator('.chip').count()) - 1;
		await page.locator('.chip').first().click();
		await page.waitForFunction((count) => document.querySelectorAll('.chip').length === count, left);
	}
}

async function walkRules(page: Page): Promise<void> {
	await goTo(page, 'Broken rules');
	const rows = page.locator('tbody tr');
	expect(await rows.count()).toBeGreaterThan(4);
	expect(await rows.locator('th', { hasText: 'Bytespider' }).count()).toBeLessThan(7);
	await goTo(page, 'Honeypots');
	expect(await section(page, 'Agents caught').locator('tbody tr').count()).toBeGreaterThan(0);
	expect(await seen(page)).toContain('/archive-all/index');
}

async function walkIdentity(page: Page): Promise<void> {
	await goTo(page, 'Identity');
	const row = page.locator('tbody tr', { hasText: 'Googlebot' }).filter({ hasText: 'Spoofed' });
	expect(await textOf(row)).toContain('vps-9.hosting.example');
	await row.locator('summary').click();
	await row.locator('pre', { hasText: '"method": "reverse-dns"' }).waitFor();
}

async function walkAsks(page: Page): Promise<void> {
	await goTo(page, 'Asks');
	const row = page.locator('tbody tr', { hasText: 'allow' }).first();
	const times = await numberIn(cell(row, 'Times'));
	await cell(row, 'Times').locator('a').click();
	await arrived(page, 'Requests');
	expect(await page.locator('tbody tr').count()).toBe(Math.min(25, times));
	await page.goBack();
	await arrived(page, 'Asks');
}

async function walkPages(page: Page): Promise<void> {
	await goTo(page, 'Pages');
	expect(await section(page, 'Pages read most').locator('tbody tr').count()).toBe(50);
	const denied = section(page, 'Paths denied most').locator('tbody tr').first();
	const times = await numberIn(cell(denied, 'Requests'));
	expect(times).toBeGreaterThan(0);
	await cell(denied, 'Requests').locator('a').click();
	await arrived(page, 'Requests');
	expect(await page.locator('tbody .badge.bad', { hasText: '403' }).count()).toBe(Math.min(25, times));
	await page.goBack();
	await arrived(page, 'Pages');
}

async function walkSavings(page: Page): Promise<void> {
	await goTo(page, 'Savings');
	expect(await seen(page, '.stats')).toMatch(
		/Requests not sent\s+[1-9][\s\S]*Bytes saved\s+[1-9][\s\S]*Tokens saved\s+[1-9]/,
	);
	expect(await textOf(section(page, 'By the manifest').locator('tbody'))).toContain('ClaudeBot');
}

async function walkAssistants(page: Page): Promise<void> {
	await goTo(page, 'From assistants');
	expect(await page.locator('.legend button').allInnerTexts()).toEqual(
		expect.arrayContaining(['ChatGPT', 'Perplexity', 'Gemini', 'Copilot', 'Claude']),
	);
	const row = section(page, 'Pages they came to').locator('tbody tr').first();
	expect(await numberIn(cell(row, 'People sent'))).toBeGreaterThan(0);
	expect(await numberIn(cell(row, 'Requests of agents'))).toBeGreaterThan(0);
}

async function walkPolicy(page: Page): Promise<void> {
	await goTo(page, 'Policy');
	expect(await textOf(section(page, 'robots.txt').first())).toContain('Disallow: /members/');
	await section(page, 'Earlier versions').locator('tbody a').first().click();
	await page.getByText('Show the present version').waitFor();
}

async function walkHealth(page: Page): Promise<void> {
	await goTo(page, 'Health');
	expect(await seen(page)).toMatch(/robots\.txt of the site[\s\S]*DNS[\s\S]*Key directories/);
}

/** Counts clicks from the start page. */
export class Clicks {
	readonly #page: Page;
	count = 0;

	constructor(page: Page) {
		this.#page = page;
	}

	async on(target: Locator, then: ViewTitle): Promise<void> {
		this.count++;
		await target.click();
		await arrived(this.#page, then);
	}
}

/** The tasks of `docs/how-to/dashboard.md`: each answers its question from what the page shows. */
export const tasks: Readonly<Record<string, (page: Page, clicks: Clicks) => Promise<void>>> = {
	async 'which agent broke which rule, and when'(page, clicks) {
		await clicks.on(linkTo(page, 'Broken rules'), 'Broken rules');
		const row = page.locator('tbody tr', { hasText: 'Bytespider' }).first();
		const rule = await textOf(cell(row, 'Rule'));
		await clicks.on(cell(row, 'Times').locator('a'), 'Requests');
		await clicks.on(page.locator('tbody summary').first(), 'Requests');
		const open = page.locator('tbody tr', { has: page.locator('details[open]') });
		expect(await textOf(open)).toContain(rule);
		expect(await open.locator('time').getAttribute('datetime')).toMatch(/^20\d\d-/);
		await clicks.on(open.locator('dt:text-is("Policy version it had read") + dd a'), 'Policy');
		expect(rule).toContain(await seen(page, 'mark.text-line'));
	},
	async 'is this Googlebot real'(page, clicks) {
		await clicks.on(linkTo(page, 'Identity'), 'Identity');
		const row = page.locator('tbody tr', { hasText: 'Googlebot' }).filter({ hasText: 'Spoofed' });
		await clicks.on(row.locator('summary'), 'Identity');
		await row.locator('pre', { hasText: 'vps-9.hosting.example' }).waitFor();
	},
	async 'what did the manifest save'(page, clicks) {
		await clicks.on(linkTo(page, 'Savings'), 'Savings');
		expect(await seen(page, '.stats')).toMatch(/Requests not sent\s+[\d.,]+\S*\s+by the manifest/);
	},
	async 'which pages do assistants read most'(page, clicks) {
		await clicks.on(linkTo(page, 'Pages'), 'Pages');
		await clicks.on(page.getByRole('radio', { name: 'Assistants' }), 'Pages');
		await page.waitForFunction(() => new URL(location.href).searchParams.get('purpose') === 'assistant');
		await settled(page);
		expect(await section(page, 'Pages read most').locator('tbody tr').count()).toBeGreaterThan(5);
	},
};

/** Elements that reach beyond the window or the card around them. */
export const tooWide = (page: Page): Promise<string[]> =>
	page.evaluate(() =>
		[...document.querySelectorAll('main *:not(.quiet)')]
			.filter((element) => element.closest('pre, svg, .cards thead, .quiet') === null)
			.filter((element) => {
				const right = element.closest('.card')?.getBoundingClientRect().right ?? innerWidth;
				return element.getBoundingClientRect().right > Math.min(right, innerWidth) + 1;
			})
			.map((element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 60)}`)
			.slice(0, 5),
	);
