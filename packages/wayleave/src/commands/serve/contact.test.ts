import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ForwardProxy, startForwardProxy } from '../../../../io/src/testing/forward-proxy.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { type Recorder, recordingTerminal } from '../../testing/recorder.ts';

let site: Server;
let port: number;
let agents: (string | undefined)[];
let running: { terminal: Recorder; ended: Promise<number>; url: string } | undefined;
let proxy: ForwardProxy | undefined;

beforeEach(async () => {
	agents = [];
	site = createServer(({ url, headers }, response) => {
		agents.push(headers['user-agent']);
		response.writeHead(url === '/' ? 200 : 404, { 'Content-Type': 'text/html' });
		response.end('<!doctype html><title>T</title><main><p>Some words of this page.</p></main>');
	}).listen(0, '127.0.0.1');
	await once(site, 'listening');
	port = (site.address() as AddressInfo).port;
});
afterEach(async () => {
	running?.terminal.interrupt();
	await running?.ended;
	running = undefined;
	await proxy?.close();
	proxy = undefined;
	site.close();
});

async function serve(flags: string, env: Record<string, string> = {}) {
	const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-serve-')), env);
	const line = `serve --open --listen 127.0.0.1:0 --allow-private localhost --allow-private 127.0.0.1 ${flags}`;
	const ended = run(line.trim().split(' '), terminal, commands);
	for (let times = 0; times < 2500 && !terminal.stderr().includes('serving at'); times++)
		await new Promise((resolve) => setTimeout(resolve, 20));
	const url = /serving at (\S+)/.exec(terminal.stderr())?.[1] ?? '';
	running = { terminal, ended, url };
	return { url, said: terminal.stderr };
}

async function document(service: string, url: string) {
	const response = await fetch(`${service}/v1/aidocument`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ url }),
	});
	return { status: response.status, body: (await response.json()) as { code?: string; title?: string } };
}

it('U2-39: without a contact nothing but this machine is fetched, and the page shows no dead address', async () => {
	const { url, said } = await serve('');
	expect(said()).toContain('no contact: only this machine');
	expect(await document(url, 'http://harbour.invalid/')).toMatchObject({
		status: 503,
		body: { code: 'no-contact', title: expect.stringContaining('--contact') },
	});
	const page = await (await fetch(`${url}/bot`)).text();
	expect(page).not.toMatch(/wayleave\.example|http:\/\/localhost\//);
	expect((await document(url, `http://127.0.0.1:${port}/`)).status).toBe(200);
	expect(agents.every((agent) => agent === 'AIWebIndex/2.0 (+http://localhost/; Wayleave)')).toBe(true);
}, 60_000);

it('a contact that no site can reach is named, with what it lacks', async () => {
	const { said } = await serve('--contact me@example.com');
	expect(said()).toContain(
		'me@example.com is not a reachable contact (its host name is reserved or private): only this',
	);
	expect(said()).not.toContain('no contact');
}, 60_000);

it('U2-39: --public-url is its own page, which names the contact', async () => {
	const { url, said } = await serve('--public-url https://index.crawler.dev --contact ops@crawler.dev');
	expect(said()).not.toContain('no contact');
	await document(url, `http://127.0.0.1:${port}/`);
	expect(agents[0]).toBe('AIWebIndex/2.0 (+https://index.crawler.dev/bot; Wayleave)');
	const page = await (await fetch(`${url}/bot`)).text();
	expect(page).toContain('ops@crawler.dev');
	expect(page).toContain('+https://index.crawler.dev/bot;');
	expect(page).not.toContain('wayleave.example');
	expect((await document(url, 'http://harbour.invalid/')).body.code).not.toBe('no-contact');
}, 60_000);

it('ignores HTTP_PROXY, and goes through --proxy', async () => {
	proxy = await startForwardProxy();
	const own = '--i-own-this-site 127.0.0.1 --delay 0';
	const { url } = await serve(own, { HTTP_PROXY: proxy.url, http_proxy: proxy.url });
	expect((await document(url, `http://127.0.0.1:${port}/`)).status).toBe(200);
	expect(proxy.log).toEqual([]);
	running?.terminal.interrupt();
	await running?.ended;
	const named = await serve(`${own} --proxy ${proxy.url}`);
	expect((await document(named.url, `http://127.0.0.1:${port}/`)).status).toBe(200);
	expect(proxy.log[0]).toBe(`GET http://127.0.0.1:${port}/robots.txt`);
	expect((await document(named.url, 'http://10.0.0.1/')).body.code).toBe('private-address');
}, 60_000);
