import { reasonTexts } from '@wayleave/crawler';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import type { ServiceOptions } from '../config/config.ts';
import { serviceProblems } from '../problems/problems.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const html = { headers: { accept: browserAccept } };

let web: TestWeb;
let service: TestService;
beforeEach(async () => {
	web = await startWeb(({ path }) => {
		if (path === '/robots.txt')
			return { body: 'User-agent: *\nDisallow: /private', headers: { 'content-type': 'text/plain' } };
		if (path.endsWith('.txt')) return { status: 404 };
		return '<title>Tides &lt;script&gt;</title><p>The sea &lt;img src=x onerror=alert(1)&gt; rises twice a day.</p>';
	});
});
afterEach(async () => {
	await service.close();
	await web.close();
});
const start = async (options: ServiceOptions = {}) => {
	service = await startService({ fetching: testSites(web.lookup, 'a.test'), ...options });
};

describe('the page at /', () => {
	it('S2-25 says what the service is, links its interface, and offers a form if no key is required', async () => {
		await start();
		const response = await service.request('/', html);
		const text = await response.text();
		expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
		for (const part of ['AIWebIndex', 'href="/openapi.json"', 'without keys', '<form method="post" action="/">'])
			expect(text).toContain(part);
		expect(text).not.toContain('<script');
		const policy = response.headers.get('content-security-policy');
		for (const part of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"])
			expect(policy).toContain(part);
	});

	it('S2-25 with keys it says how to get one, and has no form', async () => {
		await start({ open: false, contact: 'ops@index.test', publicUrl: 'https://index.test' });
		const text = await (await service.request('/', html)).text();
		for (const part of [
			'wayleave keys create',
			'mailto:ops@index.test',
			'https://index.test/openapi.json',
			'Bearer KEY',
		])
			expect(text).toContain(part);
		expect(text).not.toContain('<form');
		const headers = { origin: service.url, 'content-type': 'application/x-www-form-urlencoded' };
		expect((await service.request('/', { method: 'POST', headers, body: 'url=https://a.test/' })).status).toBe(405);
	});

	it.each(['*/*', 'application/json', 'application/json, text/html;q=0.5', ''])(
		'S2-25 a client that accepts %j keeps getting JSON',
		async (accept) => {
			await start();
			const response = await service.request('/', { headers: { accept } });
			expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
			expect((await response.json()).detail).toContain('/openapi.json');
		},
	);

	it('accepts its form from its own page only', async () => {
		await start();
		const body = `url=${encodeURIComponent(web.url('a.test'))}`;
		const post = (headers: Record<string, string>) =>
			service.request('/', {
				method: 'POST',
				body,
				headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
			});
		expect((await post({ origin: 'http://evil.example.org' })).status).toBe(403);
		expect((await post({ origin: 'null' })).status).toBe(403);
		expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
		expect((await post({})).status).toBe(415);
		expect((await post({ origin: service.url, 'content-type': 'text/plain' })).status).toBe(415);
		expect(web.log).toEqual([]);
		const good = await post({ origin: service.url });
		expect(good.status).toBe(200);
		expect(await good.text()).toContain('rises twice a day');
	});
});

describe('in a browser', () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
			args: ['--no-sandbox'],
		});
	}, 60_000);
	afterAll(() => browser.close());

	it.each([390, 1280])(
		'S2-25 the form works at a width of %i, and the text of a page cannot act',
		async (width) => {
			await start();
			const page = await browser.newPage({ viewport: { width, height: 800 } });
			const complaints: string[] = [];
			page.on('console', (message) => complaints.push(message.text()));
			page.on('dialog', (dialog) => complaints.push(dialog.message()));
			await page.goto(service.url);
			const fits = () => page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
			expect(await fits()).toBe(true);
			await screenshot(`start-${width}`);
			await page.fill('input[name=url]', web.url('a.test', '/tides'));
			await page.click('button');
			expect(await page.textContent('h1')).toBe('Tides <script>');
			expect(await page.textContent('pre')).toContain('rises twice a day');
			expect(await page.locator('main img').count()).toBe(0);
			expect(await fits()).toBe(true);
			await screenshot(`document-${width}`);
			await page.fill('input[name=url]', web.url('a.test', '/private/x'));
			await page.click('button');
			expect(await page.textContent('main')).toContain('Disallow: /private');
			await screenshot(`refused-${width}`);
			await page.click('text=What this means');
			expect(await page.textContent('h1')).toBe('robots-disallow');
			await screenshot(`problem-${width}`);
			expect(complaints.filter((text) => !/status of 403/.test(text))).toEqual([]);
			await page.close();

			async function screenshot(name: string): Promise<void> {
				const { WAYLEAVE_SCREENSHOTS: folder } = process.env;
				if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
			}
		},
		60_000,
	);
});

it('every problem code has a page for people and an object for programs', async () => {
	await start();
	const codes = [...Object.keys(serviceProblems), ...Object.keys(reasonTexts), 'http-404', 'http-503'];
	expect(codes.length).toBeGreaterThan(80);
	for (const code of codes) {
		const page = await service.request(`/problems/${code}`, html);
		expect([page.status, page.headers.get('content-type')], code).toEqual([200, 'text/html; charset=utf-8']);
		expect(await page.text()).toContain(`<h1>${code}</h1>`);
		const object = await service.request(`/problems/${code}`);
		expect(object.headers.get('content-type')).toBe('application/json');
		expect(await object.json()).toMatchObject({ code, title: expect.stringMatching(/\S/) });
	}
	for (const code of ['constructor', 'none', 'http-999', '%3Cb%3E', '..%2f..%2fetc%2fpasswd'])
		expect((await service.request(`/problems/${code}`, html)).status, code).toBe(404);
});
