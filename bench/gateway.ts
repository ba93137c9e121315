// The gateway: processor time of the decision path, and the proxy beside hono/proxy, http-proxy and nginx, in one run.
// Each proxy is one process, the site is another (nginx with one worker, where it is installed) and the load generator a
// third. nginx as a proxy takes part twice: with a process of its own, as the others, and in the process of the site.
// Usage: npm run gateway (in this folder). ROUNDS and MS set the length; PART is `path` or `proxy` for one half.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startPostgres } from '../packages/io/src/testing/postgres.ts';
import { bundle } from './bundle.ts';
import { agents, page } from './gateway-config.ts';
import { middle, showTable, showTime } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

const scripts = {
	path: await bundle('gateway-path.ts'),
	server: await bundle('gateway-server.ts'),
	load: await bundle('load.ts'),
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

/** A port for a server that takes no 0. */
async function freePort(): Promise<number> {
	const server = net.createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** One nginx with one worker, which has these servers. */
function startNginx(...servers: string[]): ChildProcess {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'page.html'), page);
	writeFileSync(
		join(folder, 'nginx.conf'),
		`daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
	access_log off; types { text/html html; } keepalive_requests 10000000; root ${folder};
	client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
	${servers.join('\n\t')}
}`,
	);
	return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] });
}

const nginxSite = (port: number) => `server { listen 127.0.0.1:${port}; }`;
const nginxProxy = (port: number, site: number) =>
	`upstream site { server 127.0.0.1:${site}; keepalive 64; keepalive_requests 10000000; }
	server { listen 127.0.0.1:${port}; location / { proxy_pass http://site; proxy_http_version 1.1; proxy_set_header Connection ""; } }`;

interface Load {
	requests: number;
	/** Milliseconds. */
	p50: number;
}

function load(port: number, connections: number, milliseconds: number): Promise<Load> {
	const request = `GET /page.html HTTP/1.1\r\nHost: bench.example\r\nUser-Agent: ${agents.browser}\r\nAccept: text/html\r\n\r\n`;
	return run(scripts.load, String(port), String(connections), String(milliseconds), JSON.stringify([request]));
}

async function startServer(role: string, upstream: number): Promise<{ child: ChildProcess; port: number }> {
	const child = spawn(process.execPath, [scripts.server, role, String(upstream)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const port = await new Promise<number>((resolve) => child.stdout!.once('data', (line) => resolve(Number(line))));
	return { child, port };
}

/** Starts the site and the proxies. Returns the ports of all, and what ends them. */
async function startAll(withNginx: boolean) {
	const roles = ['wayleave', 'http-proxy', 'hono'];
	const children: ChildProcess[] = [];
	let direct: number;
	const extra: Record<string, number> = {};
	if (withNginx) {
		direct = await freePort();
		extra.nginx = await freePort();
		extra['nginx with the site'] = await freePort();
		children.push(startNginx(nginxSite(direct), nginxProxy(extra['nginx with the site'], direct)));
		children.push(startNginx(nginxProxy(extra.nginx, direct)));
		await new Promise((resolve) => setTimeout(resolve, 500));
	} else {
		const { child, port } = await startServer('origin', 0);
		children.push(child);
		direct = port;
	}
	const servers = await Promise.all(roles.map((name) => startServer(name, direct)));
	children.push(...servers.map(({ child }) => child));
	const ports: Record<string, number> = {
		direct,
		...Object.fromEntries(roles.map((name, at) => [name, servers[at]!.port])),
		...extra,
	};
	const pids: Record<string, number | undefined> = {
		...Object.fromEntries(roles.map((name, at) => [name, servers[at]!.child.pid])),
		...(withNginx && { nginx: children[1]!.pid }),
	};
	return { ports, pids, end: () => children.forEach((child) => void child.kill()) };
}

/** Microseconds of processor time that a process has had, where the system tells (in hundredths of a second). */
function processorTime(pid: number | undefined): number {
	if (pid === undefined || process.platform !== 'linux') return Number.NaN;
	const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

type Results = Record<string, { perSecond: number; p50: number; processor: number }>;

type Started = Pick<Awaited<ReturnType<typeof startAll>>, 'ports' | 'pids'>;

/** In alternating rounds, so that what else the machine does falls on all. */
async function compare({ ports, pids }: Started, connections: number, rounds: number, ms: number) {
	const found: Record<string, (Load & { processor: number })[]> = Object.fromEntries(
		Object.keys(ports).map((name) => [name, []]),
	);
	for (let round = 0; round < rounds; round++) {
		for (const name in ports) {
			const before = processorTime(pids[name]);
			const measured = await load(ports[name]!, connections, ms);
			const processor = (processorTime(pids[name]) - before) / measured.requests;
			found[name]!.push({ ...measured, processor });
		}
	}
	return Object.fromEntries(
		Object.entries(found).map(([name, loads]) => [
			name,
			{
				perSecond: (middle(loads.map(({ requests }) => requests)) / ms) * 1000,
				p50: middle(loads.map(({ p50 }) => p50)),
				processor: middle(loads.map(({ processor }) => processor)),
			},
		]),
	) satisfies Results;
}

function showProxies(results: Results): string {
	const { direct } = results;
	const measure = results.nginx ?? results['http-proxy']!;
	const added = (p50: number) => p50 - direct!.p50;
	return showTable([
		['', 'requests/s', `of ${results.nginx ? 'nginx' : 'http-proxy'}`, 'p50', 'added', 'times as much', 'processor'],
		...Object.entries(results).map(([name, { perSecond, p50, processor }]) => [
			name,
			perSecond.toFixed(0),
			(perSecond / measure.perSecond).toFixed(2),
			`${(p50 * 1000).toFixed(0)} µs`,
			`${(added(p50) * 1000).toFixed(0)} µs`,
			name === 'direct' ? '' : (added(p50) / added(measure.p50)).toFixed(2),
			Number.isNaN(processor) ? '' : `${processor.toFixed(0)} µs`,
		]),
	]);
}

const { PART, ROUNDS = '5', MS = '1000' } = process.env;
if (PART !== 'proxy') {
	const postgres = await startPostgres();
	type Parts = Record<'decision' | 'ledger' | 'exchange', number[]>;
	const found = await run<Record<string, Record<'alone' | 'shared', Parts>>>(scripts.path, await postgres.database());
	await postgres.stop();
	console.log(
		'processor time of a request (medians, fastest rounds in brackets) until it is decided, answered and recorded,',
	);
	console.log(
		'and of its part of writing the ledger; shared: with a store that several gateways share, whose exchanges come',
	);
	console.log('beside the requests, ten a second at most: one after each 500 requests here\n');
	const show = (times: readonly number[]) => `${showTime(middle(times))} (${showTime(Math.min(...times))})`;
	console.log(
		showTable([
			['request', 'alone', 'shared', 'more', 'ledger', 'one exchange', 'ten a second'],
			...Object.entries(found).map(([name, { alone, shared }]) => [
				...[name, show(alone.decision), show(shared.decision)],
				showTime(middle(shared.decision) - middle(alone.decision)),
				showTime(middle(shared.ledger)),
				showTime(middle(shared.exchange)),
				`${(middle(shared.exchange) / 1e6).toFixed(1)} % of a core`,
			]),
		]),
	);
}
if (PART !== 'path') {
	const withNginx = spawnSync('nginx', ['-v']).error === undefined;
	const started = await startAll(withNginx);
	const { ports, end } = started;
	for (const name in ports) await load(ports[name]!, 16, 1500);
	for (const connections of [1, 4, 16]) {
		console.log(`\nproxy, ${connections} connections, ${Math.round(page.length / 1024)} KB page\n`);
		console.log(showProxies(await compare(started, connections, Number(ROUNDS), Number(MS))));
	}
	end();
}
process.exit(0);
