import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ForwardProxy, startForwardProxy } from '../../../io/src/testing/forward-proxy.ts';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

let site: Server;
let proxy: ForwardProxy;
let port: number;

beforeAll(async () => {
	site = createServer((request, response) => {
		if (request.url === '/inside') return void response.writeHead(302, { Location: `http://localhost:${port}/` }).end();
		response.writeHead(request.url === '/' ? 200 : 404, { 'Content-Type': 'text/html' });
		response.end('<!doctype html><title>T</title><main><h1>T</h1><p>Some words of this page.</p></main>');
	}).listen(0, '127.0.0.1');
	await once(site, 'listening');
	port = (site.address() as AddressInfo).port;
	proxy = await startForwardProxy({ login: 'ann:s3cret' });
});
afterAll(async () => {
	site.close();
	await proxy.close();
});
beforeEach(() => {
	proxy.log.length = 0;
});

const withLogin = () => `http://ann:s3cret@127.0.0.1:${proxy.port}`;

async function type(line: string, env: Record<string, string>) {
	const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-proxy-')), env);
	const own = ['--i-own-this-site', 'harbour.test', '--delay', '0'];
	const exit = await run([...line.split(' '), ...own], terminal, commands);
	return { exit, out: terminal.stdout(), err: terminal.stderr() };
}

it.each([
	['fetch', 'HTTP_PROXY'],
	['fetch', 'http_proxy'],
	['crawl', 'HTTP_PROXY'],
	['som', 'HTTP_PROXY'],
	['check', 'HTTP_PROXY'],
	['lint', 'HTTP_PROXY'],
])('%s goes through %s', async (command, name) => {
	const { err } = await type(`${command} http://harbour.test:${port}/`, { [name]: withLogin() });
	expect(proxy.log[0]).toBe(`GET http://harbour.test:${port}/robots.txt`);
	expect(proxy.log.length).toBeGreaterThan(2);
	expect(err).not.toContain('s3cret');
});

it('--proxy goes before the environment, and none is none', async () => {
	const env = { HTTP_PROXY: 'http://127.0.0.1:1' };
	expect((await type(`fetch http://harbour.test:${port}/ --proxy ${withLogin()}`, env)).exit).toBe(0);
	proxy.log.length = 0;
	expect((await type(`fetch http://127.0.0.1:${port}/ --proxy none`, { HTTP_PROXY: withLogin() })).exit).toBe(0);
	expect(proxy.log).toEqual([]);
});

it('NO_PROXY goes straight', async () => {
	const env = { HTTP_PROXY: withLogin(), NO_PROXY: 'example.com,127.0.0.0/8' };
	expect((await type(`fetch http://127.0.0.1:${port}/`, env)).exit).toBe(0);
	expect(proxy.log).toEqual([]);
});

it('a private name or address that nobody has typed is refused before the proxy hears of it', async () => {
	const { exit, err } = await type(`fetch http://harbour.test:${port}/inside`, { HTTP_PROXY: withLogin() });
	expect(exit).toBe(1);
	expect(err).toContain('private-address');
	expect(proxy.log.filter((line) => line.includes('localhost'))).toEqual([]);
});

it.each([
	['http://127.0.0.1:1', 'the proxy 127.0.0.1:1 refused the connection'],
	['http://ann:wr0ng@127.0.0.1:PORT', 'rejected the user name and password'],
	['http://127.0.0.1:PORT', 'requires a user name and password'],
])('explains the fault of %s, without a password', async (address, sentence) => {
	const url = address.replace('PORT', String(proxy.port));
	for (const command of ['fetch', 'check', 'lint']) {
		const { exit, out, err } = await type(`${command} http://harbour.test:${port}/`, { HTTP_PROXY: url });
		expect(exit).toBeGreaterThan(0);
		expect(out + err).toContain(sentence);
		expect(out + err).not.toMatch(/wr0ng|s3cret/);
	}
});

it.each(['socks5://ann:s3cret@127.0.0.1:1', 'http://', 'ann:s3cret@:x'])(
	'%s is refused by its name',
	async (address) => {
		const variable = await type(`fetch http://harbour.test:${port}/`, { HTTP_PROXY: address });
		expect(variable).toMatchObject({ exit: 2, err: expect.stringContaining('HTTP_PROXY') });
		const flag = await type(`fetch http://harbour.test:${port}/ --proxy ${address}`, {});
		expect(flag).toMatchObject({ exit: 2, err: expect.stringContaining('--proxy') });
		expect(variable.err + flag.err).not.toContain('s3cret');
	},
);
