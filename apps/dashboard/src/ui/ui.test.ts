import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard, pages } from '../../build.ts';
import { appearances, axeFaults, expectAccessible, launchBrowser, type PageOptions, seen } from '../testing/browser.ts';

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";

let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-gallery-'));
	await buildDashboard(folder, { index: { entry: 'ui/testing/gallery.tsx', title: 'Parts', withoutScript: '' } });
	server = createServer(({ url: address = '/' }, response) => {
		const name = new URL(address, 'http://a').pathname.slice(1) || 'index.html';
		const type = types[extname(name)];
		if (type === undefined) return response.writeHead(404).end();
		response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
		response.end(readFileSync(join(folder, name)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	browser = await launchBrowser();
});
afterAll(async () => {
	await browser?.close();
	server.close().closeAllConnections();
});

/** The gallery; its first resource fails on purpose. */
async function open(options: PageOptions = {}) {
	const page = await browser.newPage({
		viewport: { width: options.width ?? 1280, height: 900 },
		colorScheme: options.isDark ? 'dark' : 'light',
	});
	page.setDefaultTimeout(60_000);
	const violations: string[] = [];
	page.on('console', (message) => {
		if (/Content.Security.Policy/.test(message.text())) violations.push(message.text());
	});
	page.on('pageerror', (error) => violations.push(String(error)));
	await page.goto(url);
	await page.locator('.empty button').waitFor();
	return { page, violations };
}

describe('the shared parts', () => {
	it.each(appearances)(
		'axe finds nothing, nothing is wider than the window, and the policy holds: $name',
		async (each) => {
			const { page, violations } = await open(each);
			await page.locator('.chart-table summary').first().click();
			await expectAccessible(page);
			await page.getByRole('button', { name: 'Publish' }).click();
			expect(await axeFaults(page)).toEqual([]);
			expect(violations).toEqual([]);
			const folder = process.env.WAYLEAVE_SHOTS;
			await page.keyboard.press('Escape');
			if (folder) await page.screenshot({ path: join(folder, `gallery ${each.name}.png`), fullPage: true });
			await page.close();
		},
	);

	it('the table sorts by its headings, shows more, and saves text that is no formula', async () => {
		const { page } = await open();
		const table = page.locator('table', { hasText: 'GPTBot' }).last();
		const names = () => table.locator('tbody th').allInnerTexts();
		expect(await names()).toEqual(['GPTBot', '=ClaudeBot']);
		await table.getByRole('button', { name: 'Requests' }).click();
		expect(await names()).toEqual(['Bytespider', 'GPTBot']);
		expect(await table.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
		await page.getByRole('button', { name: 'Show 1 more of 3' }).click();
		expect(await names()).toHaveLength(3);
		const save = page.getByRole('button', { name: /Save as CSV\s*: Agents/ });
		const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
		expect(saved.suggestedFilename()).toBe('agents.csv');
		expect(readFileSync(await saved.path(), 'utf8')).toBe(
			'Agent,Requests,Rule\r\n' +
				'Bytespider,3300,https://shop.example/robots.txt:14 Disallow: /\r\n' +
				'GPTBot,1200,https://shop.example/robots.txt:12 Disallow: /private\r\n' +
				"'=ClaudeBot,90,\r\n",
		);
		await page.close();
	});

	it('a series that is switched off is not drawn, and stays in the table', async () => {
		const { page } = await open();
		const chart = page.locator('figure.chart').first();
		expect(await chart.locator('path.line').count()).toBe(3);
		await chart.getByRole('button', { name: 'GPTBot' }).click();
		expect(await chart.locator('path.line').count()).toBe(2);
		await chart.locator('summary').click();
		expect(await chart.locator('thead th').allInnerTexts()).toEqual(['From', 'GPTBot', '=ClaudeBot', 'Bytespider']);
		expect(await chart.locator('svg[role=img]').getAttribute('aria-label')).toMatch(
			/^Requests by agent: =ClaudeBot \d+/,
		);
		await page.close();
	});

	it('another view gets the focus at its heading, the way back works, and a dialog returns the focus', async () => {
		const { page } = await open();
		await page.locator('nav a', { hasText: 'Second' }).focus();
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
		expect(await seen(page, 'h1')).toBe('Second');
		expect(await page.title()).toBe('Second · shop.example · Wayleave');
		await page.goBack();
		await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'First');
		await page.getByRole('button', { name: 'Publish' }).focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		await page.keyboard.press('Escape');
		await page.waitForFunction(() => document.activeElement?.textContent === 'Publish');
		await page.close();
	});

	it('at 390 pixels the navigation opens by its button, and each row of a table is a card', async () => {
		const { page } = await open({ width: 390 });
		expect(await page.locator('nav').isVisible()).toBe(false);
		await page.getByRole('button', { name: 'Menu' }).click();
		expect(await page.locator('nav').isVisible()).toBe(true);
		const row = page.locator('table', { hasText: 'GPTBot' }).last().locator('tbody tr').first();
		expect(await row.evaluate((element) => getComputedStyle(element).display)).toBe('block');
		expect(
			await row
				.locator('td')
				.first()
				.evaluate((cell) => getComputedStyle(cell, '::before').content),
		).toBe('"Requests"');
		await page.close();
	});
});

describe('the pages', () => {
	it('the script of each view has at most 150 KB, compressed, and no page holds code or style', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'wayleave-pages-'));
		await buildDashboard(folder);
		for (const name of Object.keys(pages)) {
			expect(gzipSync(readFileSync(join(folder, `${name}.js`))).length, name).toBeLessThanOrEqual(150_000);
			const html = readFileSync(join(folder, `${name}.html`), 'utf8');
			expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]* src=")/);
		}
	});
});
