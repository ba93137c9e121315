import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveCrawl } from '@wayleave/crawler/view';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../../apps/dashboard/build.ts';
import {
	appear,
	axeFaults,
	expectAccessible,
	expectFits,
	expectQuiet,
	launchBrowser,
	mainAppearances,
	openView,
	seen,
	settled,
	widest,
} from '../../../../apps/dashboard/src/testing/browser.ts';
import { type Harbour, startHarbour } from '../testing/harbour.ts';
import { type CrawlPage, openCrawlPage } from './crawl-page.ts';
import { readDashboardFiles } from './dashboard-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'wayleave-crawl-page-'));
const store = `sqlite:${join(folder, 'harbour.db')}`;

let browser: Browser;
let harbour: Harbour;
let files: NonNullable<ReturnType<typeof readDashboardFiles>>;
let shown: CrawlPage;

beforeAll(async () => {
	const built = join(folder, 'dashboard');
	await buildDashboard(built);
	files = readDashboardFiles(built) ?? new Map();
	harbour = await startHarbour();
	const archive = join(folder, 'harbour.warc.gz');
	const manual = ['harbour.test'];
	await harbour.crawl(store, { retries: 0 }, archive, manual).run();
	harbour.edition = 2;
	await harbour.crawl(store, { retries: 0 }, archive, manual).run();
	shown = await openCrawlPage({ store, cwd: folder, files });
	browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
	await browser?.close();
	await shown?.close();
	await harbour?.close();
});

const address = (query = '') => shown.url.replace('/#', `/${query}#`);
const historyOf = (path: string) => address(`?view=url&url=${encodeURIComponent(harbour.url(path))}`);
const read = (page: Page) =>
	page.waitForFunction(() => !/Reading|so far/.test(document.querySelector('main')?.textContent ?? ''));

const views = {
	overview: () => address(),
	hosts: () => address('?view=hosts'),
	urls: () => address('?view=urls&outcome=refused'),
	'left out': () => address('?view=left-out'),
	changes: () => address('?view=changes'),
	search: () => address('?view=search&text=breakwater'),
	'a document': () => historyOf('/tides'),
	'a hostile document': () => historyOf('/hostile'),
	'an unknown URL': () => historyOf('/tides/spring'),
} as const;

describe.each(Object.entries(views))('the page of a store: %s', (_, view) => {
	it('is accessible in all widths and colours, and asks for nothing from elsewhere', { timeout: 90_000 }, async () => {
		const page = await openView(browser, view());
		await read(page);
		for (const appearance of mainAppearances) {
			await appear(page, appearance);
			await expectAccessible(page);
		}
		await appear(page, widest);
		await expectFits(page);
		expectQuiet(page);
		expect(await page.title()).not.toContain('pwned');
		await page.close();
	});
});

describe('the page of a store', () => {
	it('from the start page to why a page was not crawled: by keyboard alone', async () => {
		const page = await openView(browser, address());
		expect(new URL(page.url()).hash).toBe('');
		await page.keyboard.press('Tab');
		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Tab');
		await page.keyboard.type(harbour.url('/members/list'));
		await page.keyboard.press('Enter');
		await page.locator('h1', { hasText: 'History of a URL' }).waitFor();
		await settled(page);
		const text = await seen(page);
		expect(text).toContain('It was not fetched: the policy of the site forbids it.');
		expect(text).toMatch(/robots\.txt:2\s+Disallow: \/members\//);
		const chain = await page.locator('.chain li').allInnerTexts();
		expect(chain.map((link) => link.replace(/\s+/g, ' '))).toEqual([
			expect.stringMatching(/harbour\.test:\d+\/ (?:Fetched|Unchanged)/),
			expect.stringMatching(/\/members\/list Refused/),
		]);
		await page.goBack();
		await page.locator('h1', { hasText: 'Overview' }).waitFor();
		await page.close();
	});

	it('every count leads to what it counts', async () => {
		const page = await openView(browser, address());
		await read(page);
		const row = page.locator('tr', { hasText: 'A robots.txt rule disallows the URL' }).first();
		const counted = Number(await row.locator('td.number').textContent());
		await row.locator('a').click();
		await read(page);
		expect(await page.locator('tbody tr').count()).toBe(counted);
		expect(counted).toBe(2);
		await page.close();
	});

	it('shows a changed document beside its source, with the lines that changed', async () => {
		const page = await openView(browser, address('?view=changes'));
		await read(page);
		await page.locator('a.url', { hasText: /\/tides$/ }).click();
		await page.locator('.source pre').waitFor();
		expect(await page.locator('.diff del').allInnerTexts()).toContain(
			'Call the harbour on channel 12. Speed is limited to four knots inside the breakwater.',
		);
		expect(await page.locator('.diff ins').allInnerTexts()).toContain('- Report the number of people on board.');
		expect(await page.locator('.document h3').first().textContent()).toBe('Tides');
		expect(await page.locator('.document td').first().textContent()).toBe('Monday');
		expect(await page.locator('.source pre').textContent()).toContain('<h1>Tides</h1>');
		await page.getByRole('radio', { name: 'As Markdown' }).check({ force: true });
		expect(await page.locator('.document pre').textContent()).toContain('| Monday |');
		await page.close();
	});

	it('says what was left out as trap or copy, with the learned pattern', async () => {
		const page = await openView(browser, address('?view=left-out'));
		await read(page);
		const text = await seen(page);
		expect(text).toMatch(/\?ref\s+harbour\.test\s+copy/);
		expect(text).toMatch(/other addresses of the same page/i);
		await page.close();
	});

	it('hostile titles, URLs, texts and header values render as text', async () => {
		const page = await openView(browser, historyOf('/hostile'));
		await page.locator('.source pre').waitFor();
		await page.locator('details summary').first().click();
		expect(await page.locator('.document').textContent()).toContain('<svg/onload=document.title="pwned">');
		expect(await page.locator('.facts').first().textContent()).toContain('<script>document.title="pwned"</script>');
		expect(await page.locator('main img, main script, main iframe, main svg[onload]').count()).toBe(0);
		const targets = await page.locator('main a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
		expect(targets.filter((target) => !target?.startsWith('?'))).toEqual([]);
		for (const query of [
			'?view=urls&contains=onerror',
			'?view=search&text=%3Cscript',
			'?view=urls&host=%3Csvg/onload=x%3E',
		]) {
			await page.goto(address(query));
			await read(page);
			expect(await page.locator('main img, main script').count()).toBe(0);
		}
		expect(await page.title()).not.toContain('pwned');
		expectQuiet(page);
		await page.close();
	});

	it('without the key it asks for it, and a pasted address opens it', async () => {
		const page = await openView(browser, new URL(shown.url).origin);
		await page.locator('.notice', { hasText: 'needs the key' }).waitFor();
		expect(await axeFaults(page)).toEqual([]);
		await page.getByLabel('Address with the key').fill('http://127.0.0.1/');
		await page.getByRole('button', { name: 'Open' }).click();
		await page.getByText('This holds no key').waitFor();
		await page.getByLabel('Address with the key').fill(shown.url);
		await page.getByRole('button', { name: 'Open' }).click();
		await page.getByText('URLs counted').waitFor();
		await page.close();
	});
});

it('shows a crawl at work: progress, paused hosts with the reason and the time, outcomes by reason', async () => {
	const stop = new AbortController();
	const own = `sqlite:${join(folder, 'live.db')}`;
	const running = harbour.crawl(own, { signal: stop.signal });
	const live = new LiveCrawl(running);
	const work = await openCrawlPage({ store: own, cwd: folder, files, live });
	const page = await openView(browser, work.url);
	expect(await seen(page)).toContain('The crawl begins.');
	const ended = running.run();
	const paused = page.locator('section', { hasText: 'Slow and paused hosts' }).locator('tr', { hasText: 'ferry.test' });
	await paused.filter({ hasText: 'The server asked for a pause (status 429)' }).waitFor({ timeout: 60_000 });
	expect(await paused.textContent()).toMatch(/goes on in (?:1 min )?\d+ s, at \d+ \w+, \d\d:\d\d/);
	await expect
		.poll(() => seen(page), { timeout: 60_000 })
		.toMatch(/A robots\.txt rule disallows the URL\s+Refused\s+2/);
	expect(await seen(page)).toMatch(/weather\.test waits until .*the server asked for a pause/);
	for (const appearance of mainAppearances) {
		await appear(page, appearance);
		await expectAccessible(page);
	}
	await page.goto(`${work.url.split('#')[0]}?view=hosts`);
	await settled(page);
	await expect.poll(() => seen(page), { timeout: 60_000 }).toMatch(/harbour\.test\s+done/);
	await expectAccessible(page);
	expectQuiet(page);
	stop.abort();
	await ended;
	await page.close();
	await work.close();
}, 180_000);

describe('the listener', () => {
	const ask = (headers: Record<string, string>, path = '/api/state') =>
		new Promise<number>((resolve, reject) => {
			const { port } = new URL(shown.url);
			request({ host: '127.0.0.1', port, path, headers }, (response) => {
				response.resume();
				resolve(response.statusCode ?? 0);
			})
				.on('error', reject)
				.end();
		});

	it('checks Host and Origin, and is on the loopback address only', async () => {
		const { port, hash } = new URL(shown.url);
		const authorization = `Bearer ${hash.slice('#key='.length)}`;
		expect(await ask({ authorization })).toBe(200);
		expect(await ask({ authorization, host: `evil.example:${port}` })).toBe(421);
		expect(await ask({ authorization, origin: 'http://evil.example' })).toBe(403);
		expect(await ask({ authorization, 'sec-fetch-site': 'cross-site' })).toBe(403);
		expect(await ask({})).toBe(401);
		expect(new URL(shown.url).hostname).toBe('127.0.0.1');
	});

	it('the key is kept beside the store for this user only, and the next page has the same address', async () => {
		const kept = join(folder, 'harbour.db-ui');
		expect(statSync(kept).mode & 0o777).toBe(0o600);
		expect(shown.url).toContain(JSON.parse(readFileSync(kept, 'utf8')).key);
		const other = await openCrawlPage({ store, cwd: folder, files });
		// The port is in use: this page gets another one, and leaves the kept one alone.
		expect(new URL(other.url).port).not.toBe(new URL(shown.url).port);
		expect(JSON.parse(readFileSync(kept, 'utf8')).port).toBe(Number(new URL(shown.url).port));
		await other.close();
	});
});

/** A command that shows a page, in a process of its own. */
async function startCommand(cwd: string, words: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
	const bin = join(import.meta.dirname, '../../bin/wayleave.js');
	const child = spawn(process.execPath, [bin, ...words], { cwd });
	const url = await new Promise<string>((resolve, reject) => {
		let text = '';
		child.stderr.on('data', (piece: Buffer) => {
			text += piece;
			const [, found] = /(?:watch the crawl|the store is shown) at (\S+)/.exec(text) ?? [];
			if (found !== undefined) resolve(found);
		});
		child.on('exit', () => reject(new Error(text)));
	});
	return { url, child };
}

const crawlWords = () => [
	...['crawl', `http://localhost:${harbour.web.port}/`, '--i-own-this-site', 'localhost', '--delay', '1'],
	...['--no-sitemaps', '--store', 'sqlite:own.db', '--ui'],
];

const endOf = (child: ChildProcess) =>
	new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));

it('a page that is open when the crawl is killed says so, and goes on after a restart', {
	// Three processes that compile what they load.
	timeout: 300_000,
}, async () => {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-killed-'));
	const first = await startCommand(cwd, crawlWords());
	const page = await browser.newPage();
	await page.goto(first.url);
	await page.locator('.progress', { hasText: 'known URLs' }).waitFor({ timeout: 60_000 });
	await page.waitForFunction(
		() => /[1-9]\d* of/.test(document.querySelector('.progress')?.textContent ?? ''),
		undefined,
		{
			timeout: 60_000,
		},
	);
	first.child.kill('SIGKILL');
	await endOf(first.child);
	await page.getByRole('alert').waitFor();
	const alert = await page.getByRole('alert').textContent();
	expect(alert).toContain('The crawl does not respond: it has ended or was stopped.');
	expect(alert).toContain('wayleave store ui');
	expect(await axeFaults(page)).toEqual([]);
	const second = await startCommand(cwd, crawlWords());
	expect(second.url).toBe(first.url);
	await page.getByRole('alert').waitFor({ state: 'detached', timeout: 60_000 });
	await page.locator('.stat', { hasText: 'mode: resume' }).waitFor({ timeout: 60_000 });
	second.child.kill('SIGKILL');
	await endOf(second.child);
	// At rest the same page shows the store, until Ctrl-C.
	const third = await startCommand(cwd, ['store', 'ui']);
	expect(third.url).toBe(first.url);
	await page.getByText('The last run was killed: the next crawl resumes it.').waitFor({ timeout: 60_000 });
	third.child.kill('SIGINT');
	expect(await endOf(third.child)).toBe(0);
	await page.close();
});
