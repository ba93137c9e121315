// Draws docs/pictures/studio-*.png: the policy studio in Chromium, over a ledger with a made-up week.
// Usage: npm run pictures
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from '../../apps/dashboard/build.ts';
import { appearances, launchBrowser, openView, settled } from '../../apps/dashboard/src/testing/browser.ts';
import { startStudio } from '../../packages/wayleave/src/commands/gateway/testing/running-studio.ts';
import { readDashboardFiles } from '../../packages/wayleave/src/shared/dashboard-files.ts';
import { crawlers, madeUpWeek } from './made-up-week.ts';

const pictures = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'wayleave-picture-'));
await buildDashboard(folder);
const files = readDashboardFiles(folder);
if (files === undefined) throw new Error('the dashboard was not built');

const text = `# The terms of harbour.example for AI agents.

origin: https://harbour.example

# Who may fetch what.
paths:
  disallow: ["/members/"] # names and addresses
  agents:
    # They asked us not to list the archive.
    CCBot: { disallow: ["/archive"] }

# What may be done with pages.
policy:
  crawl: yes
  read: yes
  summarise: yes
  quote: short-only
  train: no
  store: session-only
  attribution: required

categories:
  search-indexer: { crawl: yes, read: yes, store: yes }

rate: { default: 60 }
identity: { verify: { ranges: false, reverseDns: false, signatures: false } }
reportTo: ["mailto:harbour@harbour.example"]
`;
const { url, close, key, ask, state } = await startStudio({
	text,
	files,
	entries: (version) => [...madeUpWeek(Date.now(), version), ...crawlers(Date.now(), version)],
});
/** Publishes a text, so that there are versions to see. */
async function publish(next: string, note: string): Promise<void> {
	const { file } = await state();
	const { status, json } = await ask('publish', { body: { text: next, note, base: file?.revision }, key });
	if (status !== 200) throw new Error(`the version was not published: ${JSON.stringify(json)}`);
}
await publish(text.replace('default: 60', 'default: 20'), 'Fewer requests while the site moves');
await publish(text, 'The move is over');
const browser = await launchBrowser();
const wanted = process.argv[2];
for (const { width, isDark, name } of appearances) {
	const page = await openView(browser, `${url}studio`, { width, isDark, height: width === 390 ? 844 : 1000 });
	const draw = async (part: string) => {
		if (wanted !== undefined && part !== wanted) return;
		await page.evaluate(() => scrollTo(0, 0));
		await page.waitForTimeout(300);
		const path = join(pictures, `studio-${part}-${name.replace(' ', '-')}.png`);
		// A dialog covers the window: the page below it is of no interest.
		await page.screenshot({ path, fullPage: width === 390 && part !== 'publish' });
	};
	const show = (tab: string) =>
		page.evaluate((next) => {
			history.pushState(null, '', `?tab=${next}`);
			dispatchEvent(new PopStateEvent('popstate'));
		}, tab);
	await page.getByText('Same as on disk').waitFor();
	await page.getByRole('group', { name: 'Access of Bytespider' }).getByRole('radio', { name: 'Block' }).click();
	await page.getByText('Bytespider: the whole site is now disallowed.').waitFor();
	await page.getByText('Not published yet').waitFor();
	await draw('switches');
	await show('week');
	await page.getByText(/more denied/).waitFor();
	await page.locator('.studio-panel details summary').first().click();
	await draw('week');
	await show('question');
	await page.locator('.editor-line.lit').waitFor();
	await draw('question');
	await show('files');
	await page.locator('.diff').waitFor();
	await draw('files');
	await show('versions');
	await page.getByRole('button', { name: 'Compare' }).first().click();
	await page.locator('.diff').waitFor();
	await draw('versions');
	await page.getByRole('button', { name: 'Publish …' }).click();
	await page.getByText('Changes in the policy file').click();
	await draw('publish');
	await settled(page);
	await page.close();
}
await browser.close();
await close();
console.log(`wrote ${pictures}studio-*.png`);
