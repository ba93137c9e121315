// The gateway: processor time of the decision path, and the proxy beside http-proxy and nginx, all in one run.
// Usage: npm run gateway (in this folder). nginx takes part where it is installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkConfig, createGateway, createProxy, createUpstream, openLedger, type Visit } from '@wayleave/gateway';
import { IdentityChecker } from '../packages/gateway/src/identify/identity-checker.ts';
import { race, showTable, showTime } from './measure.ts';

const page = `<!doctype html><title>Page</title>${'<p>Forty kilobytes of page.</p>'.repeat(1420)}`;
const agents = {
	browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
	allowed: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
	denied: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
};
const config = checkConfig({
	origin: 'http://bench.example',
	paths: { disallow: ['/admin', '/private/*.pdf$', '/*?session='], agents: { GPTBot: { disallow: ['/'] } } },
	policy: { crawl: 'yes', read: 'yes', summarise: 'yes', train: 'no', store: 'session-only', attribution: 'required' },
	categories: { 'ad-network': { crawl: 'no' } },
	honeypots: ['/api/export'],
	som: { endpoint: '/v1/som' },
});

/** Stages 1 to 5 without the network: identify, decide, answer or the headers of the page, record. */
async function decisionPath() {
	const ledger = await openLedger(`sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-bench-')), 'ledger.db')}`);
	const gateway = createGateway(config, { identifier: new IdentityChecker({}), recorder: ledger });
	let count = 0;
	const visit = (userAgent: string): Visit => {
		const headers: Record<string, string> = { 'user-agent': userAgent, host: 'bench.example', accept: 'text/html' };
		count = (count + 1) % 50_000;
		return {
			method: 'GET',
			target: `/docs/page-${count}.html`,
			address: `203.0.${(count >> 8) & 255}.${count & 255}`,
			header: (name) => headers[name],
		};
	};
	const path = (userAgent: string) => () => {
		const judged = gateway.judge(visit(userAgent));
		if (judged instanceof Promise) throw new Error('nothing is to be looked up here');
		const responded = gateway.respond(judged);
		if (responded instanceof Promise) throw new Error('nothing is to be compiled here');
		if (responded === undefined) gateway.termsOfPage(judged);
		gateway.record(judged, responded?.served ?? { status: 200, bytes: page.length });
	};
	// What was recorded is written between the rounds, and its time is told apart.
	const times = race(
		{ browser: path(agents.browser), allowed: path(agents.allowed), denied: path(agents.denied) },
		{ rounds: 9 },
	);
	const before = ledger.dropped;
	await ledger.flush();
	const writing = await timeWriting();
	await ledger.close();
	return { times, writing, dropped: before };
}

/** Nanoseconds to write one entry, batches of 500. */
async function timeWriting(): Promise<number> {
	const ledger = await openLedger(`sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-bench-')), 'ledger.db')}`);
	const gateway = createGateway(config, {
		identifier: new IdentityChecker({}),
		onEntry: (entry) => ledger.record(entry),
	});
	const request = { method: 'GET', target: '/docs/a.html', address: '203.0.113.1' };
	const judged = await gateway.judge({
		...request,
		header: (name) => (name === 'user-agent' ? agents.allowed : undefined),
	});
	const samples: number[] = [];
	for (let round = 0; round < 5; round++) {
		for (let entry = 0; entry < 5000; entry++) gateway.record(judged, { status: 200, bytes: 1 });
		const start = process.cpuUsage();
		await ledger.flush();
		const { user, system } = process.cpuUsage(start);
		samples.push(((user + system) * 1e3) / 5000);
	}
	await ledger.close();
	return samples.toSorted((a, b) => a - b)[2]!;
}

const listening = (server: http.Server) =>
	new Promise<number>((resolve) =>
		server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
	);

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
	p50: number;
}

function load(port: number, milliseconds: number, userAgent = agents.browser): Promise<Load> {
	const script = fileURLToPath(new URL('gateway-load.ts', import.meta.url));
	const child = spawn(process.execPath, [
		'--import',
		'tsx',
		script,
		String(port),
		'16',
		String(milliseconds),
		userAgent,
	]);
	let text = '';
	child.stdout.on('data', (chunk) => {
		text += chunk;
	});
	return new Promise((resolve) => child.on('close', () => resolve(JSON.parse(text) as Load)));
}

/** A proxy in a process of its own, as it would be at work. */
async function startChild(name: string, upstream: number): Promise<{ child: ChildProcess; port: number }> {
	const self = fileURLToPath(import.meta.url);
	const args = ['--conditions=wayleave-source', '--import', 'tsx', self, name, String(upstream)];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	const port = await new Promise<number>((resolve) => child.stdout!.once('data', (line) => resolve(Number(line))));
	return { child, port };
}

async function proxies(rounds: number, milliseconds: number) {
	const [originPort, nginxPort] = [await freePort(), await freePort()];
	const nginx = startNginx(originPort, nginxPort);
	const origin = nginx ? undefined : await startChild('origin', 0);
	const sitePort = origin?.port ?? originPort;
	await new Promise((resolve) => setTimeout(resolve, 500));
	const children = await Promise.all(['wayleave', 'http-proxy'].map((name) => startChild(name, sitePort)));
	const ports: Record<string, number> = {
		direct: sitePort,
		wayleave: children[0]!.port,
		'http-proxy': children[1]!.port,
		...(nginx && { nginx: nginxPort }),
	};
	const found: Record<string, Load[]> = Object.fromEntries(Object.keys(ports).map((name) => [name, []]));
	for (const name of Object.keys(ports)) await load(ports[name]!, 500);
	for (let round = 0; round < rounds; round++) {
		for (const name of Object.keys(ports)) found[name]!.push(await load(ports[name]!, milliseconds));
	}
	for (const child of [...children.map((one) => one.child), origin?.child, nginx]) child?.kill();
	const median = (name: string, key: keyof Load) => {
		const sorted = found[name]!.map((one) => one[key]).toSorted((a, b) => a - b);
		return sorted[sorted.length >> 1]!;
	};
	return Object.keys(ports).map((name) => ({
		name,
		perSecond: (median(name, 'requests') / milliseconds) * 1000,
		p50: median(name, 'p50'),
	}));
}

/** The part of a child process. */
async function serveAs(name: string, upstreamPort: number) {
	const target = `http://127.0.0.1:${upstreamPort}`;
	if (name === 'origin') {
		const server = http.createServer((_request, response) => response.end(page));
		console.log(await listening(server));
	} else if (name === 'http-proxy') {
		const { default: httpProxy } = await import('http-proxy');
		const proxy = httpProxy.createProxyServer({ target, agent: new http.Agent({ keepAlive: true, maxSockets: 256 }) });
		console.log(await listening(http.createServer((request, response) => proxy.web(request, response))));
	} else {
		const upstream = createUpstream(target);
		const ledger = await openLedger(`sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-bench-')), 'ledger.db')}`);
		const gateway = createGateway(config, {
			identifier: new IdentityChecker({}),
			recorder: ledger,
			origin: upstream.fetch,
		});
		const { port } = await createProxy({ gateway: () => gateway, upstream }).listen(0, '127.0.0.1');
		console.log(port);
	}
}

const [role, upstreamPort] = process.argv.slice(2);
if (role !== undefined && upstreamPort !== undefined) await serveAs(role, Number(upstreamPort));
else {
	const { times, writing } = await decisionPath();
	const rows = Object.entries(times).map(([name, { median, fastest }]) => [name, showTime(median), showTime(fastest)]);
	console.log('decision path, processor time of one request (identify, decide, respond or headers, record)\n');
	console.log(showTable([['request', 'median', 'fastest'], ...rows, ['writing an entry', showTime(writing), '']]));
	const results = await proxies(Number(process.env.ROUNDS ?? 5), Number(process.env.MS ?? 1500));
	const nginx = results.find(({ name }) => name === 'nginx') ?? results.find(({ name }) => name === 'http-proxy')!;
	console.log(
		`\nproxy, 16 connections, ${Math.round(page.length / 1024)} KB page; the site is ${results.some(({ name }) => name === 'nginx') ? 'nginx' : 'node:http'}\n`,
	);
	console.log(
		showTable([
			['', 'requests/s', `of ${nginx.name}`, 'p50'],
			...results.map(({ name, perSecond, p50 }) => [
				name,
				perSecond.toFixed(0),
				(perSecond / nginx.perSecond).toFixed(2),
				`${p50.toFixed(2)} ms`,
			]),
		]),
	);
	process.exit(0);
}
