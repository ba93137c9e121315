// Draws docs/pictures/dashboard.png: the dashboard in Chromium, over a ledger with a made-up week.
// Usage: npm run pictures
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkConfig, type Entry, openGateway } from '@wayleave/gateway';
import { chromium } from 'playwright-core';
import { buildDashboard } from '../../apps/dashboard/build.ts';
import { readDashboardFiles } from '../../packages/wayleave/src/gateway/dashboard-files.ts';
import { serveDashboard } from '../../packages/wayleave/src/gateway/dashboard-server.ts';

const picture = fileURLToPath(new URL('../../docs/pictures/dashboard.png', import.meta.url));
const hour = 3_600_000;

interface Visitor {
	readonly agent: string | null;
	readonly outcome: Entry['outcome'];
	readonly address: string;
	/** Requests in the week. */
	readonly requests: number;
	/** Of 100 requests, how many are for the file of terms, in a cheap form, and against a rule. */
	readonly reads: number;
	readonly cheap: number;
	readonly broken: number;
}

const visitors: readonly Visitor[] = [
	{ agent: 'GPTBot', outcome: 'verified', address: '203.0.113.20', requests: 820, reads: 3, cheap: 40, broken: 0 },
	{ agent: 'ClaudeBot', outcome: 'verified', address: '198.51.100.7', requests: 610, reads: 4, cheap: 55, broken: 0 },
	{ agent: 'PerplexityBot', outcome: 'verified', address: '192.0.2.61', requests: 240, reads: 5, cheap: 30, broken: 0 },
	{ agent: 'ExampleBot', outcome: 'unverified', address: '203.0.113.99', requests: 190, reads: 0, cheap: 0, broken: 9 },
	{
		agent: 'SampleSpider',
		outcome: 'unverified',
		address: '198.51.100.180',
		requests: 95,
		reads: 1,
		cheap: 0,
		broken: 14,
	},
	{ agent: 'Googlebot', outcome: 'spoofed', address: '192.0.2.200', requests: 60, reads: 0, cheap: 0, broken: 0 },
];

/** The same numbers in each run. */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

function* week(until: number, policy: string): Generator<Entry> {
	const random = seeded(7);
	for (const visitor of visitors) {
		for (let count = 0; count < visitor.requests; count++) {
			// More by day than by night.
			const day = Math.floor(random() * 7);
			const time = 12 + 7 * (random() + random() + random() - 1.5);
			const at = Math.round(until - (day + 1) * 24 * hour + time * hour);
			yield entry(visitor, at, random() * 100, random(), policy);
		}
	}
}

function entry(visitor: Visitor, at: number, dice: number, pick: number, policy: string): Entry {
	const { agent, outcome, address, reads, cheap, broken } = visitor;
	const isRead = dice < reads;
	const isCheap = !isRead && dice < reads + cheap;
	const isBroken = !isRead && !isCheap && dice < reads + cheap + broken;
	const isDenied = isBroken || outcome === 'spoofed';
	const pages = ['/', '/reports/tides', '/reports/surge-2026', '/docs/install', '/docs/wiring', '/blog/seiche'];
	const page = pages[Math.floor(pick * pages.length)] ?? '/';
	return {
		at,
		client: address,
		agent,
		categories: 'ai-assistant',
		purpose: 'agent',
		outcome,
		evidence: JSON.stringify({ address, claimed: agent }),
		address,
		method: 'GET',
		path: isRead ? '/robots.txt' : isBroken ? `/members/${Math.floor(pick * 400)}` : page,
		action: isRead ? 'file' : isDenied ? 'deny' : isCheap ? 'som' : 'pass',
		would: null,
		reason: outcome === 'spoofed' ? 'spoofed' : isBroken ? 'not-permitted' : null,
		status: isDenied ? 403 : 200,
		bytes: isDenied ? 420 : isCheap ? 6_200 : 38_000,
		bytesSaved: isCheap ? 31_800 : 0,
		tokensSaved: isCheap ? 5_900 : 0,
		policy: reads > 0 ? policy : null,
		inForce: policy,
		ruleSource: isBroken ? 'https://harbour.example/robots.txt' : null,
		ruleLine: isBroken ? 3 : null,
		ruleText: isBroken ? 'Disallow: /members/' : null,
		violation: isBroken ? 1 : 0,
		excuse: null,
		early: 0,
		asked: null,
		answer: null,
		revision: null,
	};
}

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
const policy = running.gateway().published().edition.version;
for (const each of week(Date.now(), policy)) running.ledger.record(each);
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
