import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningGateway } from '@wayleave/gateway';
import { openDatabase } from '@wayleave/io/sql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService, testSites } from '../../../mcp/src/testing/start-service.ts';
import { commands } from '../command-list.ts';
import { serveFolder } from '../commands/demo/static-server.ts';
import { serveDashboard } from '../commands/gateway/dashboard-server.ts';
import { run } from '../program.ts';
import { serveMetrics } from '../shared/metrics-server.ts';
import { recordingTerminal } from '../testing/recorder.ts';

const at = { host: '127.0.0.1', port: 0 };
const asked: string[] = [];

let web: TestWeb;
let service: TestService;
const closing: (() => unknown)[] = [];

/** A listener, and a request to it that has an effect. */
interface Door {
	readonly name: string;
	readonly port: number;
	readonly method: string;
	readonly path: string;
	readonly type?: string;
	/** Created per request: it names a page that was not requested before. */
	readonly body?: () => string;
	/** The status of an honest request. */
	readonly good: number;
}
let doors: Door[];

const doorNames = [
	'document',
	'tools',
	'initialize',
	'openapi',
	'service metrics',
	'dashboard',
	'metrics',
	'demo',
] as const;

beforeAll(async () => {
	web = await startWeb(({ path }) => (path.endsWith('.txt') ? { status: 404 } : '<p>Words of a page.</p>'));
	service = await startService({ fetching: testSites(web.lookup, 'a.test') });
	const own = Number(new URL(service.url).port);
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-guard-'));
	writeFileSync(join(folder, 'index.html'), '<p>Demo</p>');
	const demo = await serveFolder(folder);
	const metrics = await serveMetrics(at, {
		metrics: () => {
			asked.push('metrics');
			return 'up 1\n';
		},
	});
	const db = openDatabase('sqlite::memory:');
	const dashboard = await serveDashboard({
		at,
		running: { ledger: { db } } as never as RunningGateway,
		observing: false,
		files: new Map([['index.html', { type: 'text/html', body: Buffer.from('<p>Dashboard</p>') } as never]]),
	});
	closing.push(
		() => service.close(),
		() => web.close(),
		() => demo.close(),
		() => db.destroy(),
	);
	for (const { server } of [metrics, dashboard]) closing.push(() => server.close());
	const tool = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
	let count = 0;
	const page = () => web.url('a.test', `/${count++}`);
	const json = { method: 'POST', type: 'application/json', port: own, good: 200 };
	const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
	const call = () => ({ name: 'fetch_document', arguments: { url: page() } });
	doors = [
		{ ...json, name: 'document', path: '/v1/aidocument', body: () => JSON.stringify({ url: page() }) },
		{ ...json, name: 'tools', path: '/mcp', body: () => tool('tools/call', call()) },
		{ ...json, name: 'initialize', path: '/mcp', body: () => tool('initialize', initialize) },
		{ name: 'openapi', method: 'GET', path: '/openapi.json', port: own, good: 200 },
		{ name: 'service metrics', method: 'GET', path: '/metrics', port: own, good: 200 },
		{ name: 'dashboard', method: 'GET', path: '/.wayleave/', port: dashboard.address.port, good: 200 },
		{ name: 'metrics', method: 'GET', path: '/metrics', port: metrics.address.port, good: 200 },
		{ name: 'demo', method: 'GET', path: '/', port: demo.port, good: 200 },
	];
});
afterAll(async () => {
	for (const close of closing) await close();
});

const doorOf = (name: string): Door => {
	const door = doors.find((each) => each.name === name);
	if (door === undefined) throw new Error(name);
	return door;
};

/** Sends exactly these lines, which no client would, and returns the status. */
async function send(door: Door, lines: readonly string[], target = door.path): Promise<number> {
	const { port, method, type, body: bodyOf = () => '' } = door;
	const body = bodyOf();
	const socket = connect(port, '127.0.0.1');
	const fields = [
		...lines,
		...(type === undefined ? [] : [`Content-Type: ${type}`]),
		'Accept: application/json, text/event-stream',
		`Content-Length: ${Buffer.byteLength(body)}`,
		'Connection: close',
	];
	socket.write(`${method} ${target} HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`);
	let text = '';
	socket.on('data', (bytes) => {
		text += bytes.toString('latin1');
	});
	await once(socket, 'close');
	return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
}

/** `PORT` is that of the listener. */
const foreignHosts = [
	'evil.example.org',
	'evil.example.org:PORT',
	'EVIL.EXAMPLE.ORG:PORT',
	'127.0.0.1.names.example.org',
	'127.0.0.1.names.example.org:PORT',
	'127.0.0.1.nip.example:PORT',
	'localhost.evil.example:PORT',
	'localhost.evil.example',
	'evil.localhost.example:PORT',
	'app.localhost:PORT',
	'localhost.localdomain:PORT',
	'notlocalhost:PORT',
	'localhost',
	'127.0.0.1',
	'[::1]',
	'127.0.0.1:1',
	'localhost:1',
	'[::1]:1',
	'127.0.0.1:80',
	'127.0.0.1:PORT0',
	'127.0.0.1:0PORT',
	'127.0.0.1:',
	'localhost:',
	'localhost.:PORT',
	'127.0.0.1.:PORT',
	'user@127.0.0.1:PORT',
	'evil.example.org@127.0.0.1:PORT',
	'127.0.0.1:PORT@evil.example.org',
	'evil.example.org#127.0.0.1:PORT',
	'evil.example.org?127.0.0.1:PORT',
	'evil.example.org/127.0.0.1:PORT',
	'127.0.0.1:PORT/',
	'127.0.0.1:PORT, evil.example.org',
	'evil.example.org, 127.0.0.1:PORT',
	'127.0.0.1 :PORT',
	'',
	'2130706433:PORT',
	'0x7f000001:PORT',
	'0x7f.0.0.1:PORT',
	'0177.0.0.1:PORT',
	'017700000001:PORT',
	'127.1:PORT',
	'127.0.1:PORT',
	'0:PORT',
	'0.0.0.0:PORT',
	'127.0.0.2:PORT',
	'10.0.0.1:PORT',
	'192.168.0.1:PORT',
	'[::]:PORT',
	'[0:0:0:0:0:0:0:1]:PORT',
	'[::ffff:127.0.0.1]:PORT',
	'[::ffff:7f00:1]:PORT',
	'[fe80::1]:PORT',
	'[::1%25lo]:PORT',
	'::1:PORT',
	'%6c%6fcalhost:PORT',
	'127.0.0.1%00.evil.example:PORT',
	'xn--lcalhost-53a:PORT',
	'host.docker.internal:PORT',
	'metadata.google.internal',
] as const;

const foreignOrigins = [
	'http://evil.example.org',
	'https://evil.example.org',
	'HTTP://EVIL.EXAMPLE.ORG',
	'http://evil.example.org:PORT',
	'http://127.0.0.1.names.example.org:PORT',
	'http://localhost.evil.example:PORT',
	'null',
	'NULL',
	'file://',
	'',
	'http://',
	'*',
	'http://127.0.0.1',
	'http://localhost',
	'http://127.0.0.1:1',
	'http://localhost:3000',
	'http://localhost.:PORT',
	'http://app.localhost:PORT',
	'http://user@127.0.0.1:PORT',
	'http://evil.example.org@127.0.0.1:PORT',
	'http://127.0.0.1:PORT@evil.example.org',
	'http://127.0.0.1:PORT/',
	'http://127.0.0.1:PORT/path',
	'http://127.0.0.1:PORT http://evil.example.org',
	'http://127.0.0.1:PORT, http://evil.example.org',
	'http://2130706433:PORT',
	'http://0x7f000001:PORT',
	'http://127.1:PORT',
	'http://0.0.0.0:PORT',
	'http://[::ffff:127.0.0.1]:PORT',
	'chrome-extension://abcdefghijklmnop',
	'moz-extension://abc',
	'app://localhost:PORT',
	'ftp://127.0.0.1:PORT',
	'http:127.0.0.1:PORT',
	'//127.0.0.1:PORT',
	'127.0.0.1:PORT',
] as const;

const foreignSites = [
	'cross-site',
	'same-site',
	'Cross-Site',
	'cross-site, same-origin',
	'same-origin, cross-site',
	'x',
	'',
];

/** Requests that sites received, and figures that were read. */
const happened = () => web.log.length + asked.length;
const withPort = (text: string, { port }: Door) => text.replaceAll('PORT', String(port));

describe.each(doorNames)('S2-01 S2-02 S2-03 %s', (name) => {
	it('refuses each foreign host with 421', async () => {
		const door = doorOf(name);
		const wrong: string[] = [];
		const before = happened();
		for (const host of foreignHosts) {
			const status = await send(door, [`Host: ${withPort(host, door)}`]);
			if (status !== 421) wrong.push(`${host}: ${status}`);
		}
		expect(wrong).toEqual([]);
		expect(happened()).toBe(before);
	});

	it('refuses each foreign origin, and each cross-site page, with 403', async () => {
		const door = doorOf(name);
		const own = `Host: 127.0.0.1:${door.port}`;
		const fields = [
			...foreignOrigins.map((origin) => `Origin: ${withPort(origin, door)}`),
			...foreignSites.map((site) => `Sec-Fetch-Site: ${site}`),
		];
		const wrong: string[] = [];
		const before = happened();
		for (const field of fields) {
			const status = await send(door, [own, field]);
			if (status !== 403) wrong.push(`${field}: ${status}`);
		}
		expect(wrong).toEqual([]);
		expect(happened()).toBe(before);
	});

	it('refuses two hosts, no host, and a target that names another host', async () => {
		const door = doorOf(name);
		const own = `127.0.0.1:${door.port}`;
		const before = happened();
		expect(await send(door, [`Host: ${own}`, 'Host: evil.example.org'])).toBeOneOf([400, 421]);
		expect(await send(door, ['Host: evil.example.org', `Host: ${own}`])).toBeOneOf([400, 421]);
		expect(await send(door, [])).toBeOneOf([400, 421]);
		expect(await send(door, [`Host: ${own}`], `http://evil.example.org${door.path}`)).toBe(421);
		expect(await send(door, [`Host: ${own}`], `http://evil@${own}${door.path}`)).toBe(421);
		expect(await send(door, ['Host: evil.example.org'], `http://${own}${door.path}`)).toBe(421);
		expect(happened()).toBe(before);
	});

	it('S2-04 accepts the loopback names, from programs, from its own pages and from a typed address', async () => {
		const door = doorOf(name);
		const { port, good } = door;
		const before = happened();
		for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LocalHost:${port}`])
			expect(await send(door, [`Host: ${host}`]), host).toBe(good);
		const own = `Host: localhost:${port}`;
		for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`])
			expect(await send(door, [own, `Origin: ${origin}`, 'Sec-Fetch-Site: same-origin']), origin).toBe(good);
		expect(await send(door, [own, 'Sec-Fetch-Site: none', 'Sec-Fetch-Mode: navigate'])).toBe(good);
		if (/^(?:document|tools|metrics)$/.test(name)) expect(happened()).toBeGreaterThan(before);
	});
});

describe('names that the operator allows', () => {
	const open = async (options: Parameters<typeof startService>[0]) => {
		const own = await startService(options);
		const { port } = new URL(own.url);
		const door = { ...doorOf('openapi'), port: Number(port) };
		return { own, door, port, status: (...lines: string[]) => send(door, lines) };
	};

	it('S2-04 serves the host of --public-url and those of --allow-host, and no others', async () => {
		const { own, port, status } = await open({
			publicUrl: 'https://index.example.org/below',
			allowHosts: ['inner.example.org', 'localhost:9000'],
		});
		const good = ['index.example.org', 'INDEX.example.org', 'index.example.org:443', 'inner.example.org'];
		for (const host of [...good, `inner.example.org:${port}`, 'localhost:9000', `localhost:${port}`])
			expect(await status(`Host: ${host}`), host).toBe(200);
		for (const host of ['index.example.org:1', 'a.index.example.org', 'localhost:9001', 'inner.example.org:9000'])
			expect(await status(`Host: ${host}`), host).toBe(421);
		const host = 'Host: index.example.org';
		expect(await status(host, 'Origin: https://index.example.org')).toBe(200);
		expect(await status(host, 'Origin: http://localhost:9000')).toBe(200);
		expect(await status(host, 'Origin: https://index.example.org.evil.example')).toBe(403);
		await own.close();
	});

	it('S2-02 with keys any host is served, and /mcp still refuses pages of other sites', async () => {
		const { own, door, port } = await open({ open: false });
		const key = `Authorization: Bearer ${await own.key()}`;
		const tools = { ...doorOf('initialize'), port: door.port };
		expect(await send(tools, ['Host: index.example.org', key])).toBe(200);
		expect(await send(tools, ['Host: index.example.org', key, `Origin: http://localhost:${port}`])).toBe(200);
		for (const field of ['Origin: http://evil.example.org', 'Origin: null', 'Sec-Fetch-Site: cross-site']) {
			for (const path of ['/mcp', '/%6Dcp', '/mcp?x=1'])
				expect(await send(tools, ['Host: index.example.org', key, field], path), `${field} ${path}`).toBe(403);
			// Links from anywhere lead to public pages.
			expect(await send({ ...door, path: '/bot' }, ['Host: index.example.org', field])).toBe(200);
		}
		await own.close();
	});

	it('a body that is not declared as JSON stays refused, so that plain HTML forms cannot use the API', async () => {
		const before = happened();
		const lines = [`Host: localhost:${doorOf('document').port}`];
		for (const type of [
			'text/plain',
			'application/x-www-form-urlencoded',
			'multipart/form-data; boundary=x',
			undefined,
		])
			for (const name of ['document', 'tools']) {
				const { type: _, ...door } = doorOf(name);
				expect(await send(type === undefined ? door : { ...door, type }, lines), String(type)).toBe(415);
			}
		expect(happened()).toBe(before);
	});
});

it.each(['http://index.example', 'index.example/path', 'a b', '*', '', 'index.example:99999', '[::1', '0x7f000001'])(
	'--allow-host %j is refused with what is wanted',
	async (value) => {
		const terminal = recordingTerminal(tmpdir());
		expect(await run(['demo', '--allow-host', value], terminal, commands)).toBe(2);
		expect(terminal.stderr()).toContain('expected a host name');
	},
);
