import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crawl as crawlPages, systemClock } from '@wayleave/crawler';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { type Recorder, recordingTerminal } from '../testing/recorder.ts';

// Our crawler comes to our gateway, whose policy wants to be asked: what passes between them, and what comes of it.

const page = (path: string) =>
	`<!doctype html><html lang="en"><title>${path}</title><main><h1>${path}</h1>${'<p>A sentence that is long enough to be read as content by anybody who comes along.</p>'.repeat(4)}<p><a href="/docs/a">a</a> <a href="/docs/b">b</a> <a href="/other">other</a></p></main></html>`;

let folder: string;
let site: http.Server;
let origin: string;
/** Pages that came through to the site. */
let read: string[];
let gateway: { terminal: Recorder; ended: Promise<number> } | undefined;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-ask-'));
	read = [];
	site = http.createServer((request, response) => {
		const path = request.url!;
		if (!/^\/(?:docs\/\w+|other)?$/.test(path)) return void response.writeHead(404).end();
		read.push(path);
		response.setHeader('content-type', 'text/html').end(page(path));
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	origin = `http://127.0.0.1:${await freePort()}`;
});

afterEach(async () => {
	gateway?.terminal.interrupt();
	await gateway?.ended;
	gateway = undefined;
	await new Promise((resolve) => site.close(resolve).closeAllConnections());
	rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
	const server = net.createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

async function startGateway(ask: object, policy: object = { crawl: 'yes', read: 'ask' }) {
	const identity = { verify: { ranges: false, reverseDns: false, signatures: false } };
	writeFileSync(join(folder, 'wayleave.config.yaml'), JSON.stringify({ origin, identity, policy, ask }));
	const terminal = recordingTerminal(folder);
	const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const args = ['gateway', '--upstream', upstream, '--listen', new URL(origin).host];
	const ended = run(args, terminal, commands);
	gateway = { terminal, ended };
	for (let times = 0; times < 500 && !terminal.stderr().includes('is served at'); times++) await sleep(20);
}

interface Line {
	type: string;
	url?: string;
	decision?: string;
	scopes?: string[];
	reason?: string;
	outcome?: string;
	evidence?: { text: string; mechanism: string }[];
}

/** One run of the command; what it told. */
async function crawl(...more: string[]) {
	const terminal = recordingTerminal(folder);
	const args = ['crawl', `${origin}/`, '--delay', '0', '--out', 'pages.jsonl', '--no-sitemaps', '--json', ...more];
	await run(args, terminal, commands);
	const events = terminal
		.stdout()
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Line);
	const ends = events
		.filter(({ type }) => type === 'page')
		.map(({ url, outcome, reason }) => [url!.slice(origin.length), reason ?? outcome]);
	return { events, ends: Object.fromEntries(ends), asks: events.filter(({ type }) => type === 'ask') };
}

async function report() {
	gateway?.terminal.interrupt();
	await gateway?.ended;
	gateway = undefined;
	const terminal = recordingTerminal(folder);
	await run(['report', '--json'], terminal, commands);
	return JSON.parse(terminal.stdout()) as { agents: Record<string, unknown>[]; violations: object[] };
}

it('R2-40 R2-41 R2-51 our crawler asks our gateway, and keeps to the scopes of the answer', async () => {
	await startGateway({ read: { decision: 'allow', scopes: ['/docs/*', '/'], agents: ['Wayleave'] } });
	const { ends, asks } = await crawl();
	expect(ends).toEqual({
		'/': 'fetched',
		'/docs/a': 'fetched',
		'/docs/b': 'fetched',
		'/other': 'ask-out-of-scope',
	});
	expect(asks).toMatchObject([{ decision: 'allow', scopes: ['/docs/*', '/'] }]);
	expect(read.sort()).toEqual(['/', '/docs/a', '/docs/b']);
	const { agents, violations } = await report();
	expect(violations).toEqual([]);
	expect(agents).toMatchObject([{ judgement: 'kept', asks: 1, unasked: 0, disallowed: 0 }]);
}, 60_000);

it('R2-48 our gateway gives allow-once, and our crawler asks again for each page', async () => {
	await startGateway({ read: { decision: 'allow-once' } });
	const { ends, asks } = await crawl();
	expect(new Set(Object.values(ends))).toEqual(new Set(['fetched']));
	expect(asks.map(({ decision }) => decision)).toEqual(Array(4).fill('allow-once'));
	expect(await report()).toMatchObject({ violations: [], agents: [{ asks: 4, unasked: 0 }] });
}, 60_000);

it.each([
	['R2-44', 'is denied', { read: { decision: 'deny' } }, 'X-Robots2-Decision: deny'],
	['AMB-58', 'is not the one who is meant', { read: { decision: 'allow', agents: ['Other'] } }, 'X-Robots2-Decision'],
])(
	'%s who %s reads nothing, and is told why',
	async (_, __, ask, text) => {
		await startGateway(ask);
		const { events, ends } = await crawl();
		expect(ends).toEqual({ '/': 'ask-denied' });
		expect(read).toEqual([]);
		const refused = events.find(({ type }) => type === 'page');
		expect(refused?.evidence).toMatchObject([
			{ text: expect.stringContaining('read: ask') },
			{ mechanism: 'ask', text: expect.stringContaining(text) },
		]);
	},
	60_000,
);

it('R2-47 an answer is kept in the store for other runs, and asked for again once it has expired', async () => {
	await startGateway({ read: { decision: 'allow' } });
	const asksAfter = async (hours: number) => {
		const clock = { ...systemClock, now: () => Date.now() + hours * 3600_000 };
		const store = `sqlite:${join(folder, 'kept.db')}`;
		const visits = crawlPages([`${origin}/`], { store, clock, delay: 0, sitemaps: false, maxPages: 1, refresh: true });
		let asks = 0;
		visits.on('ask', () => asks++);
		expect((await visits.run()).totals.refused).toBe(0);
		return asks;
	};
	expect([await asksAfter(0), await asksAfter(23), await asksAfter(25)]).toEqual([1, 0, 1]);
}, 60_000);

it('the document has the granted permission', async () => {
	await startGateway({ train: { decision: 'allow' } }, { crawl: 'yes', read: 'yes', train: 'ask' });
	expect((await crawl('--max-pages', '1', '--use', 'read,train')).ends).toEqual({ '/': 'fetched' });
	const line = JSON.parse(readFileSync(join(folder, 'pages.jsonl'), 'utf8').split('\n')[0]!) as { policy: object };
	expect(line.policy).toMatchObject({ uses: { train: 'allow' }, because: [{}, { mechanism: 'ask' }] });
}, 60_000);
