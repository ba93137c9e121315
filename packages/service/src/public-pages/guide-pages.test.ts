import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
	appear,
	expectAccessible,
	expectFits,
	launchBrowser,
	mainAppearances,
} from '../../../../apps/dashboard/src/testing/browser.ts';
import type { ServiceOptions } from '../config/config.ts';
import { startService, type TestService } from '../testing/start-service.ts';

let browser: Browser;
let service: TestService | undefined;
beforeAll(async () => {
	browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());
afterEach(async () => {
	await service?.close();
	service = undefined;
});

const withKeys = { open: false, contact: 'ops@index.test', operator: '<b>Tide</b>', publicUrl: 'https://index.test' };
const start = async (options: ServiceOptions = withKeys): Promise<TestService> => {
	service = await startService(options);
	return service;
};
const forPeople = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const read = async (path: string) => {
	const response = await (await (service ?? start())).request(path, forPeople);
	return { status: response.status, headers: response.headers, text: await response.text() };
};
const token = '0123456789abcdef0123456789abcdef01234567';

const paths = [
	'/',
	'/documents',
	`/domains?domain=example.com&token=${token}`,
	'/keys',
	'/reference',
	'/register',
	'/health',
	'/bot',
	'/nothing',
];

describe('in a browser', () => {
	it.each(paths)(
		'%s is accessible in all widths and colours, without script, and nothing is wider than the window',
		async (path) => {
			const { url } = await start();
			const page = await browser.newPage();
			const complaints: string[] = [];
			page.on('console', (message) => complaints.push(message.text()));
			page.on('request', (request) => new URL(request.url()).origin !== url && complaints.push(request.url()));
			await page.goto(url + path);
			for (const appearance of mainAppearances) {
				await appear(page, appearance);
				await expectAccessible(page);
			}
			for (const width of [1920, 2560]) {
				await appear(page, { width });
				await expectFits(page);
			}
			expect(await page.locator('script').count()).toBe(0);
			expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
			await page.close();
		},
		90_000,
	);

	it('by keyboard: the records of a domain, ready to copy', async () => {
		const { url } = await start({ open: true });
		const page = await browser.newPage();
		await page.goto(url);
		await focusOn(page, 'Domains');
		await page.keyboard.press('Enter');
		await page.waitForURL(/domains/);
		await page.getByLabel('Domain').focus();
		await page.keyboard.type('Example.com');
		await page.keyboard.press('Tab');
		await page.keyboard.type(token);
		await page.keyboard.press('Enter');
		await page.locator('#records').waitFor();
		const samples = await page.locator('#records pre').allTextContents();
		expect(samples).toEqual([
			'_aiwebindex-verify.example.com',
			`aiwi-verify=${token}`,
			`_aiwebindex-verify.example.com. 300 IN TXT "aiwi-verify=${token}"`,
			'https://example.com/.well-known/aiwebindex-verify.txt',
			`aiwi-verify=${token}`,
		]);
		// One click selects all of it.
		await page.locator('#records pre').first().click();
		expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(samples[0]);
		await page.close();
	}, 60_000);
});

async function focusOn(page: Page, name: string): Promise<void> {
	for (let presses = 0; presses < 20; presses++) {
		await page.keyboard.press('Tab');
		if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return;
	}
	expect.unreachable(`${name} is not reached by Tab`);
}

describe('what the pages say', () => {
	it('examples name the address of the service, and a key where one is needed', async () => {
		await start();
		for (const path of ['/', '/documents', '/keys', '/domains']) {
			const { text } = await read(path);
			expect(text, path).toContain('https://index.test/v1/');
			expect(text, path).toContain('Authorization: Bearer KEY');
		}
		const { text } = await read('/');
		expect(text).toContain('createClient({ url: &#39;https://index.test&#39;, key: &#39;KEY&#39; })');
	});

	it('without keys no example has one', async () => {
		const { url } = await start({ open: true });
		const { port } = new URL(url);
		const { text } = await read('/documents');
		expect(text).toContain(`http://localhost:${port}/v1/aidocument`);
		expect(text).not.toContain('Bearer');
		expect((await read('/')).text).toContain('without keys');
	});

	it('the curl example of the start page works as it stands', async () => {
		await start({ open: true });
		const { text } = await read('/');
		const [, command = ''] = /<pre class="sample"><code>(curl [^<]*)<\/code>/.exec(text) ?? [];
		const plain = command.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
		const [, body = ''] = /-d '([^']*)'/.exec(plain) ?? [];
		const [, path = ''] = /http:\/\/localhost:\d+(\/\S+)/.exec(plain) ?? [];
		const response = await (service ?? expect.unreachable()).post(path, JSON.parse(body));
		// No site is reached from here: the call is understood, which a wrong one is not.
		expect([400, 404, 405, 415]).not.toContain(response.status);
	});

	it('the reference has every operation, parameter and schema of openapi.json', async () => {
		const { service: running } = await start();
		const { text } = await read('/reference');
		const { paths: described = {}, components } = running.description;
		const operations = Object.values(described).flatMap((each) =>
			Object.values(each as Record<string, { operationId: string }>),
		);
		expect(operations.length).toBeGreaterThan(35);
		for (const { operationId } of operations) expect(text).toContain(`<article id="${operationId}">`);
		for (const name of Object.keys(components?.schemas ?? {})) expect(text).toContain(`<article id="schema-${name}">`);
		const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
		expect(targets.filter((id) => !text.includes(` id="${id}"`))).toEqual([]);
	});

	it('links of one page to another lead somewhere', async () => {
		await start();
		const pages = await Promise.all(paths.map(async (path) => (await read(path)).text));
		const hrefs = pages.flatMap((text) =>
			[...text.matchAll(/href="https:\/\/index\.test([^"#]*)/g)].map(([, path]) => path),
		);
		const reference = pages[4] ?? '';
		for (const path of new Set(hrefs)) expect([path, (await read(path ?? '')).status]).toEqual([path, 200]);
		expect([...new Set(hrefs)].length).toBeGreaterThan(8);
		const ids = pages.flatMap((text) => [...text.matchAll(/\/reference#(\w+)"/g)].map(([, id]) => id));
		expect(ids.filter((id) => !reference.includes(`id="${id}"`))).toEqual([]);
	});

	it('health says whether the service takes requests: to people, and to programs', async () => {
		const { request, service: running } = await start();
		expect((await read('/health')).text).toContain('Ready');
		expect(await (await request('/health')).json()).toMatchObject({ ready: true, keys: 'required' });
		running.stop();
		const response = await request('/health');
		expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ ready: false })]);
		expect(await read('/health')).toMatchObject({ status: 503, text: expect.stringContaining('shutting down') });
	});

	it('the policy lets in the style of the page alone', async () => {
		await start();
		const policy = (await read('/documents')).headers.get('content-security-policy') ?? '';
		expect(policy).toMatch(/default-src 'none'; style-src 'sha256-[\w+/]+=*';/);
		expect(policy).not.toContain('unsafe');
	});
});

describe('an address that does not exist', () => {
	it('a browser gets a page that helps, a program the problem object', async () => {
		const { request } = await start();
		const { status, text, headers } = await read('/documnets');
		expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
		expect(text).toContain('Did you mean <a href="https://index.test/documents">');
		expect(headers.get('vary')).toBe('accept');
		const other = await request('/documnets');
		expect([other.status, other.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
		expect((await request('/documnets', { ...forPeople, method: 'POST' })).headers.get('content-type')).toBe(
			'application/problem+json',
		);
		const wrongMethod = await read('/v1/aidocument');
		expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
		expect(wrongMethod.text).toContain('it takes POST');
	});

	it.each([
		['/%3Cscript%3Ealert(1)%3C/script%3E', '&#60;script&#62;'],
		['/domains?domain=%3Cimg%20src=x%20onerror=alert(1)%3E', '&#60;img'],
		['/domains?domain=example.com&token=%22%3E%3Csvg/onload=alert(1)%3E', 'This is not a token'],
		["/domains?domain='%3E%3Cb%3E&token=x", '&#39;&#62;'],
	])('%s renders inert', async (path, expected) => {
		await start();
		const { text } = await read(path);
		expect(text).not.toMatch(/<(?:script|img|svg|b)\b/);
		expect(text.replace(/&#60;|%3C/gi, '&#60;')).toContain(expected.startsWith('&#60;script') ? 'script' : expected);
	});
});
