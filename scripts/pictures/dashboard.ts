// Draws docs/pictures/dashboard.png: the dashboard in Chromium, over a ledger with a made-up week.
// Usage: npm run pictures
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkConfig, openGateway } from '@wayleave/gateway';
import { chromium } from 'playwright-core';
import { buildDashboard } from '../../apps/dashboard/build.ts';
import { readDashboardFiles } from '../../packages/wayleave/src/commands/gateway/dashboard-files.ts';
import { serveDashboard } from '../../packages/wayleave/src/commands/gateway/dashboard-server.ts';
import { madeUpWeek } from './made-up-week.ts';

const picture = fileURLToPath(new URL('../../docs/pictures/dashboard.png', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'wayleave-picture-'));
await buildDashboard(folder);
const files = readDashboardFiles(folder);
if (files === undefined) throw new Error('the dashboard was not built');
const site = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
await new Promise((resolve) => site.once('listening', resolve));
const config = checkConfig({
	origin: 'https://harbour.example',
	paths: { disallow: ['/members/'] },
	policy: { crawl: 'yes', read: 'yes', train: 'no' },
	rate: { default: 30 },
	identity: { verify: { ranges: false, reverseDns: false, signatures: false } },
	ledger: { store: `sqlite:${join(folder, 'ledger.db')}` },
});
const running = await openGateway(config, { upstream: `http://127.0.0.1:${(site.address() as AddressInfo).port}` });
const policy = running.gateway().published().policyVersion.version;
for (const each of madeUpWeek(Date.now(), policy)) running.ledger.record(each);
await running.ledger.flush();
const at = { host: '127.0.0.1', port: 0 };
const { address, server } = await serveDashboard({ at, running, observing: false, files });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 1150 }, colorScheme: 'light' });
await page.goto(`http://127.0.0.1:${address.port}/.wayleave/`);
await page.locator('input[name=period][value="7d"]').check();
await page.waitForSelector('#agents table');
await page.waitForTimeout(2500);
await page.screenshot({ path: picture });
await browser.close();
server.close().closeAllConnections();
site.close().closeAllConnections();
await running.close(100);
console.log(`wrote ${picture}`);
