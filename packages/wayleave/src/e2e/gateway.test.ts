import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerAllows, buildAskRequest, readAskResponse } from '@wayleave/protocols/robots2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { type Recorder, recordingTerminal } from '../testing/recorder.ts';

// The whole way: our crawler comes to a site through our gateway, and the report says how it behaved.

const text = (subject: string) =>
	`<p>The ${subject} is described here in a sentence that is long enough to be read as content by anybody.</p>`.repeat(
		4,
	);
const page = (title: string, links: readonly string[]) =>
	`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${text(title)}${links
		.map((link) => `<p><a href="${link}">${link}</a></p>`)
		.join('')}</main></html>`;

let folder: string;
let site: http.Server;
let seen: string[];
let gateway: { terminal: Recorder; ended: Promise<number> } | undefined;
let origin: string;
let edition: string;
let edited: Set<string>;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-gateway-'));
	seen = [];
	edition = 'first';
	edited = new Set();
	site = http.createServer((request, response) => {
		seen.push(request.url!);
		if (request.url === '/robots.txt') {
			response.setHeader('content-type', 'text/plain');
			response.end('User-agent: *\nDisallow: /own-rule\nSitemap: http://127.0.0.1/none.xml\n');
		} else if (/^\/(?:docs\/\w+|other|private\/x|own-rule|trap)?$/.test(request.url!)) {
			response.setHeader('content-type', 'text/html');
			response.end(
				page(`${request.url} ${edited.has(request.url!) ? 'edited' : edition}`, [
					'/docs/a',
					'/docs/b',
					'/other',
					'/private/x',
					'/own-rule',
					'/trap',
				]),
			);
		} else response.writeHead(404).end();
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	origin = `http://127.0.0.1:${await freePort()}`;
});

afterEach(async () => {
	gateway?.terminal.interrupt();
	await gateway?.ended;
	gateway = undefined;
	await new Promise((resolve) => site.close(resolve).closeAllConnections());
});

async function freePort(): Promise<number> {
	const server = net.createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

async function startGateway(policy: object, ...more: string[]) {
	writeFileSync(join(folder, 'wayleave.config.yaml'), JSON.stringify({ origin, identity, ...policy }));
	return start(...more);
}

async function start(...more: string[]) {
	const terminal = recordingTerminal(folder);
	const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const listen = new URL(origin).host;
	const ended = run(['gateway', '--upstream', upstream, '--listen', listen, ...more], terminal, commands);
	gateway = { terminal, ended };
	await waitFor(() => terminal.stderr().includes('is served at'));
	return terminal;
}
// Nothing is looked up outside.
const identity = { verify: { ranges: false, reverseDns: false, signatures: false } };

async function waitFor(condition: () => boolean) {
	for (let times = 0; times < 500 && !condition(); times++) await new Promise((resolve) => setTimeout(resolve, 20));
	expect(condition()).toBe(true);
}

async function waitUntil(condition: () => Promise<boolean>) {
	let met = await condition();
	for (let times = 0; times < 200 && !met; times++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		met = await condition();
	}
	expect(met).toBe(true);
}

async function crawl(...more: string[]) {
	const terminal = recordingTerminal(folder);
	const args = ['crawl', `${origin}/`, '--delay', '0', '--out', 'pages.jsonl', '--outcomes', '--no-sitemaps', ...more];
	await run(args, terminal, commands);
	const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8').trim().split('\n');
	const results = lines.map((line) => JSON.parse(line) as { url: string; outcome: string; reason?: string });
	return Object.fromEntries(results.map(({ url, outcome, reason }) => [url.slice(origin.length), reason ?? outcome]));
}

async function report() {
	gateway?.terminal.interrupt();
	expect(await gateway?.ended).toBe(0);
	gateway = undefined;
	const terminal = recordingTerminal(folder);
	expect(await run(['report', '--json'], terminal, commands)).toBe(0);
	return JSON.parse(terminal.stdout()) as { agents: Record<string, unknown>[]; violations: object[] };
}

const typed = async (...argv: string[]) => {
	const terminal = recordingTerminal(folder);
	const code = await run(argv, terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
};

it('U2-36: a crawl of one’s own gateway under init’s policy says first what is not saved, by which line, and ends with 1', async () => {
	expect((await typed('init', '--yes', '--origin', origin)).code).toBe(0);
	await start();
	const { code, out, err } = await typed('crawl', `${origin}/`, '--delay', '0');
	expect(code).toBe(1);
	const [first] = err.split('\n').filter((text) => /saved|outcome|documents/.test(text));
	expect(first).toMatch(
		/^\d pages were read but not saved, because the site says store: session-only \(robots2\.txt:\d+\)\. Use --out - to pipe them on\.$/,
	);
	const line = Number(/robots2\.txt:(\d+)/.exec(err)?.[1]);
	const published = await (await fetch(`${origin}/robots2.txt`)).text();
	expect(published.split('\n')[line - 1]).toBe('store: session-only');
	expect(out).toContain('fetched');
	expect((await typed('crawl', `${origin}/`, '--delay', '0', '--out', '-', '--store', 'sqlite:piped.db')).code).toBe(0);
}, 60_000);

it.each([
	['init’s policy', undefined],
	['a policy without a manifest', { policy: { crawl: 'yes', read: 'yes', train: 'no' } }],
])(
	'G2-86: check-live --gateway passes for %s before a site with rules of its own',
	async (_, policy) => {
		if (policy === undefined) await typed('init', '--yes', '--origin', origin);
		await (policy === undefined ? start() : startGateway(policy));
		const passed = await typed('check-live', origin, '--gateway');
		expect(passed.out).toBe('');
		expect(passed.code).toBe(0);
		gateway?.terminal.interrupt();
		await gateway?.ended;
		gateway = undefined;
		// Another gateway's terms are still noticed.
		await startGateway({ policy: { crawl: 'yes', read: 'yes', train: 'yes' }, paths: { disallow: ['/private'] } });
		writeFileSync(
			join(folder, 'meant.yaml'),
			JSON.stringify({ origin, policy: { crawl: 'yes', read: 'no', train: 'no' } }),
		);
		expect((await typed('check-live', origin, '--gateway', '--config', 'meant.yaml')).code).toBe(1);
	},
	60_000,
);

it('G2-91: init’s policy slows no client down unless a rate was chosen, and says no Crawl-delay', async () => {
	await typed('init', '--yes', '--origin', origin);
	await start();
	const googlebot = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
	const robots = await (await fetch(`${origin}/robots.txt`)).text();
	expect(robots).not.toMatch(/crawl-delay/i);
	for (let times = 0; times < 40; times++)
		expect((await fetch(`${origin}/docs/a`, { headers: googlebot })).status).not.toBe(429);
}, 60_000);

it('our crawler reads the terms and is found to have kept every rule', async () => {
	await startGateway({
		paths: { disallow: ['/private'] },
		honeypots: ['/trap'],
		policy: { crawl: 'yes', read: 'yes', store: 'yes', train: 'no' },
	});
	expect(await crawl()).toMatchObject({
		'/': 'fetched',
		'/docs/a': 'fetched',
		'/docs/b': 'fetched',
		'/private/x': 'robots-disallow',
		'/own-rule': 'robots-disallow',
		'/trap': 'robots-disallow',
		'/other': 'fetched',
	});
	const controls = ['/robots.txt', '/llms.txt', '/.well-known/pagedigest.json'];
	expect(seen.filter((path) => !controls.includes(path)).sort()).toEqual(['/', '/docs/a', '/docs/b', '/other']);
	const { agents, violations } = await report();
	expect(violations).toEqual([]);
	expect(agents).toMatchObject([{ judgement: 'kept', pages: 4, disallowed: 0, honeypots: 0, unasked: 0 }]);
}, 60_000);

it('a client that keeps no rule is denied, recorded and reported, and people notice nothing', async () => {
	const terminal = await startGateway({ paths: { disallow: ['/private'] }, honeypots: ['/trap'] }, '--json');
	const get = async (path: string, userAgent: string) =>
		(await fetch(origin + path, { headers: { 'user-agent': userAgent } })).status;
	expect(await get('/private/x', 'GPTBot/1.2')).toBe(403);
	expect(await get('/own-rule', 'GPTBot/1.2')).toBe(403);
	expect(await get('/trap', 'GPTBot/1.2')).toBe(200);
	expect(await get('/private/x', 'Mozilla/5.0 Firefox/140')).toBe(200);
	expect(terminal.stdout().trim().split('\n')).toHaveLength(3);
	const { agents, violations } = await report();
	expect(agents).toMatchObject([{ agent: 'GPTBot', judgement: 'broken', disallowed: 2, honeypots: 1 }]);
	expect(violations).toHaveLength(3);
	const mail = recordingTerminal(folder);
	await run(['report', '--agent', 'GPTBot', '--submission', 'mail', '--html', 'r.html'], mail, commands);
	expect(mail.stdout()).toMatch(/Subject: 127\.0\.0\.1.*GPTBot[\s\S]*\/trap[\s\S]*address: {3}127\.0\.0\.1/);
	expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('GPTBot');
}, 60_000);

it('R2-43 R2-49 a permission asked for over HTTP opens the pages in its scopes', async () => {
	await startGateway({
		policy: { crawl: 'yes', read: 'ask' },
		ask: { read: { decision: 'allow', scopes: ['/docs/*'], agents: ['PoliteBot'] } },
	});
	const asked = buildAskRequest(`${origin}/`, 'read', { name: 'PoliteBot', version: '1.0', category: 'ai-assistant' });
	const response = await fetch(asked.url, { method: asked.method, headers: asked.headers });
	const answer = readAskResponse({ status: response.status, headers: response.headers });
	expect(answer).toMatchObject({ decision: 'allow', scopes: ['/docs/*'], maxAge: 86_400 });
	for (const path of ['/docs/a', '/other']) {
		const { status } = await fetch(origin + path, { headers: asked.headers });
		expect([path, status]).toEqual([path, answerAllows(answer, origin + path) ? 200 : 403]);
	}
	const { agents } = await report();
	expect(agents).toMatchObject([{ agent: 'PoliteBot', asks: 1, disallowed: 1, unasked: 0 }]);
}, 30_000);

it('PD-01 PD-05 PD-20 the manifest names what was served, and follows an edit', async () => {
	await startGateway({ pagedigest: {} });
	const get = (path: string) => fetch(origin + path, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140' } });
	const revision = async (path: string) => {
		const { entries } = (await (await get('/.well-known/pagedigest.json')).json()) as {
			entries: Record<string, { rev: number }>;
		};
		return entries[path]?.rev;
	};
	expect((await get('/docs/a')).headers.get('link')).toContain('rel="https://pagedigest.org/rel"');
	await waitUntil(async () => (await revision('/docs/a')) === 1);
	edition = 'second';
	await new Promise((resolve) => setTimeout(resolve, 1100));
	await (await get('/docs/a')).text();
	await waitUntil(async () => (await revision('/docs/a')) === 2);
}, 30_000);

it('PD-30 PD-31 after an edit our crawler asks for the one page that the manifest says has moved', async () => {
	await startGateway({ pagedigest: {} });
	const manifest = async () => {
		const response = await fetch(`${origin}/.well-known/pagedigest.json`);
		return (await response.json()) as { entries: Record<string, { rev: number }> };
	};
	const pages = ['/', '/docs/a', '/docs/b', '/other', '/private/x', '/own-rule', '/trap'];
	const open = pages.filter((path) => path !== '/own-rule');
	/** What of the pages the site itself is asked for in one run. */
	const crawled = async () => {
		seen = [];
		await crawl('--audit-rate', '0');
		return seen.filter((path) => pages.includes(path)).sort();
	};
	expect(await crawled()).toEqual(open);
	await waitUntil(async () => Object.keys((await manifest()).entries).length === open.length);
	// Now the crawler knows which revisions it has.
	await crawled();
	expect(await crawled()).toEqual([]);
	edited.add('/docs/a');
	await new Promise((resolve) => setTimeout(resolve, 1100));
	await (await fetch(`${origin}/docs/a`, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140' } })).text();
	await waitUntil(async () => (await manifest()).entries['/docs/a']!.rev === 2);
	expect(await crawled()).toEqual(['/docs/a']);
	expect(await crawled()).toEqual([]);
	expect((await report()).violations).toEqual([]);
}, 120_000);

it('SOM-18 SOM-24 a site that offers nothing but its endpoint is read through it, and no rule is broken', async () => {
	await startGateway({ paths: { disallow: ['/'] }, som: { endpoint: '/v1/som', offerDisallowed: true } });
	const ends = await crawl();
	expect(ends).toMatchObject({ '/': 'fetched', '/docs/a': 'fetched', '/docs/b': 'fetched', '/other': 'fetched' });
	const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8').trim().split('\n');
	for (const line of lines.map((each) => JSON.parse(each) as { outcome: string; representation?: object })) {
		if (line.outcome === 'fetched') expect(line.representation).toMatchObject({ kind: 'som', why: 'page-disallowed' });
	}
	const { agents, violations } = await report();
	expect(violations).toEqual([]);
	expect(agents).toMatchObject([{ judgement: 'kept', disallowed: 0 }]);
}, 60_000);

it('SIGHUP puts another policy into force, and a broken one changes nothing', async () => {
	// Servers that other tests have started in this process end with it, and take the signal for its end.
	const others = process.listeners('SIGHUP');
	const terminal = await startGateway({});
	const hangUp = () => {
		for (const listener of process.listeners('SIGHUP')) if (!others.includes(listener)) listener('SIGHUP');
	};
	const status = async () => (await fetch(`${origin}/docs/a`, { headers: { 'user-agent': 'GPTBot/1' } })).status;
	expect(await status()).toBe(200);
	const file = join(folder, 'wayleave.config.yaml');
	writeFileSync(file, JSON.stringify({ origin, identity, paths: { disallow: ['/docs'] } }));
	hangUp();
	await waitFor(() => terminal.stderr().includes('reloaded: policy version'));
	expect(await status()).toBe(403);
	writeFileSync(file, 'origin: [');
	hangUp();
	await waitFor(() => terminal.stderr().includes('not reloaded'));
	expect(await status()).toBe(403);
}, 30_000);

it('wrong usage is told before anything starts', async () => {
	const usage = async (...args: string[]) => {
		const terminal = recordingTerminal(folder);
		return [await run(args, terminal, commands), terminal.stderr()] as const;
	};
	const base = ['gateway', '--origin', origin];
	expect(await usage(...base)).toEqual([2, expect.stringContaining('--upstream')]);
	expect(await usage(...base, '--upstream', 'http://a/b')).toEqual([2, expect.stringContaining('without a path')]);
	expect(await usage(...base, '--upstream', 'http://a', '--listen', 'x')).toEqual([
		2,
		expect.stringContaining('ADDRESS:PORT'),
	]);
	expect(await usage(...base, '--upstream', 'http://a', '--tls-cert', 'x')).toEqual([
		2,
		expect.stringContaining('must be used together'),
	]);
	expect(await usage('report', '--origin', origin)).toEqual([3, expect.stringContaining('the ledger does not exist')]);
	expect(await usage('report', '--json', '--csv', '--origin', origin)).toEqual([
		2,
		expect.stringContaining('choose one'),
	]);
});
