import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway, type Gateway } from '../engine/gateway.ts';
import { sendRaw, statusOf } from '../testing/raw.ts';
import { assertProtected } from './assert-protected.ts';
import { expressGateway } from './express.ts';
import { fastifyGateway } from './fastify.ts';
import { honoGateway } from './hono.ts';
import { nextGateway } from './next.ts';
import { withGateway } from './node.ts';

const gatewayFor = (disallow = ['/private'], options: Parameters<typeof createGateway>[1] = {}): Gateway =>
	createGateway(checkConfig({ origin: 'http://site.example', paths: { disallow } }), { maxClients: 100, ...options });

const closing: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
	vi.restoreAllMocks();
});

/** Asks a listener for a target as it is, with the status of the response, and the body behind it where it is 200. */
async function over(listener: RequestListener) {
	const server = http.createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
	const { port } = server.address() as AddressInfo;
	return async (target: string, fields = '') => {
		const text = await sendRaw(
			port,
			`GET ${target} HTTP/1.1\r\nHost: site.example\r\nUser-Agent: GPTBot/1.2\r\n${fields}Connection: close\r\n\r\n`,
		);
		return statusOf(text);
	};
}

describe('Express', () => {
	const appWith = (settings: readonly string[] = [], router = express.Router()) => {
		const app = express();
		for (const setting of settings) app.set(setting, true);
		app.use(expressGateway(gatewayFor(['/private', '/exact$'])));
		app.get('/private/x', (_request, response) => void response.send('secret'));
		app.get('/exact', (_request, response) => void response.send('secret'));
		router.get('/x', (_request, response) => void response.send('secret'));
		app.use('/private', router);
		app.get('/open', (_request, response) => void response.send('open'));
		return app;
	};

	it('G2-08: letter case and a final slash are folded as the router folds them', async () => {
		const ask = await over(appWith());
		for (const target of ['/PRIVATE/x', '/Private/X/', '/private/x', '/pRIVATE/%78', '/exact/', '/EXACT']) {
			expect([target, await ask(target)]).toEqual([target, 403]);
		}
		expect(await ask('/open')).toBe(200);
		expect(await ask('/OPEN/')).toBe(200);
	});

	it('G2-08: the settings of the app are read, and those of each router', async () => {
		const both = ['case sensitive routing', 'strict routing'];
		const exact = await over(appWith(both, express.Router({ caseSensitive: true, strict: true })));
		for (const target of ['/PRIVATE/x', '/exact/']) expect([target, await exact(target)]).toEqual([target, 404]);
		expect(await exact('/private/x')).toBe(403);
		// A router that folds, in an app that does not.
		const mixed = await over(appWith(both));
		expect(await mixed('/PRIVATE/x')).toBe(403);
	});

	it('G2-08: the path before and the path after a rewrite are judged', async () => {
		const app = express();
		app.use((request, _response, next) => {
			if (request.url === '/alias') request.url = '/private/x';
			next();
		});
		app.use(expressGateway(gatewayFor()));
		app.get('/private/x', (_request, response) => void response.send('secret'));
		const ask = await over(app);
		expect(await ask('/alias')).toBe(403);
		const mounted = express();
		mounted.use('/private', expressGateway(gatewayFor()));
		mounted.use((_request, response) => void response.send('page'));
		const askMounted = await over(mounted);
		expect([await askMounted('/private/x'), await askMounted('/PRIVATE/x'), await askMounted('/open')]).toEqual([
			403, 403, 200,
		]);
	});

	it('G2-77: routes before the gateway are warned of and found', async () => {
		const gateway = gatewayFor();
		const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
		const app = express();
		app.get('/private/x', (_request, response) => void response.send('secret'));
		app.use(expressGateway(gateway));
		const ask = await over(app);
		expect(await ask('/private/x')).toBe(200);
		expect(warn).not.toHaveBeenCalled();
		await ask('/other');
		await ask('/other');
		expect(warn.mock.calls.map(([text]) => text)).toEqual([
			expect.stringMatching(/after routes that bypass it: \/private\/x\. Put app\.use/),
		]);
		await expect(assertProtected(app, gateway)).rejects.toThrow(/GET \/private\/x as GPTBot\/1\.0: 200/);
	});

	it('G2-77: a router before the gateway, or no gateway at all, is found too', async () => {
		const gateway = gatewayFor();
		const router = express.Router();
		router.get('/reports/:id', (_request, response) => void response.send('secret'));
		const app = express();
		app.use('/private', router);
		app.use(expressGateway(gateway));
		await expect(assertProtected(app, gateway)).rejects.toThrow(/GET \/private\/reports\/x/);
		await expect(assertProtected(express(), gateway)).rejects.toThrow(/before every route/);
		const right = express();
		right.use(expressGateway(gateway));
		right.use('/private', router);
		await assertProtected(right, gateway);
	});

	it('G2-78: handlers see no header that names another path', async () => {
		const seen: unknown[] = [];
		const app = express();
		app.use(expressGateway(gatewayFor()));
		app.use((request, response) => {
			seen.push(request.headers['x-original-url'], request.headers['x-own'], request.rawHeaders.join().toLowerCase());
			response.send('page');
		});
		const ask = await over(app);
		expect(await ask('/open', 'X-Original-URL: /private/x\r\nX_Rewrite_Url: /private\r\nX-Own: 1\r\n')).toBe(200);
		expect(seen.slice(0, 2)).toEqual([undefined, '1']);
		expect(seen[2]).not.toMatch(/original|rewrite/);
	});
});

describe('Fastify', () => {
	const status = async (app: FastifyInstance, url: string) =>
		(await app.inject({ url, headers: { 'user-agent': 'GPTBot/1.2' } })).statusCode;

	it.each([
		['called on the app', (app: FastifyInstance, gateway: Gateway) => fastifyGateway(app, gateway)],
		['registered', (app: FastifyInstance, gateway: Gateway) => app.register(fastifyGateway, { gateway })],
		[
			'in a plugin',
			async (app: FastifyInstance, gateway: Gateway) =>
				await app.register(async (inner) => fastifyGateway(inner, gateway)),
		],
		[
			'in a plugin of a plugin',
			async (app: FastifyInstance, gateway: Gateway) =>
				await app.register(async (inner) => void inner.register(async (most) => fastifyGateway(most, gateway))),
		],
		[
			'in a plugin that is not waited for',
			(app: FastifyInstance, gateway: Gateway) => app.register(async (inner) => fastifyGateway(inner, gateway)),
		],
	])('G2-75: guards all routes: %s', async (_way, register) => {
		const gateway = gatewayFor();
		const app = fastify();
		closing.push(() => app.close());
		app.get('/private/before', async () => 'secret');
		app.register(async (inner) => void inner.get('/private/sibling', async () => 'secret'));
		await register(app, gateway);
		app.get('/private/x', async () => 'secret');
		app.register(async (inner) => void inner.get('/private/later', async () => 'secret'));
		app.get('/open', async () => 'open');
		for (const name of ['before', 'sibling', 'x', 'later', 'none']) {
			expect([name, await status(app, `/private/${name}`)]).toEqual([name, 403]);
		}
		expect(await status(app, '/open')).toBe(200);
		await assertProtected(app, gateway, { paths: ['/private/x'] });
	});

	it('G2-75: an app that listens already, and a missing gateway, are errors', async () => {
		const app = fastify();
		closing.push(() => app.close());
		expect(() => fastifyGateway(app, undefined as never)).toThrow();
		expect(() => fastifyGateway(app, {} as never)).toThrow(/app\.register\(fastifyGateway, \{ gateway \}\)/);
		await app.ready();
		expect(() => fastifyGateway(app, gatewayFor())).toThrow(/before app\.ready\(\) and app\.listen\(\)/);
	});

	it('G2-08: the options of the router are read', async () => {
		const folding: FastifyInstance = fastify({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } });
		const semicolons: FastifyInstance = fastify({ useSemicolonDelimiter: true });
		const plain: FastifyInstance = fastify();
		for (const app of [folding, semicolons, plain]) {
			closing.push(() => app.close());
			fastifyGateway(app, gatewayFor(['/private', '/exact$']));
			app.get('/private/x', async () => 'secret');
			app.get('/exact', async () => 'secret');
		}
		expect([await status(folding, '/PRIVATE/x'), await status(folding, '/exact/')]).toEqual([403, 403]);
		expect(await status(semicolons, '/exact;a=1')).toBe(403);
		expect([await status(plain, '/PRIVATE/x'), await status(plain, '/exact/')]).toEqual([404, 404]);
	});

	it('G2-08: the path before and the path after rewriteUrl are judged', async () => {
		const app = fastify({ rewriteUrl: ({ url }) => (url === '/alias' ? '/private/x' : (url ?? '/')) });
		closing.push(() => app.close());
		fastifyGateway(app, gatewayFor());
		app.get('/private/x', async () => 'secret');
		expect(await status(app, '/alias')).toBe(403);
	});
});

describe('Hono', () => {
	const env = { incoming: { socket: { remoteAddress: '192.0.2.9' } } };
	const asAgent = (path: string) =>
		new Request(`http://site.example${path}`, { headers: { 'user-agent': 'GPTBot/1.2' } });

	it.each([
		['Node', env],
		['Bun', { requestIP: () => ({ address: '192.0.2.9' }) }],
		['Bun in an object', { server: { requestIP: () => ({ address: '192.0.2.9' }) } }],
		['Deno', { remoteAddr: { hostname: '192.0.2.9' } }],
		['Lambda', { requestContext: { http: { sourceIp: '192.0.2.9' } } }],
	])('G2-76: without an address function the runtime is asked: %s', async (_runtime, given) => {
		const addresses: string[] = [];
		const gateway = gatewayFor(['/private'], { onEntry: ({ address }) => addresses.push(String(address)) });
		const app = new Hono();
		app.use(honoGateway(gateway));
		app.get('*', (context) => context.text('page'));
		expect((await app.fetch(asAgent('/private/x'), given)).status).toBe(403);
		expect((await app.fetch(asAgent('/open'), given)).status).toBe(200);
		expect(addresses).toEqual(['192.0.2.9', '192.0.2.9']);
	});

	it('G2-76: under the server of Node', async () => {
		const gateway = gatewayFor();
		const app = new Hono();
		app.use(honoGateway(gateway));
		app.get('*', (context) => context.text('page'));
		const listener = getRequestListener(app.fetch);
		const ask = await over((request, response) => void listener(request, response));
		expect([await ask('/private/x'), await ask('//private/x'), await ask('/open')]).toEqual([403, 403, 200]);
	});

	it('G2-76: a runtime that knows no address is warned of once, and pages are served', async () => {
		const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
		const app = new Hono();
		app.use(honoGateway(gatewayFor()));
		app.get('*', (context) => context.text('page'));
		expect((await app.fetch(asAgent('/open'))).status).toBe(200);
		expect((await app.fetch(asAgent('/private/x'))).status).toBe(403);
		expect(warn.mock.calls.map(([text]) => text)).toEqual([
			expect.stringMatching(/Pass the address: honoGateway\(gateway, \(c\)/),
		]);
	});

	it('G2-76: arguments that cannot work are errors when the app is made', () => {
		expect(() => honoGateway(undefined as never)).toThrow(/honoGateway needs a gateway/);
		expect(() => honoGateway(gatewayFor(), { address: '192.0.2.1' as never })).toThrow(/getConnInfo/);
	});

	it('G2-77: routes before the gateway are found', async () => {
		const gateway = gatewayFor();
		const app = new Hono();
		app.get('/private/:id', (context) => context.text('secret'));
		app.use(honoGateway(gateway, () => '192.0.2.9'));
		app.get('*', (context) => context.text('page'));
		await expect(assertProtected(app, gateway)).rejects.toThrow(/GET \/private\/x as GPTBot\/1\.0: 200/);
		const right = new Hono();
		right.use(honoGateway(gateway, () => '192.0.2.9'));
		right.get('/private/:id', (context) => context.text('secret'));
		await assertProtected(right, gateway);
	});

	it('G2-78: handlers see no header that names another path', async () => {
		const app = new Hono();
		app.use(honoGateway(gatewayFor(), () => '192.0.2.9'));
		app.get('*', (context) => context.text(String(context.req.header('x-rewrite-url'))));
		const request = new Request('http://site.example/open', { headers: { 'x-rewrite-url': '/private/x' } });
		expect(await (await app.fetch(request)).text()).toBe('undefined');
	});
});

describe('others', () => {
	it('G2-78: Next.js drops headers that name another path from the request that goes on', async () => {
		const middleware = nextGateway(gatewayFor(), () => '192.0.2.9');
		const headers = { 'x-original-url': '/private/x', 'x-own': '1' };
		const response = await middleware(new Request('http://site.example/open', { headers }));
		expect(response.headers.get('x-middleware-override-headers')?.split(',')).toEqual(['x-own']);
		expect(response.headers.get('x-middleware-request-x-own')).toBe('1');
		const plain = await middleware(new Request('http://site.example/open', { headers: { 'x-own': '1' } }));
		expect(plain.headers.get('x-middleware-override-headers')).toBe(null);
	});

	it('G2-77: assertProtected takes a server, a listener, an address, and says what to do where nothing is withheld', async () => {
		const gateway = gatewayFor();
		const listener = withGateway(gateway, (_request, response) => response.end('page'));
		await assertProtected(listener, gateway);
		const server = http.createServer(listener);
		await assertProtected(server, gateway);
		expect(server.listening).toBe(false);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
		const { port } = server.address() as AddressInfo;
		await assertProtected(server, gateway);
		await assertProtected(`http://127.0.0.1:${port}`, gateway);
		expect(server.listening).toBe(true);
		const open = gatewayFor([]);
		await expect(assertProtected(listener, open)).rejects.toMatchObject({
			code: 'not-protected',
			message: expect.stringContaining('{ paths: ["/private/report"] }'),
		});
		await expect(assertProtected(listener, gatewayFor(['/private'], { observe: true }))).rejects.toThrow(
			/only observes/,
		);
		await expect(
			assertProtected((_request: unknown, response: { end(text: string): void }) => response.end('page'), gateway),
		).rejects.toThrow(/Register the gateway/);
	});

	it('G2-77: agents that the policy names are asked for', async () => {
		const named = createGateway(
			checkConfig({ origin: 'http://site.example', paths: { agents: { CCBot: { disallow: ['/'] } } } }),
			{ maxClients: 100 },
		);
		const bare: RequestListener = (_request, response) => response.end('page');
		await expect(assertProtected(bare, named)).rejects.toThrow(/as CCBot\/1\.0/);
		await assertProtected(withGateway(named, bare), named);
	});
});

it.each(['Node', 'Express', 'Fastify'])('%s: a request of HTTP/1 that says HTTP/2.0 is refused', async (framework) => {
	const gateway = gatewayFor();
	const listener = async (): Promise<RequestListener> => {
		if (framework === 'Node') return withGateway(gateway, (_request, response) => response.end('page'));
		if (framework === 'Express') {
			const app = express();
			app.use(expressGateway(gateway));
			app.use((_request, response) => void response.send('page'));
			return app;
		}
		const app = fastify();
		fastifyGateway(app, gateway);
		app.get('/*', async () => 'page');
		await app.ready();
		return app.routing;
	};
	const server = http.createServer(await listener());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
	const { port } = server.address() as AddressInfo;
	for (const path of ['/private/x', '/open']) {
		const text = await sendRaw(
			port,
			`GET ${path} HTTP/2.0\r\nHost: site.example\r\nUser-Agent: GPTBot/1.2\r\n\r\n`,
			500,
		);
		expect([path, statusOf(text)]).toEqual([path, 505]);
	}
});

describe('a gateway in the server of its user that verifies no caller', () => {
	const fresh = async () => {
		vi.resetModules();
		const [{ createGateway: create }, { claimsOnly }] = await Promise.all([
			import('../engine/gateway.ts'),
			import('../identify/claims-only.ts'),
		]);
		const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
		return { create, claimsOnly, warn };
	};
	const config = checkConfig({ origin: 'http://site.example' });

	it('warns once at the start that no caller is verified, and how to change it', async () => {
		const { create, warn } = await fresh();
		create(config);
		create(config);
		expect(warn.mock.calls).toEqual([
			[
				expect.stringMatching(/verifies no caller.+Pass identifier: openIdentityChecker/),
				{ code: 'WAYLEAVE_NOTHING_VERIFIED' },
			],
		]);
	});

	it('does not warn if the operator chose that', async () => {
		const { create, claimsOnly, warn } = await fresh();
		create(config, { identifier: claimsOnly });
		const verify = { ranges: false, reverseDns: false, signatures: false };
		create(checkConfig({ origin: 'http://site.example', identity: { verify } }));
		expect(warn).not.toHaveBeenCalled();
	});
});
