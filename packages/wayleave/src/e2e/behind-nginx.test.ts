import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDashboard, ledgerSource, openLedger } from '@wayleave/gateway';
import { findAgentByToken } from '@wayleave/protocols/identity';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import { freePort } from '../../../gateway/src/upstreams/testing/servers.ts';
import { reverseName } from '../../../io/src/dns/reverse.ts';
import { startDnsServer, type Zone } from '../../../io/src/testing/dns-server.ts';
import { startForwardProxy } from '../../../io/src/testing/forward-proxy.ts';
import { startTlsServer } from '../../../io/src/testing/tls-server.ts';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

// The real commands in separate processes, between a real nginx and a real site, with our own DNS server and range
// list.

const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path));
// A placeholder such as site.example.com is not a contact, so the gateway would not download any list with it.
const host = 'site.wayleave.dev';
const userAgents = {
	googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
	yandex: 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
	browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
/** Addresses of the test's own Internet (RFC 5737, RFC 3849). */
const addresses = {
	listed: '192.0.2.66',
	listedV6: '2001:db8:66::1',
	byName: '198.51.100.7',
	impostor: '203.0.113.9',
	impostorV6: '2001:db8:bad::1',
	unnamed: '203.0.113.10',
	person: '203.0.113.50',
};

const ptr = (address: string, name: string): [string, Answer[]] => {
	const asked = reverseName(address);
	return [`PTR ${asked}`, [{ type: 'PTR', name: asked, data: name }]];
};
const a = (name: string, address: string): [string, Answer[]] => [`A ${name}`, [{ type: 'A', name, data: address }]];
const zone: Zone = Object.fromEntries<Zone[string]>([
	a('a.root-servers.net', '198.41.0.4'),
	ptr(addresses.byName, 'crawl-198-51-100-7.googlebot.com'),
	a('crawl-198-51-100-7.googlebot.com', addresses.byName),
	ptr(addresses.impostor, 'vps-9.hosting.example'),
	a('vps-9.hosting.example', addresses.impostor),
	// The impostor may write anything into its own zone; but the name does not resolve back.
	ptr(addresses.impostorV6, 'crawl-1.googlebot.com'),
	['AAAA crawl-1.googlebot.com', [{ type: 'AAAA', name: 'crawl-1.googlebot.com', data: '2001:db8:66::9' }]],
]);

const list = {
	formatVersion: '1.0',
	synctoken: 'test',
	creationTime: '2026-01-01T00:00:00Z',
	prefixes: [{ ipv4Prefix: '192.0.2.64/27' }, { ipv6Prefix: '2001:db8:66::/48' }],
};

let folder: string;
let ports: { nginx: number; gateway: number };
let gateway: { child: ChildProcess; stdout: () => string; stderr: () => string };
const closing: (() => unknown)[] = [];

function wayleave(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
	const child = spawn(process.execPath, [sourceProgram('packages/wayleave/src/bin.ts'), ...args], {
		cwd: folder,
		env: { ...process.env, ...env },
	});
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk) => {
		stdout += chunk;
	});
	child.stderr.on('data', (chunk) => {
		stderr += chunk;
	});
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** nginx in a common setup: behind a balancer that speaks the PROXY protocol, in front of the gateway. */
function startNginx(): void {
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${folder}/${name};`,
	);
	const file = join(folder, 'nginx.conf');
	writeFileSync(
		file,
		`daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 256; }
http {
	access_log off; ${temporary.join(' ')}
	server {
		listen 127.0.0.1:${ports.nginx} proxy_protocol;
		set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol;
		location / {
			proxy_pass http://127.0.0.1:${ports.gateway};
			proxy_set_header Host $host;
			proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
			proxy_set_header X-Forwarded-Proto https;
		}
	}
}
`,
	);
	const child = spawn(nginx ?? 'nginx', ['-p', folder, '-c', file], { stdio: 'inherit' });
	closing.push(() => {
		const ended = new Promise((resolve) => child.once('close', resolve));
		child.kill();
		return ended;
	});
}

/** One request from an address, through nginx. */
function ask(address: string, userAgent: string, path = '/page', more = ''): Promise<{ status: number; text: string }> {
	const family = address.includes(':') ? ['TCP6', '2001:db8::80'] : ['TCP4', '192.0.2.80'];
	return new Promise((resolve, reject) => {
		const socket = net.connect(ports.nginx, '127.0.0.1');
		let text = '';
		socket.setEncoding('utf8');
		socket.on('data', (chunk) => {
			text += chunk;
		});
		socket.on('error', reject);
		socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }));
		socket.write(
			`PROXY ${family[0]} ${address} ${family[1]} 40000 80\r\nGET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgent}\r\n${more}Connection: close\r\n\r\n`,
		);
	});
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	for (let tries = 0; tries < 600; tries++) {
		if (await condition()) return;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error(`in vain: ${gateway.stderr()}`);
}

interface Logged {
	readonly agent: string | null;
	readonly address: string;
	readonly outcome: string;
	readonly action: string;
	readonly reason: string | null;
	readonly status: number;
	readonly evidence: string;
}
const logged = (): Logged[] =>
	gateway
		.stdout()
		.split('\n')
		.slice(0, -1)
		.map((line) => JSON.parse(line) as Logged);

beforeAll(async () => {
	if (nginx === undefined) return;
	folder = mkdtempSync(join(tmpdir(), 'wayleave-behind-nginx-'));
	ports = { nginx: await freePort(), gateway: await freePort() };
	const site = http.createServer((request, response) => {
		if (request.url === '/robots.txt') response.writeHead(404).end();
		else response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>page</title>`);
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	closing.push(() => new Promise((resolve) => site.close(resolve).closeAllConnections()));
	const dns = await startDnsServer(zone);
	closing.push(() => dns.close());
	const url = new URL(findAgentByToken('Googlebot')?.ranges ?? 'https://unlisted.invalid/');
	const tls = await startTlsServer({
		names: [url.hostname],
		handlers: {
			[url.pathname]: (stream) => {
				stream.respond({ ':status': 200, 'content-type': 'application/json' });
				stream.end(JSON.stringify(list));
			},
		},
	});
	closing.push(() => tls.close());
	const proxy = await startForwardProxy({ ports: { [`${url.hostname}:443`]: Number(new URL(tls.url('/')).port) } });
	closing.push(() => proxy.close());
	writeFileSync(join(folder, 'ca.pem'), tls.ca);

	const init = wayleave(['init', '--yes', '--origin', `https://${host}`, '--trusted-proxies', '127.0.0.1']);
	expect([await init.ended, init.stdout()]).toEqual([0, 'wrote wayleave.config.yaml\n']);
	const upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const listen = ['--upstream', upstream, '--listen', `127.0.0.1:${ports.gateway}`, '--no-dashboard'];
	const outside = ['--resolver', dns.address, '--proxy', proxy.url];
	const started = wayleave(['gateway', ...listen, ...outside, '--json', '--verbose'], {
		NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
	});
	gateway = started;
	closing.push(() => {
		started.child.kill('SIGTERM');
		return started.ended;
	});
	startNginx();
	await until(() => started.stderr().includes('is served at'));
	// Google's list is available and no other: the start says so.
	await until(() => started.stderr().includes('address lists could be fetched'));
	await until(
		async () => (await ask(addresses.person, userAgents.browser).catch(() => ({ status: 0 }))).status === 200,
	);
});
afterAll(async () => {
	for (const close of closing.splice(0).reverse()) await close();
	if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(nginx === undefined)('the policy of init between nginx and a site', () => {
	it('G2-47 G2-48: Googlebot by its list or its name gets 200 at its first request, an impostor 403, a person 200', async () => {
		const { googlebot, browser } = userAgents;
		for (const address of [addresses.listed, addresses.listedV6, addresses.byName]) {
			expect([address, (await ask(address, googlebot)).status]).toEqual([address, 200]);
		}
		for (const address of [addresses.impostor, addresses.impostorV6, addresses.unnamed]) {
			expect([address, (await ask(address, googlebot)).status]).toEqual([address, 403]);
			// The crawler's address says nothing about a person behind it.
			expect([address, (await ask(address, browser)).status]).toEqual([address, 200]);
		}
		expect((await ask(addresses.person, browser)).status).toBe(200);
	});

	it('G2-48 G2-52: a header from the client itself does not make it Googlebot', async () => {
		for (const field of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP']) {
			const value = field === 'Forwarded' ? `for=${addresses.listed}` : addresses.listed;
			const { status } = await ask(addresses.impostor, userAgents.googlebot, '/page', `${field}: ${value}\r\n`);
			expect([field, status]).toEqual([field, field === 'Forwarded' ? 200 : 403]);
			expect(logged().at(-1)?.outcome).not.toBe('verified');
		}
	});

	it('G2-54: an agent whose list could not be fetched is unverified, not an impostor', async () => {
		expect(gateway.stderr()).toMatch(
			/\d+ of \d+ address lists could be fetched \(https:.+\): agents of the others cannot/,
		);
		const { status } = await ask(
			addresses.person,
			'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
		);
		expect([status, logged().at(-1)?.outcome]).toEqual([200, 'unverified']);
	});

	it('G2-47: the operator sees why: in the log, on stderr, in the report, in the ledger and in the dashboard', async () => {
		const find = (address: string) =>
			logged().find((entry) => entry.address === address && entry.agent === 'Googlebot');
		const listed = find(addresses.listed);
		expect(listed).toMatchObject({ outcome: 'verified', action: 'pass', status: 200 });
		expect(JSON.parse(listed?.evidence ?? '')).toMatchObject({
			reason: 'listed',
			addressFrom: 'x-forwarded-for',
			checks: [{ method: 'ranges', result: 'listed', prefix: '192.0.2.64/27', stale: false }],
		});
		const byName = JSON.parse(find(addresses.byName)?.evidence ?? '') as { checks: unknown[] };
		expect(byName).toMatchObject({ reason: 'reverse-dns' });
		expect(byName.checks).toMatchObject([
			{ method: 'ranges', result: 'not-listed' },
			{ method: 'reverse-dns', outcome: 'confirmed', names: ['crawl-198-51-100-7.googlebot.com'] },
		]);
		const impostor = find(addresses.impostor);
		expect(impostor).toMatchObject({ outcome: 'spoofed', action: 'deny', reason: 'spoofed', status: 403 });
		expect(JSON.parse(impostor?.evidence ?? '')).toMatchObject({
			reason: 'reverse-dns-mismatch',
			checks: [
				{ result: 'not-listed' },
				{ method: 'reverse-dns', outcome: 'mismatch', names: ['vps-9.hosting.example'] },
			],
		});
		expect(JSON.parse(find(addresses.unnamed)?.evidence ?? '')).toMatchObject({ reason: 'no-ptr' });
		// The ledger does not record people.
		expect(logged().filter(({ agent }) => agent === null)).toEqual([]);

		expect(gateway.stderr()).toMatch(/Googlebot: GET \/page → 403, deny, spoofed/);
		expect(gateway.stderr()).toMatch(/Googlebot: GET \/page → 200, pass/);

		const ledger = `sqlite:${join(folder, '.wayleave/ledger.db')}`;
		const db = await openLedger(ledger, { brief: true });
		try {
			const source = ledgerSource({ db: db.db, gateway: () => ({ config: { origin: `https://${host}` } }) as never });
			const show = createDashboard({ source, files: new Map() });
			const get = async (name: string) =>
				await (await show(new Request(`http://127.0.0.1/.wayleave/api/${name}`)))?.json();
			await until(async () => ((await get('overview')) as { agents: unknown[] }).agents.length >= 3);
			const { agents } = (await get('overview')) as { agents: { agent: string; outcome: string; why: string }[] };
			const why = (outcome: string) =>
				agents.find((each) => each.agent === 'Googlebot' && each.outcome === outcome)?.why;
			expect(why('verified')).toBe(
				'reverse DNS gives a host name of the operator, which resolves back to the address: 198.51.100.7 is crawl-198-51-100-7.googlebot.com',
			);
			expect(why('spoofed')).toContain(': 203.0.113.9 is vps-9.hosting.example');
			const violations = (await get('violations')) as { rule: string; address: string; evidence: { reason: string } }[];
			expect(violations.find(({ address }) => address === addresses.unnamed)).toMatchObject({
				rule: 'spoofed',
				evidence: { reason: 'no-ptr' },
			});
		} finally {
			await db.close();
		}

		const report = wayleave(['report']);
		expect(await report.ended).toBe(0);
		expect(report.stdout()).toMatch(/^Googlebot +verified /m);
		expect(report.stdout()).toMatch(/^Googlebot +spoofed +spoofed /m);
		expect(report.stdout()).toMatch(
			/^Googlebot is verified: .+ 198\.51\.100\.7 is crawl-198-51-100-7\.googlebot\.com$/m,
		);
		expect(report.stdout()).toMatch(/^Googlebot is spoofed: .+ 203\.0\.113\.9 is vps-9\.hosting\.example$/m);
	});
});

it.each(['dns.example', '127.0.0.1:dns', '[::1', '1.2.3'])(
	'--resolver %s is refused, with an example',
	async (server) => {
		const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-resolver-')));
		const origin = ['--origin', 'https://site.example.com', '--upstream', 'http://127.0.0.1:1'];
		expect(await run(['gateway', ...origin, '--resolver', server], terminal, commands)).toBe(2);
		expect(terminal.stderr()).toContain(
			`--resolver ${server}: expected the address of a DNS server, such as 127.0.0.1:53`,
		);
	},
);
