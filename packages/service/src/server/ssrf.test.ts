import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Lookup } from '@wayleave/io/dns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { startService, type TestService } from '../testing/start-service.ts';

// The one host that may be on the loopback stands for the web; everything else there must never hear from us.
let listener: Server;
let port: number;
let heard = 0;
let web: TestWeb;
let service: TestService;

/** Public, and nobody is there: the block is not given to anybody. */
const nobody = { address: '2d00::1', family: 6 } as const;
const loopback = { address: '127.0.0.1', family: 4 } as const;
const metadata = { address: '169.254.169.254', family: 4 } as const;

/** Answers of name servers, one after the other; the last one stays. */
const names: Record<string, (typeof nobody | typeof loopback | typeof metadata)[][]> = {
	'web.test': [[loopback]],
	'metadata.test': [[metadata]],
	'home.test': [[loopback]],
	'rebinding.test': [[nobody], [loopback]],
	'binding.test': [[loopback], [nobody], [loopback]],
	'both.test': [[nobody, loopback]],
	'mapped.test': [[{ address: '::ffff:127.0.0.1', family: 6 } as never]],
	localhost: [[loopback]],
};
const lookup: Lookup = async (host) => {
	const answers = names[host];
	if (answers === undefined) throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
	return answers.length > 1 ? answers.shift()! : answers[0]!;
};

beforeAll(async () => {
	listener = createServer((socket) => {
		heard++;
		socket.destroy();
	});
	listener.listen(0, '::');
	await once(listener, 'listening');
	port = (listener.address() as AddressInfo).port;
	web = await startWeb(({ path }) => {
		const target = /^\/to\?(.+)$/.exec(path)?.[1];
		if (target !== undefined) return { status: 302, headers: { Location: decodeURIComponent(target) } };
		if (path === '/robots.txt')
			return plain(`User-agent: *\nAllow: /\nSOM-Endpoint: http://127.0.0.1:${port}/som\nSOM-Format: SOM/1.0`);
		if (path === '/robots2.txt') return plain(`read: yes\nchain: http://127.0.0.1:${port}/robots2.txt`);
		return htmlPage('A page of the web');
	});
	service = await startService({
		fetching: { lookup, privateHosts: ['web.test'], ownSites: ['web.test'], delay: 0, limits: { connect: 200 } },
	});
});
afterAll(async () => {
	await service.close();
	await web.close();
	listener.close();
});

const plain = (body: string) => ({ headers: { 'Content-Type': 'text/plain' }, body });

const forms = () => [
	`http://127.0.0.1:${port}/`,
	`http://2130706433:${port}/`,
	`http://0177.0.0.1:${port}/`,
	`http://017700000001:${port}/`,
	`http://0x7f000001:${port}/`,
	`http://0x7f.0.0.0x1:${port}/`,
	`http://127.1:${port}/`,
	`http://１２７.0.0.1:${port}/`,
	`http://127。0。0。1:${port}/`,
	`http://0:${port}/`,
	`http://0.0.0.0:${port}/`,
	`http://[::]:${port}/`,
	`http://[::1]:${port}/`,
	`http://[0:0:0:0:0:0:0:1]:${port}/`,
	`http://[::ffff:127.0.0.1]:${port}/`,
	`http://[::ffff:7f00:1]:${port}/`,
	`http://[::ffff:0:127.0.0.1]:${port}/`,
	`http://[::127.0.0.1]:${port}/`,
	`http://[2002:7f00:1::]:${port}/`,
	`http://[64:ff9b::7f00:1]:${port}/`,
	`http://[64:ff9b:1::7f00:1]:${port}/`,
	`http://localhost:${port}/`,
	`http://LOCALHOST.:${port}/`,
	`http://home.test:${port}/`,
	`http://mapped.test:${port}/`,
	`http://127.0.0.1:${port}/#@web.test`,
	`http://127.0.0.1:${port}\\@web.test/`,
	'http://169.254.169.254/latest/meta-data/',
	'http://[fd00:ec2::254]/latest/meta-data/',
	'http://[fe80::1]/',
	'http://metadata.test/computeMetadata/v1/',
	'http://10.0.0.1/',
	'http://172.16.0.1/',
	'http://192.168.0.1/',
	'http://100.64.0.1/',
	'https://127.0.0.1/',
];

const codeOf = async (url: string) => {
	const response = await service.post('/v1/aidocument', { url });
	return [response.status, (await response.json()).code];
};

describe('no address that is not public is contacted', () => {
	it('in none of its spellings, through none of the doors', async () => {
		// A backslash before the host is read in two ways: such an address is refused before anything is looked up.
		const isReadTwoWays = (url: string) => url.includes('\\');
		for (const url of forms()) {
			const expected = isReadTwoWays(url) ? [400, 'bad-request'] : [422, 'private-address'];
			expect(await codeOf(url), url).toEqual(expected);
		}
		const plain = forms().filter((url) => !isReadTwoWays(url));
		const lines = (await (await service.post('/v1/aidocuments', { urls: plain })).text()).trimEnd().split('\n');
		expect(new Set(lines.map((line) => JSON.parse(line).problem.code))).toEqual(new Set(['private-address']));
		for (const url of plain) {
			const { status_url } = await (await service.post('/v1/submit', { url })).json();
			const status = async () => (await service.request(status_url)).json();
			await expect.poll(async () => (await status()).problem?.code).toBe('private-address');
		}
		expect(heard).toBe(0);
	});

	it('a service does not call itself', async () => {
		expect(await codeOf(`${service.url}/metrics`)).toEqual([422, 'private-address']);
	});

	it('not when a name leads elsewhere the second time: the address that was checked is the one that is used', async () => {
		for (const host of ['rebinding.test', 'binding.test', 'both.test']) {
			for (const path of ['/1', '/2', '/3']) {
				const [status] = await codeOf(`http://${host}:${port}${path}`);
				expect([422, 503]).toContain(status);
			}
		}
		expect(heard).toBe(0);
	});

	it('not by redirect, whatever the form of its target', async () => {
		for (const form of forms()) {
			// A header is ASCII; a host may be percent-encoded all the same.
			const target = form.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
			const [status, code] = await codeOf(web.url('web.test', `/to?${encodeURIComponent(target)}`));
			expect([status, code], form).toEqual([422, 'private-address']);
		}
		expect(heard).toBe(0);
	});

	it('not by what a site says in its policy files', async () => {
		const response = await service.post('/v1/aidocument', { url: web.url('web.test', '/page') });
		expect(response.status).toBe(200);
		expect(heard).toBe(0);
	});

	it('user names and passwords are refused', async () => {
		for (const url of [`http://web.test@127.0.0.1:${port}/`, `http://a:b@web.test:${web.port}/`])
			expect(await codeOf(url)).toEqual([400, 'bad-request']);
		expect(heard).toBe(0);
	});

	it.each([1, 22, 25, 53, 110, 143, 587, 6000, 6667, 10080])(
		'port %i is for something else than HTTP',
		async (other) => {
			expect(await codeOf(`http://web.test:${other}/`)).toEqual([422, 'unsafe-port']);
		},
	);

	it.each([
		'file:///etc/passwd',
		'ftp://web.test/',
		'gopher://127.0.0.1:70/',
		'data:text/html,x',
		'javascript:1',
		'//x/',
	])('%s is not fetched', async (url) => {
		expect(await codeOf(url)).toEqual([400, 'bad-request']);
	});
});
