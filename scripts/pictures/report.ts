// Draws docs/pictures/report.png: the page of `wayleave report --html` in Chromium, over a ledger with a made-up week.
// With a folder it draws the whole page there, at three widths, light and dark, and as PDF, to look at.
// Usage: tsx --conditions=wayleave-source scripts/pictures/report.ts [FOLDER]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatReportHtml, openLedger, readReport } from '@wayleave/gateway';
import { chromium } from 'playwright-core';
import { madeUpWeek } from './made-up-week.ts';

const folder = process.argv[2];
const ledger = await openLedger('sqlite::memory:');
const until = Date.UTC(2026, 10, 30, 12);
for (const entry of madeUpWeek(until, 'a1b2c3d4e5f60718')) ledger.record(entry);
await ledger.flush();
const period = { since: until - 7 * 86_400_000, until };
const html = formatReportHtml(await readReport(ledger.db, 'https://harbour.example', period));
await ledger.close();
const file = join(mkdtempSync(join(tmpdir(), 'wayleave-report-')), 'report.html');
writeFileSync(file, html);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
if (folder === undefined) await draw(join(import.meta.dirname, '../../docs/pictures/report.png'), 1280, 'light', false);
else {
	for (const width of [390, 1280, 1920]) {
		for (const colour of ['light', 'dark'] as const)
			await draw(join(folder, `report-${width}-${colour}.png`), width, colour, true);
	}
	const page = await browser.newPage();
	await page.goto(pathToFileURL(file).href);
	await page.pdf({ path: join(folder, 'report.pdf'), format: 'A4' });
}
await browser.close();

async function draw(path: string, width: number, colorScheme: 'light' | 'dark', fullPage: boolean): Promise<void> {
	const page = await browser.newPage({ viewport: { width, height: 1700 }, colorScheme });
	await page.goto(pathToFileURL(file).href);
	await page.screenshot({ path, fullPage });
	await page.close();
}
