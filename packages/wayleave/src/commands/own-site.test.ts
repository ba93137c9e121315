import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findChromium } from '@wayleave/crawler';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

interface Seen {
	readonly host: string;
	readonly path: string;
	readonly secret: boolean;
}

const seen: Seen[] = [];
const servers: Server[] = [];
let own: string;
let other: string;

const page = (body: string) =>
	`<!doctype html><title>T</title><main><h1>T</h1><p>Some words of this page.</p>${body}</main>`;

async function serve(answer: (request: IncomingMessage) => string | { to: string } | undefined): Promise<string> {
	const server = createServer((request, response) => {
		const { authorization = '', cookie = '', 'x-token': token = '' } = request.headers;
		const secret = `${authorization}${cookie}${token}`.includes('s3cret');
		seen.push({ host: request.headers.host ?? '', path: request.url ?? '', secret });
		// A session is renewed in each response.
		if (secret) response.setHeader('Set-Cookie', 'sid=s3cret; Path=/');
		const given = answer(request);
		if (given === undefined) return void response.writeHead(404).end();
		if (typeof given !== 'string') return void response.writeHead(302, { Location: given.to }).end();
		response.writeHead(200, { 'Content-Type': request.url?.endsWith('.txt') ? 'text/plain' : 'text/html' }).end(given);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	servers.push(server);
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
	other = await serve(({ url }) => {
		if (url === '/robots2.txt' || url === '/robots.txt') return undefined;
		return url === '/back' ? { to: `http://${own}/a` } : page('other');
	});
	own = await serve(({ url }) => {
		if (url === '/') return page('<a href="/a">a</a> <a href="/away">away</a>');
		if (url === '/a') return page('a');
		if (url === '/away') return { to: `http://${other}/landed` };
		if (url === '/round') return { to: `http://${other}/back` };
		if (url === '/port') return { to: `http://localhost:${own.split(':')[1]}/a` };
		if (url === '/script')
			return page(`<script src="http://${other}/x.js"></script><script src="/y.js"></script><div id="x"></div>`);
		return undefined;
	});
});
afterAll(() => {
	for (const server of servers) server.close();
});
beforeEach(() => {
	seen.length = 0;
});

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'wayleave-own-'));
const login = ['--header', 'Authorization: Bearer s3cret', '--header', 'X-Token:s3cret'];

async function type(argv: string[], cwd = emptyFolder()) {
	const terminal = recordingTerminal(cwd);
	const exit = await run([...argv, '--delay', '0'], terminal, commands);
	return { exit, out: terminal.stdout(), err: terminal.stderr(), cwd };
}

const leaks = () => seen.filter(({ host, secret }) => secret && host !== own);
const files = (folder: string): string[] =>
	readdirSync(folder).flatMap((name) => {
		const path = join(folder, name);
		return statSync(path).isDirectory() ? files(path) : [path];
	});

describe('a login for one’s own site', () => {
	it('goes to the site that was named, its control files too, and never to where it redirects', async () => {
		const { exit } = await type([
			'crawl',
			`http://${own}/`,
			'--scope',
			'domain',
			'--i-own-this-site',
			'127.0.0.1',
			...login,
			'--out',
			'-',
		]);
		expect(exit).toBe(0);
		const asked = seen.filter(({ host }) => host === own);
		expect(asked.map(({ path }) => path)).toEqual(
			expect.arrayContaining(['/robots.txt', '/robots2.txt', '/', '/a', '/away']),
		);
		expect(asked.every(({ secret }) => secret)).toBe(true);
		expect(leaks()).toEqual([]);
	});

	it('is not sent to another host name or port by a redirect, nor to that host’s control files', async () => {
		const local = own.replace('127.0.0.1', 'localhost');
		await type(['fetch', `http://${own}/away`, '--i-own-this-site', own, ...login]);
		const seeds = [`http://${own}/port`, `http://${local}/robots.txt`];
		await type(['crawl', ...seeds, '--i-own-this-site', own, ...login, '--out', '-']);
		expect(seen.map(({ host, path }) => host + path)).toContain(`${local}/a`);
		expect(seen.map(({ host }) => host)).toContain(other);
		expect(leaks()).toEqual([]);
		expect(seen.some(({ secret }) => secret)).toBe(true);
	});

	it('is renewed in a chain over two ports, and goes to the named one only', async () => {
		const { exit } = await type(['fetch', `http://${own}/round`, '--i-own-this-site', own, ...login]);
		expect(exit).toBe(0);
		expect(seen.find(({ path }) => path === '/back')).toEqual({ host: other, path: '/back', secret: false });
		expect(seen.at(-1)).toEqual({ host: own, path: '/a', secret: true });
		expect(leaks()).toEqual([]);
	});

	it('is in no archive, no store, no file, no event and no message', async () => {
		const cwd = emptyFolder();
		const { out, err } = await type(
			[
				'crawl',
				`http://${own}/`,
				'--i-own-this-site',
				'127.0.0.1',
				...login,
				'--warc',
				'all.warc.gz',
				'--json',
				'--outcomes',
			],
			cwd,
		);
		expect(out + err).not.toContain('s3cret');
		const kept = files(cwd);
		expect(kept.length).toBeGreaterThan(2);
		for (const path of kept) {
			const bytes = readFileSync(path);
			const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('latin1') : bytes.toString('latin1');
			expect(text, path).not.toMatch(/s3cret/);
			if (path.endsWith('.gz'))
				expect(text).toMatch(/^GET \/a HTTP\/1\.1\r\n(?!(?:[^\r]+\r\n)*(?:authorization|x-token))/im);
		}
		expect(leaks()).toEqual([]);
	});

	it.each(['check', 'lint', 'som'])('%s has it as well', async (command) => {
		await type([command, `http://${own}/`, '--i-own-this-site', own, ...login]);
		expect(seen.length).toBeGreaterThan(1);
		expect(seen.every(({ secret }) => secret)).toBe(true);
	});

	it.skipIf(findChromium() === undefined)(
		'the browser sends it to the site of the page, and to no other',
		async () => {
			const { exit } = await type([
				'fetch',
				`http://${own}/script`,
				'--render',
				'always',
				'--i-own-this-site',
				own,
				...login,
			]);
			expect(exit).toBe(0);
			expect(seen.find(({ path }) => path === '/y.js')).toMatchObject({ secret: true });
			expect(seen.find(({ path }) => path === '/x.js')).toMatchObject({ host: other });
			expect(leaks()).toEqual([]);
		},
		60_000,
	);

	it('is for sites that were named only', async () => {
		const { exit, err } = await type(['fetch', `http://${own}/`, ...login]);
		expect(exit).toBe(2);
		expect(err).toContain('--i-own-this-site');
		expect(seen).toEqual([]);
		await type(['fetch', `http://${own}/`, '--i-own-this-site', 'http://127.0.0.1:1', ...login]);
		await type(['fetch', `http://${own}/`, '--i-own-this-site', 'localhost', ...login]);
		expect(leaks()).toEqual([]);
		expect(seen.some(({ secret }) => secret)).toBe(false);
	});

	it.each([
		['User-Agent: s3cret', 'User-Agent'],
		['x-agent-identity: s3cret', 'x-agent-identity'],
		['From: s3cret', 'From'],
		['Signature-Input: s3cret', 'Signature-Input'],
		['Host: s3cret', 'Host'],
		['Transfer-Encoding: s3cret', 'Transfer-Encoding'],
		['Proxy-Authorization: s3cret', 'Proxy-Authorization'],
		['s3cret', 'NAME:VALUE'],
		['X-Token: s3cret\nX: y', 'X-Token'],
		[': s3cret', 'NAME:VALUE'],
	])('--header %j is refused by name, without its value', async (header, name) => {
		const { exit, err } = await type(['fetch', `http://${own}/`, '--i-own-this-site', own, '--header', header]);
		expect(exit).toBe(2);
		expect(err).toContain(name);
		expect(err).not.toContain('s3cret');
		expect(seen).toEqual([]);
	});

	it('--header @FILE keeps it out of the list of processes', async () => {
		const cwd = emptyFolder();
		writeFileSync(join(cwd, 'login'), '# mine\nX-Token: s3cret\r\n\n');
		await type(['fetch', `http://${own}/`, '--i-own-this-site', own, '--header', '@login'], cwd);
		expect(seen.every(({ secret }) => secret)).toBe(true);
	});

	it.each([
		['Netscape', '# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\ts3cret\n'],
		[
			'JSON of a browser extension',
			'[{"name":"sid","value":"s3cret","domain":"127.0.0.1","path":"/","hostOnly":true,"session":true}]',
		],
		[
			'JSON of Playwright',
			'{"cookies":[{"name":"sid","value":"s3cret","domain":"127.0.0.1","path":"/","expires":-1}],"origins":[]}',
		],
		['JSON of names and values', '{"sid":"s3cret"}'],
	])('--cookie-file reads %s', async (_, text) => {
		const cwd = emptyFolder();
		writeFileSync(join(cwd, 'cookies'), text);
		const { exit } = await type(
			['fetch', `http://${own}/away`, '--i-own-this-site', own, '--cookie-file', 'cookies'],
			cwd,
		);
		expect(exit).toBe(0);
		expect(seen.filter(({ host }) => host === own).every(({ secret }) => secret)).toBe(true);
		expect(leaks()).toEqual([]);
	});

	it.each([
		['127.0.0.1 FALSE / FALSE 0 sid s3cret', 'line 1'],
		['# nothing\n', 'no cookie'],
		['[{"value":"s3cret"}]', 'cookie 1'],
		['{"cookies": [', 'JSON'],
	])('--cookie-file of %j says where it is wrong, and no value', async (text, where) => {
		const cwd = emptyFolder();
		writeFileSync(join(cwd, 'cookies'), text);
		const { exit, err } = await type(
			['fetch', `http://${own}/`, '--i-own-this-site', own, '--cookie-file', 'cookies'],
			cwd,
		);
		expect(exit).toBe(2);
		expect(err).toContain(`--cookie-file cookies: `);
		expect(err).toContain(where);
		expect(err).not.toContain('s3cret');
	});

	it('servers have no such options: whoever calls them would be logged in', async () => {
		for (const command of ['serve', 'mcp'])
			expect((await type([command, '--header', 'X-Token: s3cret'])).err).toContain("unknown option '--header'");
	});
});
