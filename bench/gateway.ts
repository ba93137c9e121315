// The gateway: processor time of the decision path, and the proxy beside hono/proxy, http-proxy and nginx, in one run.
// Usage: npm run gateway (in this folder). nginx takes part where it is installed. ROUNDS and MS set the length.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { agents, page } from './gateway-config.ts';
import { showTable, showTime } from './measure.ts';

const scripts = {
	path: await bundle('gateway-path.ts'),
	server: await bundle('gateway-server.ts'),
	load: await bundle('gateway-load.ts'),
};

/** What a script prints, as JSON. */
function run<Value>(script: string, ...args: string[]): Promise<Value> {
	const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
	let text = '';
	child.stdout.on('data', (chunk) => {
		text += chunk;
	});
	return new Promise((resolve) => child.on('close', () => resolve(JSON.parse(text) as Value)));
}

function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[sorted.length >> 1]!;
}

/** A port for a server that takes no 0. */
async function freePort(): Promise<number> {
	const server = net.createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

function startNginx(originPort: number, proxyPort: number): ChildProcess | undefined {
	if (spawnSync('nginx', ['-v']).error) return undefined;
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-nginx-'));
	writeFileSync(join(folder, 'page.html'), page);
	writeFileSync(
		join(folder, 'nginx.conf'),
		`daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
	access_log off; types { text/html html; } keepalive_requests 10000000;
	client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
	upstream site { server 127.0.0.1:${originPort}; keepalive 64; keepalive_requests 10000000; }
	server { listen 127.0.0.1:${originPort}; root ${folder}; }
	server { listen 127.0.0.1:${proxyPort}; location / { proxy_pass http://site; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}`,
	);
	return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] });
}

interface Load {
	requests: number;
	/** Milliseconds. */
	p50: number;
}

function load(port: number, milliseconds: number): Promise<Load> {
	return run(scripts.load, String(port), '16', String(milliseconds), agents.browser);
}

async function startServer(role: string, upstream: number): Promise<{ child: ChildProcess; port: number }> {
	const child = spawn(process.execPath, [scripts.server, role, String(upstream)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const port = await new Promise<number>((resolve) => child.stdout!.once('data', (line) => resolve(Number(line))));
	return { child, port };
}

async function proxies(rounds: number, milliseconds: number) {
	const [originPort, nginxPort] = [await freePort(), await freePort()];
	const nginx = startNginx(originPort, nginxPort);
	const origin = nginx ? undefined : await startServer('origin', 0);
	const sitePort = origin?.port ?? originPort;
	await new Promise((resolve) => setTimeout(resolve, 500));
	const roles = ['wayleave', 'http-proxy', 'hono'];
	const children = await Promise.all(roles.map((name) => startServer(name, sitePort)));
	const ports: Record<string, number> = {
		direct: sitePort,
		...Object.fromEntries(roles.map((name, at) => [name, children[at]!.port])),
		...(nginx && { nginx: nginxPort }),
	};
	const found: Record<string, Load[]> = Object.fromEntries(Object.keys(ports).map((name) => [name, []]));
	for (const name of Object.keys(ports)) await load(ports[name]!, 1000);
	for (let round = 0; round < rounds; round++) {
		for (const name of Object.keys(ports)) found[name]!.push(await load(ports[name]!, milliseconds));
	}
	for (const child of [...children.map((one) => one.child), origin?.child, nginx]) child?.kill();
	return Object.fromEntries(
		Object.entries(found).map(([name, loads]) => [
			name,
			{
				perSecond: (median(loads.map(({ requests }) => requests)) / milliseconds) * 1000,
				p50: median(loads.map(({ p50 }) => p50)),
			},
		]),
	);
}

const samples = await run<Record<string, number[]>>(scripts.path);
console.log('processor time of one request: identify, decide, respond or headers, record, the ledger written\n');
console.log(
	showTable([
		['request', 'median', 'fastest'],
		...Object.entries(samples).map(([name, times]) => [name, showTime(median(times)), showTime(Math.min(...times))]),
	]),
);
const results = await proxies(Number(process.env.ROUNDS ?? 5), Number(process.env.MS ?? 1500));
const { direct, nginx } = results;
const measure = nginx ?? results['http-proxy']!;
console.log(
	`\nproxy, 16 connections, ${Math.round(page.length / 1024)} KB page; the site is ${nginx ? 'nginx' : 'node:http'}\n`,
);
console.log(
	showTable([
		['', 'requests/s', nginx ? 'of nginx' : 'of http-proxy', 'p50', 'added by the hop'],
		...Object.entries(results).map(([name, { perSecond, p50 }]) => [
			name,
			perSecond.toFixed(0),
			(perSecond / measure.perSecond).toFixed(2),
			`${p50.toFixed(2)} ms`,
			`${(p50 - direct!.p50).toFixed(2)} ms`,
		]),
	]),
);
process.exit(0);
