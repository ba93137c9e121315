import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Entry } from '@wayleave/gateway';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../../../apps/dashboard/build.ts';
import {
	expectAccessible,
	expectQuiet,
	launchBrowser,
	mainAppearances,
	openView,
	seen,
	settled,
} from '../../../../../apps/dashboard/src/testing/browser.ts';
import { hostileTexts } from '../../../../../apps/dashboard/src/testing/hostile-texts.ts';
import { sampleEntry } from '../../../../gateway/src/testing/sample-entry.ts';
import { readDashboardFiles } from '../../shared/dashboard-files.ts';
import { policyText, startStudio } from './testing/running-studio.ts';

let browser: Browser;
let files: NonNullable<ReturnType<typeof readDashboardFiles>>;
let folder: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-dashboard-'));
	await buildDashboard(folder);
	files = readDashboardFiles(folder) ?? new Map();
	browser = await launchBrowser();
});
afterAll(() => browser?.close());

const day = 86_400_000;

/** A week of two crawlers and an assistant. */
function* week(version: string): Generator<Entry> {
	const visitors = [
		['Bytespider', 'data-harvester', '198.51.100.1', 'agent', 12],
		['GPTBot', 'data-harvester', '198.51.100.2', 'agent', 6],
		['ChatGPT-User', 'ai-assistant', '198.51.100.3', 'assistant', 3],
	] as const;
	for (const [agent, categories, address, purpose, requests] of visitors)
		for (let each = 0; each < requests * 7; each++) {
			const claimed = { userAgent: `Mozilla/5.0 (compatible; ${agent}/1.0)` };
			yield {
				...sampleEntry,
				at: Date.now() - (each % 7) * day - (each + 1) * 60_000,
				agent,
				categories,
				purpose,
				address,
				client: address,
				path: `/blog/${each % 5}`,
				inForce: version,
				evidence: JSON.stringify({ reason: 'not-checked', claimed }),
			};
		}
}

const start = (text: string | null = policyText) => startStudio({ text, files, entries: week });
const openStudioAt = (url: string, query = '', options = {}) => openView(browser, `${url}studio${query}`, options);
const editor = (page: Page) => page.getByRole('textbox', { name: /^Text of/ });
const editorText = (page: Page) => editor(page).inputValue();
/** Waits until the gateway has looked at the text. */
const checked = (page: Page) => page.getByText(/Not published yet|Same as on disk|\d errors?$/).waitFor();

describe('the page of the policy studio', () => {
	it('says when a response breaks off, and compares when it is asked again', async () => {
		const { url, close } = await start();
		const page = await openView(browser, `${url}studio`);
		await page.route('**/api/studio/compare', (route) => route.fulfill({ status: 200, body: '{"recorded": 1' }));
		await page.getByRole('link', { name: 'Last week' }).click();
		await page.getByText('the response of the gateway broke off: try again').waitFor();
		await page.unroute('**/api/studio/compare');
		await page.getByRole('button', { name: 'Compare' }).click();
		await page.getByText(/of 147 requests/).waitFor();
		expectQuiet(page);
		await page.close();
		await close();
	});

	it('by five clicks from the start page: block Bytespider, see last week, publish', async () => {
		const { url, key, path, running, close } = await start();
		const page = await openView(browser, url);
		let clicks = 0;
		await page.exposeFunction('countClick', () => clicks++);
		await page.addInitScript(() =>
			addEventListener('pointerdown', () => (globalThis as never as { countClick(): void }).countClick(), true),
		);
		clicks++;
		await page.getByRole('link', { name: 'Policy studio' }).click();
		await page.getByRole('group', { name: 'Access of Bytespider' }).getByRole('radio', { name: 'Block' }).click();
		await page.getByText('Bytespider: the whole site is now disallowed.').waitFor();
		await page.getByRole('link', { name: 'Last week' }).click();
		await page.getByText('84 more denied').waitFor();
		expect(await seen(page, '.studio-panel')).toMatch(/Treated differently\s+84\s+of 147 requests/);
		await page.getByRole('button', { name: 'Publish …' }).click();
		await page.keyboard.type(key);
		await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
		await page.getByText(/Published: policy version \S+ is active/).waitFor();
		expect(clicks).toBe(5);
		expect(readFileSync(path, 'utf8')).toContain('# staff\n  agents:\n    Bytespider:\n      disallow: ["/"]\n');
		expect(running.gateway().published().policyVersion.robots).toMatch(
			/User-agent: Bytespider\n(?:.+\n)*Disallow: \/\n/,
		);
		expectQuiet(page);
		await page.close();
		await close();
	});

	it('the same by keyboard alone', async () => {
		const { url, key, path, close } = await start();
		const page = await openView(browser, url);
		const { keyboard } = page;
		const focused = () =>
			page.evaluate(() => {
				const { activeElement } = document;
				const labels = activeElement instanceof HTMLInputElement ? activeElement.labels : null;
				const group = activeElement?.closest('fieldset.choice')?.querySelector('legend')?.textContent ?? '';
				return `${group} ${labels?.[0]?.textContent ?? ''} ${activeElement?.textContent ?? ''}`.trim();
			});
		const tabTo = async (name: RegExp) => {
			for (let steps = 0; steps < 120; steps++) {
				if (name.test(await focused())) return;
				await keyboard.press('Tab');
			}
			expect.unreachable(`the keyboard does not reach ${name}`);
		};
		await tabTo(/^Policy studio$/);
		await Promise.all([page.waitForURL(/studio$/), keyboard.press('Enter')]);
		await settled(page);
		await page.getByText('84 requests last week').waitFor();
		await tabTo(/^Access of Bytespider/);
		await keyboard.press('ArrowLeft');
		await page.getByText('Bytespider: the whole site is now disallowed.').waitFor();
		expect(await focused()).toMatch(/^Access of Bytespider Block/);
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
		await tabTo(/^Last week$/);
		await keyboard.press('Enter');
		await page.getByText('84 more denied').waitFor();
		await tabTo(/^Publish …$/);
		await keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		await keyboard.type(key);
		await keyboard.press('Enter');
		await page.getByText(/Published: policy version \S+ is active/).waitFor();
		expect(readFileSync(path, 'utf8')).toContain('Bytespider');
		await page.close();
		await close();
	});

	it('lint as you type, with line and sentence; a broken text cannot be published', async () => {
		const { url, close } = await start();
		const page = await openStudioAt(url);
		await checked(page);
		await editor(page).fill(policyText.replace('train: no', 'trian: no'));
		await page.getByText(/policy\.trian: unknown key; did you mean train/).waitFor();
		expect(await page.locator('.editor-line.error .editor-number').allTextContents()).toEqual(['5']);
		await page.getByRole('button', { name: 'line 5' }).click();
		const line = await editor(page).evaluate(
			(area: HTMLTextAreaElement) => area.value.slice(0, area.selectionStart).split('\n').length,
		);
		expect(line).toBe(5);
		await page.getByRole('button', { name: 'Publish …' }).click();
		expect(await seen(page, 'dialog')).toMatch(/cannot be published: line 5: policy\.trian: unknown key/);
		expect(await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
		await page.close();
		await close();
	});

	it('completes keys, values, agents, categories and operators by keyboard; undo takes it back', async () => {
		const { url, close } = await start();
		const page = await openStudioAt(url);
		await checked(page);
		const complete = async (before: string, typed: string, option: string) => {
			await editor(page).fill(before);
			await editor(page).press('End');
			await page.keyboard.type(typed);
			const list = page.getByRole('listbox', { name: 'Suggestions' });
			await list.getByRole('option', { name: option, exact: false }).first().waitFor();
			expect(await editor(page).getAttribute('aria-activedescendant')).toMatch(/-0$/);
			expect(await list.getByRole('option', { selected: true }).textContent()).toContain(option);
			await page.keyboard.press('Enter');
			await list.waitFor({ state: 'detached' });
			return editorText(page);
		};
		expect(await complete('', 'hon', 'honeypots')).toBe('honeypots: ');
		expect(await complete('policy:\n  ', 'tra', 'train')).toBe('policy:\n  train: ');
		expect(await complete('policy: { store: ', 'ses', 'session-only')).toBe('policy: { store: session-only');
		expect(await complete('paths:\n  agents:\n    ', 'Bytes', 'Bytespider')).toBe(
			'paths:\n  agents:\n    Bytespider: ',
		);
		expect(await complete('categories:\n  ', 'data', 'data-harvester')).toBe('categories:\n  data-harvester: ');
		expect(await complete('identity:\n  agents:\n    - operator: ', 'Anth', 'Anthropic')).toMatch(
			/operator: Anthropic$/,
		);
		await page.keyboard.press('Control+z');
		expect(await editorText(page)).toMatch(/operator: Anth$/);
		await page.keyboard.press('Control+Space');
		await page.getByRole('option').first().waitFor();
		await page.keyboard.press('Escape');
		expect(await page.getByRole('option').count()).toBe(0);
		// Tab leaves the editor.
		await page.keyboard.press('Tab');
		expect(await editor(page).evaluate((area) => area === document.activeElement)).toBe(false);
		await page.close();
		await close();
	});

	it('every published file beside what is live', async () => {
		const { url, close } = await start();
		const page = await openStudioAt(url, '?tab=files');
		await checked(page);
		expect(await seen(page, '.studio-panel')).toMatch(/No file changes when you publish/);
		await editor(page).fill(policyText.replace('["/members"]', '["/members", "/drafts"]'));
		await page.getByText(/files change when you publish|1 file changes when you publish/).waitFor();
		const options = await page.getByLabel('File', { exact: true }).locator('option').allTextContents();
		expect(options).toEqual(
			expect.arrayContaining([
				'/robots.txt (changed)',
				'/robots2.txt (changed)',
				'/llms.txt (the same)',
				'Response headers (the same)',
				'Meta tags (the same)',
			]),
		);
		await page.getByLabel('File', { exact: true }).selectOption('/robots2.txt');
		expect(await page.locator('.diff tr.added, .diff tr.changed').allTextContents()).toEqual([
			expect.stringContaining('Disallow: /drafts'),
		]);
		expect(await seen(page, '.studio-panel')).toContain('Lint finds no problem in this file.');
		await page.close();
		await close();
	});

	it('"may GPTBot train on /blog/x?" lights up the deciding line in both files, with the sentence why', async () => {
		const { url, close } = await start();
		const page = await openStudioAt(url, '?tab=question');
		await page.getByText('GPTBot may not train on /blog/x').first().waitFor();
		expect(await seen(page, '.answer')).toMatch(
			/No\s+GPTBot may not train on \/blog\/x: .+ says “.*train.*”\. It comes from policy\.train in line 5 of the policy file\./,
		);
		expect(await page.locator('.editor-line.lit .editor-number').textContent()).toBe('5');
		await page.getByLabel('Path').fill('/members/1');
		await page.getByLabel('Use').selectOption('crawl');
		await page.getByText(/comes from paths\.disallow in line 4/).waitFor();
		expect(await page.locator('.editor-line.lit .editor-number').textContent()).toBe('4');
		await page.getByRole('button', { name: /^Show line \d+ of \/robots2?\.txt/ }).click();
		expect(await page.locator('.diff td.lit').textContent()).toContain('Disallow: /members');
		await page.close();
		await close();
	});

	it('in a long file only the lines in view are drawn, and the deciding ones come into view', async () => {
		const many = Array.from({ length: 800 }, (_, at) => `    - /page-${at}\n`).join('');
		const { url, close } = await start(
			policyText.replace('  disallow: ["/members"] # staff\n', `  disallow:\n${many}`),
		);
		const page = await openStudioAt(url, '?tab=question');
		await page.getByLabel('Use').selectOption('crawl');
		await page.getByLabel('Path').fill('/page-700');
		await page.getByText(/comes from paths\.disallow in line 705/).waitFor();
		await page.locator('.editor-line.lit').waitFor();
		expect(await page.locator('.editor-line.lit').textContent()).toMatch(/^705 +- \/page-700$/);
		expect(await page.locator('.editor-line').count()).toBeLessThanOrEqual(120);
		await page.getByRole('button', { name: /^Show line/ }).click();
		const lit = page.locator('.diff td.lit');
		await lit.waitFor();
		expect(await lit.textContent()).toContain('Disallow: /page-700');
		await page.waitForFunction(() => {
			const box = document.querySelector('.diff td.lit')?.getBoundingClientRect();
			return box !== undefined && box.top > 0 && box.bottom < innerHeight;
		});
		await page.close();
		await close();
	});

	it('limits an agent to paths, a category and an operator by one switch each', async () => {
		const { url, close } = await start();
		const page = await openStudioAt(url);
		await page.getByRole('group', { name: 'Access of GPTBot' }).getByRole('radio', { name: 'Limit' }).click();
		await page.getByLabel('Paths that GPTBot may fetch').fill('/blog /docs');
		await page.getByRole('button', { name: 'Limit', exact: true }).click();
		await page.getByText('GPTBot may fetch only /blog, /docs.').waitFor();
		expect(await editorText(page)).toContain('GPTBot:\n      allow: ["/blog", "/docs"]\n      disallow: ["/"]\n');
		await page.getByRole('radio', { name: 'Categories' }).click();
		await page.getByRole('group', { name: 'Access of data-harvester' }).getByRole('radio', { name: 'Block' }).click();
		await page.getByText('agents of the category data-harvester: the whole site is now disallowed.').waitFor();
		expect(await editorText(page)).toContain('categories:\n  data-harvester:\n    crawl: no\n');
		await page.getByRole('radio', { name: 'Operators' }).click();
		await page.getByLabel('Find').fill('Anthropic');
		await page.getByRole('group', { name: 'Access of Anthropic' }).getByRole('radio', { name: 'Block' }).click();
		await page.getByText(/the \d+ known agents of Anthropic: the whole site is now disallowed/).waitFor();
		expect(await editorText(page)).toContain('ClaudeBot:\n      disallow: ["/"]\n');
		expect(await editorText(page)).toContain('# staff');
		await page.close();
		await close();
	});

	it('history and roll back; a file that changed on disk is a conflict in which nothing is lost', async () => {
		const { url, key, path, close } = await start();
		const page = await openStudioAt(url);
		await checked(page);
		const publish = async (note: string) => {
			await page.getByRole('button', { name: 'Publish …' }).click();
			await page.getByLabel('Note for the history').fill(note);
			await page.getByLabel('Key of the studio').fill(key);
			await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
		};
		await editor(page).fill(`${policyText}# second\n`);
		await checked(page);
		await publish('a comment');
		await page.getByText(/Published: policy version/).waitFor();
		await page.getByRole('link', { name: 'Versions' }).click();
		expect(await seen(page, '.studio-panel')).toMatch(/a comment\s+the file on disk now[\s\S]+first version/);
		await page.getByRole('button', { name: /^Roll back to/ }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
		await page.waitForFunction(() => document.querySelector('dialog')?.open === false);
		expect(readFileSync(path, 'utf8')).toBe(policyText);
		expect(await editorText(page)).toBe(policyText);
		writeFileSync(path, `${policyText}# by hand\n`);
		await editor(page).fill(`${policyText}# third\n`);
		await checked(page);
		await publish('mine');
		await page.getByText(/has changed on disk since you opened it/).waitFor();
		expect(readFileSync(path, 'utf8')).toBe(`${policyText}# by hand\n`);
		expect(await seen(page, 'dialog')).toMatch(/# by hand[\s\S]*# third/);
		await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
		await page.getByText(/Published: policy version/).waitFor();
		expect(readFileSync(path, 'utf8')).toBe(`${policyText}# third\n`);
		await page.close();
		await close();
	});

	it('a wrong key is refused with a sentence, and the text stays', async () => {
		const { url, path, close } = await start();
		const page = await openStudioAt(url);
		await editor(page).fill(`${policyText}# second\n`);
		await checked(page);
		await page.getByRole('button', { name: 'Publish …' }).click();
		await page.keyboard.type('x'.repeat(32));
		await page.keyboard.press('Enter');
		await page.getByText(/this is not the key of the studio/).waitFor();
		expect(readFileSync(path, 'utf8')).toBe(policyText);
		await page.keyboard.press('Escape');
		expect(await editorText(page)).toBe(`${policyText}# second\n`);
		await page.close();
		await close();
	});

	it('from another machine it opens to who signed in, and publishes with its own key', async () => {
		const dashboardKey = 'the-key-of-the-dashboard';
		const { url, key, path, close } = await startStudio({ files, dashboardKey });
		const page = await browser.newPage({ extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } });
		await page.goto(`${url}studio`);
		await page.getByLabel('Key of the dashboard').fill(dashboardKey);
		await page.keyboard.press('Enter');
		await page.waitForURL((address) => !address.pathname.endsWith('sign-in'));
		await page.goto(`${url}studio`);
		await checked(page);
		await editor(page).fill(`${policyText}# from afar\n`);
		await page.getByText('Not published yet').waitFor();
		await page.getByRole('button', { name: 'Publish …' }).click();
		await page.getByLabel('Key of the studio').fill(key);
		await page.keyboard.press('Enter');
		await page.getByText(/Published: policy version/).waitFor();
		expect(readFileSync(path, 'utf8')).toBe(`${policyText}# from afar\n`);
		await page.getByRole('link', { name: 'Versions' }).click();
		await page
			.getByRole('button', { name: /^Compare the version/ })
			.last()
			.click();
		await page.locator('.diff tr.added').waitFor();
		// The sign-in ends while a text is being written.
		await page.context().clearCookies();
		await editor(page).fill(`${policyText}# unsaved\n`);
		await page.getByText(/you are no longer signed in/).waitFor();
		expect(await editorText(page)).toBe(`${policyText}# unsaved\n`);
		await page.close();
		await close();
	});

	it('without a policy file it is read-only, and says how to get one', async () => {
		const { url, close } = await start(null);
		const page = await openStudioAt(url, '?tab=files');
		expect(await seen(page)).toMatch(
			/The studio is read-only: this gateway runs without a policy file: write one with wayleave init/,
		);
		expect(await page.getByRole('button', { name: 'Publish …' }).isDisabled()).toBe(true);
		await page.close();
		await close();
	});

	it.each(mainAppearances)(
		'axe finds nothing in any part: $name',
		async ({ width, isDark }) => {
			const { url, close } = await start(policyText.replace('train: no', 'train: no, rate: 30'));
			const page = await openStudioAt(url, '', { width, isDark });
			await checked(page);
			await page.getByRole('group', { name: 'Access of Bytespider' }).getByRole('radio', { name: 'Block' }).click();
			await page.getByText('Bytespider: the whole site is now disallowed.').waitFor();
			await expectAccessible(page);
			for (const tab of ['question', 'files', 'week', 'versions']) {
				await page.evaluate((name) => {
					history.pushState(null, '', `?tab=${name}`);
					dispatchEvent(new PopStateEvent('popstate'));
				}, tab);
				if (tab === 'week') await page.getByText('84 more denied').waitFor();
				await expectAccessible(page);
			}
			await page.getByRole('button', { name: 'Publish …' }).click();
			await expectAccessible(page);
			await page.keyboard.press('Escape');
			await editor(page).fill('policy: { trian: no }\n');
			await page.getByText(/unknown key/).waitFor();
			await editor(page).press('Control+End');
			await page.keyboard.press('Control+Space');
			await page.getByRole('option').first().waitFor();
			await expectAccessible(page);
			expectQuiet(page);
			await page.close();
			await close();
		},
		300_000,
	);

	it('YAML values and names of agents render as text', async () => {
		const evil = '<img src=x onerror=alert(1)><script>alert(1)</script>';
		// A value of meta is one line without a comment.
		const values = hostileTexts.filter((each) => /^[^#\s](?:(?!\s#)\P{Cc})*$/u.test(each) && /\S$/.test(each));
		const meta = values.map((each, at) => `  x-${at}: ${JSON.stringify(each)}\n`).join('');
		const comments = hostileTexts.map((each) => `# ${each.replace(/\s/g, ' ')}\n`).join('');
		const text = `${policyText}# ${evil}\n${comments}meta:\n  contact: '${evil}'\n${meta}`;
		expect(values.length).toBeGreaterThan(30);
		const { url, running, close } = await start(text);
		for (const each of [evil, ...hostileTexts])
			running.ledger.record({ ...sampleEntry, at: Date.now() - 1000, agent: each, path: `/${each}`, evidence: each });
		await running.ledger.flush();
		const page = await openStudioAt(url);
		page.on('dialog', () => expect.unreachable('a script ran'));
		await checked(page);
		const inert = async () =>
			expect(await page.locator('main img, main script, main iframe, main [onerror]').count()).toBe(0);
		await inert();
		// Each value changes, so that each is shown.
		const changed = text.replace('["/members"]', '["/"]').replace(/^( {2}(?:contact|x-\d+): ["'])/gm, '$1_');
		await editor(page).fill(changed);
		await checked(page);
		for (const tab of ['question', 'files', 'week', 'versions']) {
			await page.evaluate((name) => {
				history.pushState(null, '', `?tab=${name}`);
				dispatchEvent(new PopStateEvent('popstate'));
			}, tab);
			if (tab === 'question') await page.getByLabel('Agent', { exact: true }).fill(evil);
			if (tab === 'files') {
				await page.getByLabel('File', { exact: true }).selectOption('/robots2.txt');
				expect(await seen(page, '.diff')).toContain('onerror=alert(1)');
			}
			if (tab === 'week') {
				await page.getByText('Agents concerned').waitFor();
				expect(await seen(page, '.studio-panel')).toContain('onerror=alert(1)');
			}
			await inert();
		}
		expectQuiet(page);
		await page.close();
		await close();
	});

	it('its script is at most 150 KB, compressed', () => {
		expect(gzipSync(readFileSync(join(folder, 'studio.js')), { level: 9 }).length).toBeLessThan(150 * 1024);
	});
});
