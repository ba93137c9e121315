import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../../ledger/entry.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { sampleEntry } from '../../testing/sample-entry.ts';
import { readReport } from '../read-report.ts';
import { formatReportHtml } from './page.ts';

const day = 86_400_000;
const since = Date.UTC(2026, 10, 1);
const period = { since, until: since + 30 * day };

const request: Entry = { ...sampleEntry, agent: 'RudeBot', path: '/', bytes: 2000 };
const broken = {
	action: 'deny',
	status: 403,
	reason: 'not-permitted',
	violation: 1,
	ruleSource: 'https://shop.example/robots.txt',
	ruleLine: 3,
	ruleText: 'Disallow: /private/',
} as const;
const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202e{{7*7}}';

/** A report on requests, each `request` with these members. */
async function pageOf(entries: readonly object[], at = (index: number) => since + index * 60_000): Promise<string> {
	const ledger = await openLedger('sqlite::memory:');
	for (const [index, entry] of entries.entries()) ledger.record({ ...request, at: at(index), ...entry });
	await ledger.flush();
	const report = await readReport(ledger.db, 'https://shop.example', period);
	await ledger.close();
	return formatReportHtml(report);
}

const month = [
	...Array.from({ length: 60 }, (_, index) => ({
		...broken,
		path: `/private/${index}`,
		at: since + index * day * 0.49,
	})),
	...Array.from({ length: 40 }, (_, index) => ({ agent: 'PoliteBot', bytesSaved: 900, at: since + index * day * 0.7 })),
	{ agent: 'PoliteBot', action: 'file', path: '/robots.txt' },
	{ agent: 'Googlebot', outcome: 'spoofed', action: 'deny', reason: 'spoofed', status: 403 },
	{ agent: hostile, path: `/private/${hostile}`, ...broken, ruleText: hostile },
	{ agent: `Long${'x'.repeat(1500)}`, path: `/private/${'y'.repeat(1900)}`, ...broken },
];

describe('the report as a page', () => {
	it('says in sentences what happened, and shows one row for each rule with its count', async () => {
		const page = await pageOf(month);
		expect(page).toContain('made 104 requests');
		expect(page).toContain('requested disallowed pages 60 times');
		expect(page).toContain('1 request used the name of an agent that did not send them');
		expect(page.match(/Disallow: \/private\//g)).toHaveLength(2);
		expect(page).toContain('60 on 60 paths');
		expect(page).toContain('10 more: <code>wayleave report --json</code>');
		for (const variable of ['policyReads', 'manifestReads', 'tokensSaved', 'overfetched'])
			expect(page).not.toContain(variable);
	});

	it('says that denied requests were answered where the gateway only observed', async () => {
		const page = await pageOf([{ ...broken, action: 'pass', would: 'deny', status: 200 }]);
		expect(page).toContain('It only observed 1 of these');
	});

	it('says that no agent came', async () => {
		expect(await pageOf([])).toContain('no agent visited this site');
	});

	it('covers years without a column for each day', async () => {
		const ledger = await openLedger('sqlite::memory:');
		const years = { since: 0, until: period.until };
		ledger.record({ ...request, at: since });
		await ledger.flush();
		const { slices } = await readReport(ledger.db, 'https://shop.example', years);
		await ledger.close();
		expect(slices.length).toBeLessThanOrEqual(92);
		expect(slices.reduce((sum, { allowed }) => sum + allowed, 0)).toBe(1);
	});
});

describe('in a browser', () => {
	let browser: Browser;
	let address: string;
	beforeAll(async () => {
		const file = join(mkdtempSync(join(tmpdir(), 'wayleave-report-')), 'report.html');
		writeFileSync(file, await pageOf(month));
		address = pathToFileURL(file).href;
		browser = await chromium.launch({
			executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
			args: ['--no-sandbox'],
		});
	});
	afterAll(() => browser?.close());

	async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
		const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
		await page.goto(address);
		return page;
	}

	it.each([
		[390, 'light'],
		[390, 'dark'],
		[1280, 'light'],
		[1280, 'dark'],
		[2560, 'light'],
	] as const)(
		'U2-40 U2-42 %i pixels, %s: nothing is wider than the window, and axe finds no fault',
		async (width, colour) => {
			const page = await open(width, colour);
			// An open list of requests has the longest texts.
			for (const summary of await page.locator('summary').all()) await summary.click();
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
			// Its own policy lets no script in; the tools of the browser run this one.
			await page.evaluate(axe.source);
			const found = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
			expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
			await page.close();
		},
	);

	it('shows names and paths from outside as text', async () => {
		const page = await open(1280, 'light');
		let dialogs = 0;
		page.on('dialog', (dialog) => {
			dialogs++;
			void dialog.dismiss();
		});
		await page.reload();
		expect(await page.locator('script, img, iframe, a').count()).toBe(0);
		expect(await page.locator('main').textContent()).toContain('"><img src=x onerror=alert(1)>');
		expect(await page.content()).not.toContain('\u202e');
		expect(dialogs).toBe(0);
		await page.close();
	});
});
