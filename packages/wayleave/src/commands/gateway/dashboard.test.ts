import { mkdtempSync } from 'node:fs';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig, type Overview, openGateway, type PolicyInForce, type RunningGateway } from '@wayleave/gateway';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../../../apps/dashboard/build.ts';
import type * as shown from '../../../../../apps/dashboard/src/site/data.ts';
import {
	expectAccessible,
	expectQuiet,
	launchBrowser,
	openView,
	seen,
	settled,
} from '../../../../../apps/dashboard/src/testing/browser.ts';
import { readDashboardFiles } from '../../shared/dashboard-files.ts';
import { serveDashboard } from './dashboard-server.ts';
import { goTo } from './testing/walk-site-view.ts';

let browser: Browser;
let site: Server;
let files: NonNullable<ReturnType<typeof readDashboardFiles>>;
const listening = (server: Server) =>
	new Promise<number>((resolve) =>
		server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
	);

beforeAll(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-dashboard-'));
	await buildDashboard(folder);
	files = readDashboardFiles(folder)!;
	site = http.createServer((request, response) => {
		if (request.url === '/robots.txt') response.writeHead(404).end();
		else response.setHeader('content-type', 'text/html').end('<title>A page</title><p>Text.');
	});
	await listening(site);
	browser = await launchBrowser();
});
afterAll(async () => {
	await browser?.close();
	site.close().closeAllConnections();
});

/** A gateway with its dashboard. */
async function start(observing = false) {
	const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-dashboard-')), 'ledger.db')}`;
	const config = checkConfig({
		origin: 'https://shop.example',
		paths: { disallow: ['/private'] },
		honeypots: ['/trap'],
		policy: { crawl: 'yes', read: 'yes', train: 'no' },
		rate: { default: 30 },
		identity: { verify: { ranges: false, reverseDns: false, signatures: false } },
		ledger: { store },
	});
	const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const running = await openGateway(config, { upstream, observe: observing });
	const { port } = await running.listen(0, '127.0.0.1');
	const at = { host: '127.0.0.1', port: 0 };
	const { address, server } = await serveDashboard({ at, running, observing, files });
	const close = async () => {
		server.close().closeAllConnections();
		await running.close(100);
	};
	return { running, port, address, server, url: `http://127.0.0.1:${address.port}/.wayleave/`, close };
}

/** Some visits of everybody. */
async function visit(running: RunningGateway, port: number) {
	const get = (path: string, userAgent: string) =>
		new Promise<void>((resolve) => {
			const headers = { host: 'shop.example', 'user-agent': userAgent };
			http.get({ host: '127.0.0.1', port, path, headers }, (response) => response.resume().on('end', resolve));
		});
	for (const path of ['/robots.txt', '/a', '/private/x', '/trap']) await get(path, 'GPTBot/1.2');
	for (const path of ['/robots.txt', '/a']) await get(path, 'ClaudeBot/1.0');
	await get('/a', 'Google-Extended/1.0');
	await get('/private/<img/src=x/onerror=alert(1)>', 'GPTBot/1.2 <script>alert(1)</script>');
	await running.ledger.flush();
}

describe('the dashboard', () => {
	it('shows agents, identity, verdicts, the violations with their evidence, and the policy', async () => {
		const { running, port, url, close } = await start();
		await visit(running, port);
		const page = await openView(browser, url);
		expect(await seen(page, '.brand')).toContain('shop.example');
		await goTo(page, 'Agents');
		const text = await seen(page);
		expect(text).toMatch(/GPTBot\s+Unverified\s+broke rules/);
		expect(text).toMatch(/ClaudeBot\s+Unverified\s+kept the rules/);
		expect(text).toMatch(/Google-Extended\s+Spoofed\s+false identity/);
		await page.locator('tbody a.badge', { hasText: 'Spoofed' }).click();
		await page.locator('h1', { hasText: 'Identity' }).waitFor();
		await settled(page);
		expect(await seen(page)).toMatch(/Google-Extended[\s\S]+the User-Agent is a token for robots\.txt only/);
		await page.locator('.chip').first().click();
		await page.locator('.chip').first().click();
		await page.waitForFunction(() => document.querySelector('.chip') === null);
		await goTo(page, 'Requests');
		await page.locator('summary', { hasText: '/private/x' }).click();
		expect(await seen(page, 'details[open]')).toMatch(
			/robots2?\.txt:\d+ Disallow: \/private[\s\S]*127\.0\.0\.1[\s\S]*GPTBot\/1\.2/,
		);
		await goTo(page, 'Policy');
		expect(await seen(page)).toContain('Disallow: /private');
		expectQuiet(page);
		await page.close();
		await close();
	});

	it('open parts stay open while figures arrive, and a pause holds', async () => {
		const { running, port, url, close } = await start();
		await visit(running, port);
		const page = await openView(browser, `${url}?view=requests`);
		await page.locator('summary', { hasText: '/private/x' }).click();
		await visit(running, port);
		await page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 8);
		await page.getByRole('button', { name: 'Pause' }).click();
		await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent?.includes('paused'));
		expect(await page.locator('details[open]').count()).toBe(1);
		await page.close();
		await close();
	});

	it('axe finds nothing before the first visit, while only observing, and where the gateway is gone', async () => {
		const { server, url, close } = await start(true);
		const page = await openView(browser, url, { width: 390 });
		expect(await seen(page)).toMatch(/Observing only[\s\S]*No agent visited/);
		await expectAccessible(page);
		for (const view of ['Traffic', 'Requests', 'Savings', 'Policy', 'Health'] as const) {
			await goTo(page, view);
			await expectAccessible(page);
		}
		expectQuiet(page);
		server.close().closeAllConnections();
		await page.locator('.status.bad').first().waitFor();
		await expectAccessible(page);
		await page.close();
		await close();
	});

	it('U2-44 one line for each agent and rule, with its count; a click leads to its requests', async () => {
		const { running, port, url, close } = await start();
		for (let times = 0; times < 3; times++) await visit(running, port);
		const page = await openView(browser, `${url}?view=rules`);
		expect((await seen(page)).match(/Disallow: \/private/g)).toHaveLength(1);
		const rows = page.locator('tbody tr', { hasText: 'Disallow: /private' });
		await rows.locator('a', { hasText: '6' }).click();
		await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 6);
		expect(new URL(page.url()).searchParams.get('rule')).toContain('Disallow: /private');
		// The same address shows the same view to others.
		await page.reload();
		await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 6);
		await page.goBack();
		await page.locator('h1', { hasText: 'Broken rules' }).waitFor();
		await page.close();
		await close();
	});

	it('filters by agent, identity, path and status are in the address, and the form sets them', async () => {
		const { running, port, url, close } = await start();
		await visit(running, port);
		const page = await openView(browser, `${url}?view=agents`);
		await page.locator('tbody a', { hasText: 'ClaudeBot' }).first().click();
		await page.locator('h2', { hasText: 'ClaudeBot, unverified' }).waitFor();
		expect(await seen(page)).toMatch(/ClaudeBot, unverified[\s\S]*Policy read\s+1/);
		await page.locator('.chip', { hasText: 'ClaudeBot' }).click();
		await page.waitForFunction(() => document.querySelector('.chip') === null);
		await goTo(page, 'Requests');
		await page.getByRole('button', { name: 'Filter' }).click();
		await page.getByLabel('Path begins with').fill('/private');
		await page.getByLabel('Status').fill('4');
		await page.getByRole('button', { name: 'Apply' }).click();
		await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2);
		expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
			view: 'requests',
			path: '/private',
			status: '4',
		});
		const save = page.locator('a.save');
		const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
		expect(saved.suggestedFilename()).toBe('requests.csv');
		await page.close();
		await close();
	});

	it('U2-43 the columns that decide are in view at 1280 pixels, and at 390 each agent is a card', async () => {
		const { running, port, url, close } = await start();
		await visit(running, port);
		const wide = await openView(browser, `${url}?view=agents`, { width: 1280 });
		const { right, box } = await wide.evaluate(() => {
			const last = document.querySelector('thead th:last-child');
			const card = last?.closest('.card');
			return { right: last?.getBoundingClientRect().right ?? NaN, box: card?.getBoundingClientRect().right ?? NaN };
		});
		expect(right).toBeLessThanOrEqual(box);
		await wide.close();
		const narrow = await openView(browser, `${url}?view=agents`, { width: 390 });
		const row = narrow.locator('tbody tr').first();
		for (const name of ['Identity', 'Rules', 'Requests', 'Broken', 'Last seen'])
			expect(await row.locator(`td[data-name="${name}"]`).isVisible()).toBe(true);
		expect(await narrow.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
		await narrow.close();
		await close();
	});

	it('gives its tables as CSV, and says which part of a filter is wrong', async () => {
		const { running, port, url, close } = await start();
		await visit(running, port);
		const get = async (path: string) => fetch(new URL(path, url));
		const text = async (path: string) => (await get(path)).text();
		expect(await text('api/agents.csv')).toMatch(/^agent,outcome,judgement,[\s\S]*\r\nGPTBot,unverified,broken,/);
		expect(await text('api/rules.csv')).toMatch(/Disallow: \/private/);
		expect(await text('api/paths.csv')).toMatch(/\r\nfetched,\/a,/);
		expect((await text('api/requests.csv?agent=gptbot&broken=1')).split('\r\n').length).toBe(1 + 3 + 1);
		for (const [query, part] of [
			['outcome=good', 'outcome'],
			['status=999', 'status'],
			['denied=yes', 'denied'],
		] as const) {
			const response = await get(`api/overview?${query}`);
			expect(response.status).toBe(400);
			expect(await response.json()).toMatchObject({ title: expect.stringContaining(part) });
		}
		await close();
	});

	it('names of agents are text, whatever they hold, and nothing comes from elsewhere', async () => {
		const { running, port, url, close } = await start();
		await visit(running, port);
		const response = await fetch(url);
		expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
		const page = await openView(browser, `${url}?view=requests`);
		expect(await seen(page)).toContain('/private/');
		expect(await page.locator('main img, main script').count()).toBe(0);
		expectQuiet(page);
		await page.close();
		await close();
	});

	it('gives its figures as JSON, by periods, and to nobody who calls it by a foreign name', async () => {
		const { running, port, url, address, close } = await start();
		await visit(running, port);
		const get = async (path: string, init?: RequestInit) => fetch(new URL(path, url), init);
		const overview = (await (await get('api/overview?period=1h')).json()) as Overview;
		expect(overview.totals).toMatchObject({ requests: 8, denied: 4, violations: 4 });
		expect(overview.identity).toEqual({ verified: 0, unverified: 7, unknown: 0, spoofed: 1 });
		expect(overview.actions).toMatchObject({ file: 2, deny: 3, honeypot: 1 });
		expect(overview.slices.reduce((sum, { allowed, denied }) => sum + allowed + denied, 0)).toBe(8);
		const policy = (await (await get('api/policy')).json()) as PolicyInForce;
		expect(policy.robots).toContain('Disallow: /private');
		expect((await get('api/overview?period=1y')).status).toBe(400);
		expect((await get('api/constructor')).status).toBe(404);
		expect((await get('api/overview', { method: 'POST' })).status).toBe(405);
		expect((await get('/', { redirect: 'manual' })).headers.get('location')).toBe('/.wayleave/');
		expect((await get('/elsewhere')).status).toBe(404);
		const status = await new Promise((resolve) => {
			const headers = { host: `rebound.example:${address.port}` };
			http.get({ host: '127.0.0.1', port: address.port, path: '/.wayleave/', headers }, ({ statusCode }) =>
				resolve(statusCode),
			);
		});
		expect(status).toBe(421);
		await close();
	});

	it('the page reads the fields that the server sends', () => {
		const given = (overview: Overview): shown.Overview => overview;
		const policy = (inForce: PolicyInForce): shown.Policy => inForce;
		expect([given, policy]).toHaveLength(2);
	});
});
