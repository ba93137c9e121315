// Draws docs/pictures/site-*.png: the site view of the dashboard in Chromium, over a made-up ledger.
// Usage: npm run pictures, or tsx --conditions=wayleave-source scripts/pictures/dashboard.ts [REQUESTS] [FOLDER] [LEDGER]
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appearances, launchBrowser, openView, settled } from '../../apps/dashboard/src/testing/browser.ts';
import { startSeededDashboard } from '../../packages/wayleave/src/commands/gateway/testing/seeded-dashboard.ts';

const [, , requests = '1000000', folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url)), ledger] =
	process.argv;

/** Pixels: of a long list its beginning shows all there is to see. */
const maxHeight = 1300;

/** Views by the name of their picture; those in the documentation come in all appearances. */
const views: Readonly<Record<string, string>> = {
	overview: '?period=7d',
	traffic: '?view=traffic&period=30d',
	agents: '?view=agents&period=7d',
	agent: '?view=agents&period=7d&agent=Bytespider',
	requests: '?view=requests&period=7d&broken=1',
	rules: '?view=rules&period=7d',
	identity: '?view=identity&period=7d',
	asks: '?view=asks&period=7d',
	honeypots: '?view=honeypots&period=7d',
	pages: '?view=pages&period=7d&purpose=assistant',
	savings: '?view=savings&period=7d',
	assistants: '?view=assistants&period=30d',
	policy: '?view=policy&version=c4559e12&file=robots.txt&line=3',
	health: '?view=health',
};

mkdirSync(folder, { recursive: true });
const { url, close } = await startSeededDashboard(Number(requests), ledger);
const browser = await launchBrowser();
for (const { name: appearance, ...options } of appearances) {
	const page = await openView(browser, url, options);
	for (const [name, query] of Object.entries(views)) {
		await page.setViewportSize({ width: options.width, height: 900 });
		await page.goto(url + query);
		await settled(page);
		const height = await page.evaluate(() => document.documentElement.scrollHeight);
		await page.setViewportSize({ width: options.width, height: Math.min(height, maxHeight) });
		await page.waitForTimeout(100);
		const path = resolve(join(folder, `site-${name}-${appearance.replace(' ', '-')}.png`));
		await page.screenshot({ path });
		console.log(`wrote ${path}`);
	}
	await page.close();
}
await browser.close();
await close();
