// Draws docs/pictures/report-*.png: the page of `wayleave report --html` in Chromium, over a ledger with a made-up week,
// at three widths, light and dark. With a folder it draws the whole page there, and as PDF, to look at.
// Usage: tsx --conditions=wayleave-source scripts/pictures/report.ts [FOLDER]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatReportHtml, openLedger, readReport } from '@wayleave/gateway';
import { appearances, launchBrowser } from '../../apps/dashboard/src/testing/browser.ts';
import { madeUpWeek } from './made-up-week.ts';

const isWhole = process.argv[2] !== undefined;
const folder = process.argv[2] ?? join(import.meta.dirname, '../../docs/pictures');
const ledger = await openLedger('sqlite::memory:');
const until = Date.UTC(2026, 10, 30, 12);
for (const entry of madeUpWeek(until, 'a1b2c3d4e5f60718')) ledger.record(entry);
await ledger.flush();
const period = { since: until - 7 * 86_400_000, until };
const html = formatReportHtml(await readReport(ledger.db, 'https://harbour.example', period));
await ledger.close();
const file = join(mkdtempSync(join(tmpdir(), 'wayleave-report-')), 'report.html');
writeFileSync(file, html);
const browser = await launchBrowser();
for (const { width, isDark, name } of appearances) {
	const colorScheme = isDark ? 'dark' : 'light';
	const page = await browser.newPage({ viewport: { width, height: 1700 }, colorScheme });
	await page.goto(pathToFileURL(file).href);
	const path = join(folder, `report-${name.replace(' ', '-')}.png`);
	await page.screenshot({ path, fullPage: isWhole });
	await page.close();
}
if (isWhole) {
	const page = await browser.newPage();
	await page.goto(pathToFileURL(file).href);
	await page.pdf({ path: join(folder, 'report.pdf'), format: 'A4' });
}
await browser.close();
console.log(`wrote ${folder}/report-*.png`);
