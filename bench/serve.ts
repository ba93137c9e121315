// The service as it is built: stored documents per second, and how long callers wait, beside a bare Hono route with the
// same bytes; then the CPU time of a request, in alternating bursts.
// Usage: npm run bench:serve [-- --bursts N]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { listen, openService } from '@wayleave/service';
import { Hono } from 'hono';
import type { Burst } from './bursts.ts';
import { middle, option, quantile, showTable } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

const callers = 50;
const pages = 200;
const seconds = 4;
const rounds = 3;
const folder = temporaryFolder();

interface Load {
	readonly requests: number;
	readonly failed: number;
	readonly p50: number;
	readonly p99: number;
}

/** Fifty callers in a process of their own, each with one request after the other. */
async function load(port: number, requests: readonly string[]): Promise<Load> {
	const file = join(folder, 'requests.json');
	writeFileSync(file, JSON.stringify(requests));
	const script = fileURLToPath(new URL('load.ts', import.meta.url));
	const child = spawn(process.execPath, [
		'--import',
		'tsx',
		script,
		String(port),
		String(callers),
		String(seconds * 1000),
		file,
	]);
	let output = '';
	child.stdout.on('data', (chunk) => {
		output += chunk;
	});
	child.stderr.pipe(process.stderr);
	await once(child, 'close');
	return JSON.parse(output) as Load;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function startSite(): Promise<Server> {
	const sentence =
		'The wiring of the pump is checked before the pump is started, and again when it has run for a while. ';
	const article = (title: string) =>
		`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${Array.from(
			{ length: 40 },
			(_, at) => `<h2 id="s${at}">Part ${at}</h2><p>${sentence.repeat(6)}<a href="/page/${at}">more</a></p>`,
		).join('')}</main></html>`;
	const server = createServer((request, response) => {
		if (!request.url!.startsWith('/page')) return response.writeHead(404).end();
		return response.writeHead(200, { 'content-type': 'text/html' }).end(article(`Page ${request.url}`));
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	return server;
}

const site = await startSite();
const url = (page: number) => `http://localhost:${portOf(site)}/page/${page}`;
const service = await openService({
	open: true,
	store: `sqlite:${join(folder, 'service.db')}`,
	fetching: { privateHosts: ['localhost'], ownSites: ['localhost'], delay: 0 },
});
const listening = await listen(service, 0, '127.0.0.1');
const own = listening.address.port;
const init = (page: number) => ({
	method: 'POST',
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ url: url(page) }),
});
for (let page = 0; page < pages; page++) {
	const response = await fetch(`http://127.0.0.1:${own}/v1/aidocument`, init(page));
	if (response.status !== 200) throw new Error(await response.text());
}

const bodies = await Promise.all(
	Array.from({ length: pages }, async (_, page) =>
		(await fetch(`http://127.0.0.1:${own}/v1/aidocument`, init(page))).text(),
	),
);
const bare = new Hono();
bare.get('/document/:page', (c) =>
	c.body(bodies[Number(c.req.param('page'))]!, 200, { 'content-type': 'application/json' }),
);
// Reading a POST costs Hono more than reading a GET, so it is a peer of its own.
bare.post('/document/:page', async (c) => {
	await c.req.json();
	return c.body(bodies[Number(c.req.param('page'))]!, 200, { 'content-type': 'application/json' });
});
const bareServer = createAdaptorServer({ fetch: bare.fetch }) as Server;
await new Promise<void>((ready) => bareServer.listen(0, '127.0.0.1', ready));

/** Includes the port: a service without keys serves no other host. */
const head = (port: number) => `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json\r\n`;
const get = (path: string, port = own) => `GET ${path} ${head(port)}\r\n`;
const post = (path: string, body: string, port = own) =>
	`POST ${path} ${head(port)}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const each = (make: (page: number) => string) => Array.from({ length: pages }, (_, page) => make(page));
interface Way {
	readonly port: number;
	readonly requests: readonly string[];
	/** The way with the same method that it is compared with. */
	readonly peer: string;
}
const barePort = portOf(bareServer);
const ways: Readonly<Record<string, Way>> = {
	'bare Hono route': {
		port: barePort,
		requests: each((page) => get(`/document/${page}`, barePort)),
		peer: 'bare Hono route',
	},
	'the same, POST': {
		port: barePort,
		requests: each((page) => post(`/document/${page}`, JSON.stringify({ url: url(page) }), barePort)),
		peer: 'the same, POST',
	},
	'GET /v1/document': {
		port: own,
		requests: each((page) => get(`/v1/document?url=${encodeURIComponent(url(page))}`)),
		peer: 'bare Hono route',
	},
	'POST /v1/aidocument': {
		port: own,
		requests: each((page) => post('/v1/aidocument', JSON.stringify({ url: url(page) }))),
		peer: 'the same, POST',
	},
};
const results = new Map<string, Load[]>();
for (let round = 0; round < rounds; round++)
	for (const [name, way] of Object.entries(ways))
		results.set(name, [...(results.get(name) ?? []), await load(way.port, way.requests)]);

const size = Buffer.byteLength(bodies[0]!);
const perSecond = (name: string) => middle((results.get(name) ?? []).map(({ requests }) => requests)) / seconds;
const share = (name: string) => perSecond(name) / perSecond(ways[name]?.peer ?? name);
console.log(
	`Stored documents of ${(size / 1024).toFixed(1)} KiB, ${callers} callers, ${pages} pages, ${rounds} rounds of ${seconds} s`,
);
console.log(
	showTable([
		['', 'documents/s', 'of bare', 'p50', 'p99', 'failed'],
		...[...results].map(([name, loads]) => [
			name,
			perSecond(name).toFixed(0),
			share(name).toFixed(2),
			`${middle(loads.map(({ p50 }) => p50)).toFixed(1)} ms`,
			`${middle(loads.map(({ p99 }) => p99)).toFixed(1)} ms`,
			String(loads.reduce((sum, { failed }) => sum + failed, 0)),
		]),
	]),
);

/**
 * CPU time of this process for a request, in bursts that alternate: other work on the machine hits all ways alike. Of
 * few pages, since the service reads each page from its store again after a second, and a burst has few requests.
 */
const bursts = Number(option('bursts') ?? 60);
const burstLength = 600;
const burstPages = 20;
const child = fork(fileURLToPath(new URL('bursts.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
async function burst({ port, requests }: Way): Promise<number> {
	const order: Burst = { port, requests: requests.slice(0, burstPages), connections: 16, count: burstLength };
	const before = process.cpuUsage();
	child.send(order);
	const [failed] = await once(child, 'message');
	if (failed !== 0) throw new Error(`${failed} requests of a burst failed`);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / burstLength;
}
const costs = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
const warmUp = 8;
for (let round = -warmUp; round < bursts; round++)
	for (const [name, way] of round % 2 === 0 ? Object.entries(ways) : Object.entries(ways).reverse()) {
		const cost = await burst(way);
		if (round >= 0) costs.get(name)?.push(cost);
	}
child.kill();
const quartiles = (values: readonly number[], digits: number) =>
	[0.5, 0.25, 0.75].map((share) => quantile(values, share).toFixed(digits));
console.log(
	`\nCPU time of a request, ${bursts} alternating bursts of ${burstLength}, 16 callers, ${burstPages} pages: median, and quartiles`,
);
console.log(
	showTable([
		['', 'µs', 'from', 'to', 'bare of ours', 'from', 'to'],
		...Object.entries(ways).map(([name, { peer }]) => {
			const own = costs.get(name) ?? [];
			const shares = (costs.get(peer) ?? []).map((cost, at) => cost / (own[at] ?? cost));
			return [name, ...quartiles(own, 0), ...quartiles(shares, 2)];
		}),
	]),
);
await listening.close(1000);
bareServer.close();
bareServer.closeAllConnections();
site.close();
site.closeAllConnections();
