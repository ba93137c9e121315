// Draws docs/pictures/crawl-*.png: the page of `wayleave crawl --ui` and `wayleave store ui` in Chromium, over a real
// crawl of sites on the loopback. The main views at three widths, light and dark; with a folder all views, whole.
// Usage: tsx --conditions=wayleave-source scripts/pictures/crawl.ts [FOLDER]
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreForReading } from '@wayleave/crawler';
import { createCrawlView, LiveCrawl, readSource } from '@wayleave/crawler/view';
import type { Page } from 'playwright-core';
import { buildDashboard } from '../../apps/dashboard/build.ts';
import { launchBrowser, openView } from '../../apps/dashboard/src/testing/browser.ts';
import { readDashboardFiles } from '../../packages/wayleave/src/shared/dashboard-files.ts';
import { servePage } from '../../packages/wayleave/src/shared/page-server.ts';
import { startHarbour } from '../../packages/wayleave/src/testing/harbour.ts';

const isWhole = process.argv[2] !== undefined;
const pictures = process.argv[2] ?? join(import.meta.dirname, '../../docs/pictures');
const folder = mkdtempSync(join(tmpdir(), 'wayleave-picture-'));
await buildDashboard(folder);
const files = readDashboardFiles(folder);
if (files === undefined) throw new Error('the page was not built');
const key = 'k'.repeat(32);
const store = `sqlite:${join(folder, 'harbour.db')}`;
const archive = join(folder, 'harbour.warc.gz');
const harbour = await startHarbour();
const browser = await launchBrowser();
const widths = [390, 1280, 1920];

/** Draws a view in all appearances. */
async function draw(name: string, address: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
	for (const width of widths) {
		for (const isDark of [false, true]) {
			const page = await openView(browser, address, { width, height: 1100, isDark });
			await prepare(page);
			await shoot(page, join(pictures, `${name}-${width}-${isDark ? 'dark' : 'light'}.png`));
			await page.close();
		}
	}
}

/** The documentation shows the beginning of a page: the whole of all of them is megabytes. */
async function shoot(page: Page, path: string): Promise<void> {
	if (isWhole) await page.screenshot({ path, fullPage: true });
	else await page.screenshot({ path });
}

async function serve(live?: LiveCrawl) {
	const reader = await openStoreForReading(store).catch(() => undefined);
	const opened = async () => reader ?? openStoreForReading(store);
	const options = { store: opened, storeName: 'harbour.db', files: files ?? new Map(), key, ...(live && { live }) };
	const show = createCrawlView({ ...options, readSource: (capture, url) => readSource(capture, url, archive) });
	const { address, server } = await servePage({ at: { host: '127.0.0.1', port: 0 }, show, elsewhere: '' });
	const at = (query = '') => `http://127.0.0.1:${address.port}/${query}#key=${key}`;
	return { at, close: () => server.close().closeAllConnections() };
}

// The first crawl, at work: pages take a moment, so that there is something to see.
harbour.delay = 350;
const stop = new AbortController();
const watch = {};
const running = harbour.crawl(store, { signal: stop.signal, concurrency: 4, watch }, archive);
const live = new LiveCrawl(running);
const ending = running.run();
await new Promise((resolve) => setTimeout(resolve, 9000));
const atWork = await serve(live);
await draw('crawl-live', atWork.at());
if (isWhole) await draw('crawl-hosts', atWork.at('?view=hosts'));
atWork.close();
stop.abort();
await ending;
live.close();

// Two crawls more: the rest, and what changed.
harbour.delay = 0;
const short = () => ({ signal: AbortSignal.timeout(20_000), watch });
await harbour.crawl(store, short(), archive).run();
harbour.edition = 2;
await harbour.crawl(store, { ...short(), refresh: true }, archive).run();
const atRest = await serve();
const counted = (page: Page) => page.getByRole('button', { name: 'Count again' }).waitFor();
const read = (page: Page) =>
	page.waitForFunction(() => !/Reading/.test(document.querySelector('main')?.textContent ?? ''));
const of = (path: string) => `?view=url&url=${encodeURIComponent(harbour.url(path))}`;
await draw('crawl-store', atRest.at(), counted);
await draw('crawl-url', atRest.at(of('/tides')), read);
await draw('crawl-refused', atRest.at(of('/members/list')));
if (isWhole) await draw('crawl-unknown', atRest.at(of('/tides/spring')));
if (isWhole) await draw('crawl-urls', atRest.at('?view=urls&outcome=out-of-scope'), read);
await draw('crawl-left-out', atRest.at('?view=left-out'), counted);
await draw('crawl-changes', atRest.at('?view=changes'), read);
if (isWhole) await draw('crawl-watched', atRest.at('?view=changes&kind=watched'), read);
await draw('crawl-search', atRest.at('?view=search&text=breakwater'), read);
atRest.close();
await browser.close();
await harbour.close();
console.log(`wrote ${pictures}/crawl-*.png`);
process.exit();
