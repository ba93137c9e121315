// One proxy in a process of its own, as it would be at work. Run by gateway.ts; prints its port.
// Usage: gateway-server.mjs wayleave|http-proxy|hono|origin UPSTREAM-PORT
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createGateway, createProxy, createUpstream, openLedger } from '@wayleave/gateway';
import { IdentityChecker } from '../packages/gateway/src/identify/identity-checker.ts';
import { config, page } from './gateway-config.ts';
import { temporaryFolder } from './temporary-folder.ts';

const listening = (server: http.Server) =>
	new Promise<number>((resolve) =>
		server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
	);

const [role, port] = process.argv.slice(2);
const target = `http://127.0.0.1:${port}`;

const roles: Record<string, () => Promise<number>> = {
	async wayleave() {
		const upstream = createUpstream(target);
		const ledger = await openLedger(`sqlite:${join(temporaryFolder(), 'ledger.db')}`);
		const identifier = new IdentityChecker({});
		const gateway = createGateway(config, { identifier, recorder: ledger, origin: upstream.fetch });
		return (await createProxy({ gateway: () => gateway, upstream }).listen(0, '127.0.0.1')).port;
	},
	async 'http-proxy'() {
		const { default: httpProxy } = await import('http-proxy');
		const proxy = httpProxy.createProxyServer({ target, agent: new http.Agent({ keepAlive: true, maxSockets: 256 }) });
		return listening(http.createServer((request, response) => proxy.web(request, response)));
	},
	async hono() {
		const [{ Hono }, { proxy }, { serve }] = await Promise.all([
			import('hono'),
			import('hono/proxy'),
			import('@hono/node-server'),
		]);
		const app = new Hono().all('*', (context) => proxy(target + context.req.path, { ...context.req }));
		return new Promise((resolve) => {
			serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
		});
	},
	origin: () => listening(http.createServer((_request, response) => response.end(page))),
};

console.log(await roles[role ?? '']?.());
