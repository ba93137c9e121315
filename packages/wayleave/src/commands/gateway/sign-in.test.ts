import { mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults, launchBrowser, seen } from '../../../../../apps/dashboard/src/testing/browser.ts';
import { readDashboardKey } from './sign-in.ts';
import { type SeededDashboard, startSeededDashboard } from './testing/seeded-dashboard.ts';

const key = 'a-key-of-more-than-twenty-characters';
/** What a proxy on this machine adds for a caller from another one. */
const elsewhere = { 'x-forwarded-for': '203.0.113.9' };

let open: SeededDashboard;
let closed: SeededDashboard;
beforeAll(async () => {
	[open, closed] = await Promise.all([startSeededDashboard(50, undefined, key), startSeededDashboard(50)]);
});
afterAll(async () => {
	await open?.close();
	await closed?.close();
});

const signIn = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
	fetch(`${url}api/sign-in`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...elsewhere, ...headers },
		body: JSON.stringify(body),
	});

describe('callers from other machines', () => {
	it('are kept out where the gateway has no key, and told how to set one', async () => {
		for (const path of ['', 'index.js', 'api/overview', 'sign-in']) {
			const response = await fetch(closed.url + path, { headers: elsewhere });
			expect(response.status, path).toBe(403);
			expect(await response.text()).toContain('--dashboard-key FILE');
		}
		expect((await fetch(closed.url)).status).toBe(200);
		expect((await signIn(closed.url, { key: '' })).status).toBe(403);
	});

	it('see nothing but the sign-in page until they have the key', async () => {
		const page = await fetch(open.url, { headers: elsewhere, redirect: 'manual' });
		expect([page.status, page.headers.get('location')]).toEqual([303, '/.wayleave/sign-in']);
		for (const path of ['api/overview', 'api/requests.csv', 'api/nothing']) {
			const response = await fetch(open.url + path, { headers: elsewhere });
			expect([response.status, response.headers.get('x-sign-in')], path).toEqual([401, 'needed']);
		}
		expect((await fetch(`${open.url}sign-in`, { headers: elsewhere })).status).toBe(200);
		for (const cookie of ['9999999999999.x', `${Date.now() + 60_000}.`, 'x'])
			expect(
				(await fetch(`${open.url}api/overview`, { headers: { ...elsewhere, cookie: `wayleave-dashboard=${cookie}` } }))
					.status,
			).toBe(401);
	});

	it('get a cookie for the key that scripts and other sites cannot use', async () => {
		const response = await signIn(open.url, { key }, { 'x-forwarded-proto': 'https' });
		const cookie = response.headers.get('set-cookie') ?? '';
		expect(response.status).toBe(200);
		expect(cookie).toMatch(/; Path=\/\.wayleave\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/);
		const [session = ''] = cookie.split(';', 1);
		expect((await fetch(`${open.url}api/overview`, { headers: { ...elsewhere, cookie: session } })).status).toBe(200);
		const forged = session.replace(/=\d+/, `=${Date.now() + 1e12}`);
		expect((await fetch(`${open.url}api/overview`, { headers: { ...elsewhere, cookie: forged } })).status).toBe(401);
		const foreign = await signIn(open.url, { key }, { origin: 'https://evil.example' });
		expect(foreign.status).toBe(403);
		expect(foreign.headers.get('set-cookie')).toBeNull();
	});

	it('can try ten wrong keys in a minute', async () => {
		const tried = await startSeededDashboard(10, undefined, key);
		const statuses = [];
		for (const wrong of [{ key: '' }, {}, 'x', null, ...Array.from({ length: 6 }, () => ({ key: 'wrong' }))])
			statuses.push((await signIn(tried.url, wrong)).status);
		expect(statuses).toEqual(Array.from({ length: 10 }, () => 403));
		expect((await signIn(tried.url, { key })).status).toBe(429);
		await tried.close();
	});

	it('a host of another name is refused with and without a key', async () => {
		for (const { url } of [open, closed]) {
			const { port } = new URL(url);
			const status = await new Promise((resolve) => {
				const headers = { host: `rebound.example:${port}` };
				http.get({ host: '127.0.0.1', port, path: '/.wayleave/api/overview', headers }, ({ statusCode }) =>
					resolve(statusCode),
				);
			});
			expect(status).toBe(421);
		}
	});

	it('sign in on the page, after a wrong key too', async () => {
		const browser: Browser = await launchBrowser();
		const context = await browser.newContext({ extraHTTPHeaders: elsewhere });
		const page = await context.newPage();
		await page.goto(open.url);
		await page.getByLabel('Key of the dashboard').fill('wrong');
		await page.keyboard.press('Enter');
		await page.getByText('the key is wrong').waitFor();
		expect(await axeFaults(page)).toEqual([]);
		await page.getByLabel('Key of the dashboard').fill(key);
		await page.keyboard.press('Enter');
		await page.locator('.stats').waitFor();
		expect(await seen(page, 'h1')).toBe('Overview');
		await browser.close();
	});
});

describe('the key of the dashboard', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-key-'));
	const terminal = (env: Readonly<Record<string, string>> = {}) => ({
		cwd: folder,
		stdin: () => new Uint8Array(),
		env,
	});

	it('is in a file or in the environment, and long enough', () => {
		writeFileSync(join(folder, 'key'), `${key}\n`);
		writeFileSync(join(folder, 'short'), 'short\n');
		expect(readDashboardKey(undefined, terminal())).toBeUndefined();
		expect(readDashboardKey('key', terminal())).toBe(key);
		expect(readDashboardKey(undefined, terminal({ WAYLEAVE_DASHBOARD_KEY: key }))).toBe(key);
		expect(() => readDashboardKey('short', terminal())).toThrow(/at least 20 characters/);
		expect(() => readDashboardKey('missing', terminal())).toThrow(/missing/);
	});
});
