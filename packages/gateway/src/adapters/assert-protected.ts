import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Gateway } from '../engine/gateway.ts';
import { type ExpressApp, routePathsOf } from './express-app.ts';

/** An app of any framework: a listener of Node, a server, an object of Fastify or Hono, or the address where it runs. */
export type ProtectedApp =
	| string
	| URL
	| http.Server
	| RequestListener
	| { inject(request: { method: 'GET'; url: string; headers: Record<string, string> }): PromiseLike<Injected> }
	| { fetch(request: Request): Response | Promise<Response> };

interface Injected {
	readonly statusCode: number;
	readonly body: string;
}

export interface AssertProtectedOptions {
	/** Withheld pages to ask for, beside those that the policy and the routes of the app name: `/private/report`. */
	readonly paths?: readonly string[];
	/** The agent that asks. Default: `GPTBot`, and every agent that the policy names. */
	readonly userAgent?: string;
}

/** The app serves a page that its policy withholds, or nothing could be asked for. `pages` has what was served. */
export class NotProtectedError extends Error {
	readonly code = 'not-protected';
	readonly pages: readonly string[];

	constructor(message: string, pages: readonly string[]) {
		super(message);
		this.name = 'NotProtectedError';
		this.pages = pages;
	}
}

/**
 * Asks an app for pages that its policy withholds, as an agent would, and throws when one is served: the gateway is not
 * registered, or stands behind the route. For the tests of a site.
 *
 * ```ts
 * await assertProtected(app, gateway, { paths: ['/private/report'] });
 * ```
 *
 * @throws NotProtectedError
 */
export async function assertProtected(
	app: ProtectedApp,
	gateway: Gateway,
	options: AssertProtectedOptions = {},
): Promise<void> {
	const probes = await probesFor(app, gateway, options);
	if (probes.length === 0) {
		throw new NotProtectedError(
			'assertProtected found no page that the policy withholds from an agent (or the gateway only observes). Name one: { paths: ["/private/report"] }',
			[],
		);
	}
	const { ask, close } = await open(app);
	try {
		const served: string[] = [];
		for (const { path, userAgent } of probes) {
			const { status, text } = await ask(path, { 'user-agent': userAgent });
			if (!isOurs(status, text)) served.push(`GET ${path} as ${userAgent}: ${status}`);
		}
		if (served.length === 0) return;
		throw new NotProtectedError(
			`The app responds to these requests before the gateway sees them:\n${served.map((line) => `  ${line}`).join('\n')}\nRegister the gateway before every route and every other middleware that responds.`,
			served,
		);
	} finally {
		await close();
	}
}

interface Probe {
	readonly path: string;
	readonly userAgent: string;
}

/** Pages that the gateway itself would deny: what the policy names, and the routes of the app. */
async function probesFor(app: ProtectedApp, gateway: Gateway, options: AssertProtectedOptions): Promise<Probe[]> {
	const { robots } = gateway.published().policyVersion;
	const lines = robots.split('\n').map((line) => /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []);
	const valuesOf = (name: string) =>
		lines.flatMap(([, key, value = '']) => (key?.toLowerCase() === name ? [value.trim()] : []));
	const rules = valuesOf('disallow').filter((pattern) => pattern.startsWith('/'));
	const agents = valuesOf('user-agent').filter((name) => /^[\w.-]+$/.test(name));
	const userAgents =
		options.userAgent === undefined ? ['GPTBot', ...agents].map((name) => `${name}/1.0`) : [options.userAgent];
	const { own, below } = routesOf(app);
	const folders = rules.map((rule) => samplePath(rule.replace(/\$$/, '').replace(/\*$/, '')));
	const paths = [
		...(options.paths ?? []),
		...own.map(samplePath),
		...folders.flatMap((folder) => [folder, ...below.map((path) => folder.replace(/\/$/, '') + samplePath(path))]),
	];
	const probes: Probe[] = [];
	for (const path of new Set(paths)) {
		for (const userAgent of userAgents) {
			if (!(await isDenied(gateway, path, userAgent))) continue;
			probes.push({ path, userAgent });
			break;
		}
	}
	return probes;
}

async function isDenied(gateway: Gateway, path: string, userAgent: string): Promise<boolean> {
	const { host } = new URL(gateway.config.origin);
	const fields: Record<string, string> = { host, 'user-agent': userAgent };
	const visit = { method: 'GET', target: path, address: '127.0.0.1', header: (name: string) => fields[name] };
	const { decision } = await gateway.decide(visit);
	return decision.action === 'deny';
}

/** A path that a route or a rule matches: `/users/:id` is `/users/x`. */
function samplePath(pattern: string): string {
	const path = pattern
		.replace(/[{}]|\([^)]*\)/g, '')
		.replace(/[:*]\w+[?+*]?/g, 'x')
		.replace(/\*/g, 'x');
	return path.startsWith('/') ? path : `/${path}`;
}

function routesOf(app: ProtectedApp): { own: string[]; below: string[] } {
	if (typeof app === 'string' || app instanceof URL) return { own: [], below: [] };
	const { routes } = app as { routes?: unknown };
	if (Array.isArray(routes)) {
		const paths = routes.map((route: { path?: unknown }) => route.path);
		return { own: paths.filter((path): path is string => typeof path === 'string'), below: [] };
	}
	return typeof app === 'function' ? routePathsOf(app as ExpressApp) : { own: [], below: [] };
}

interface OpenApp {
	ask(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }>;
	close(): Promise<void>;
}

async function open(app: ProtectedApp): Promise<OpenApp> {
	if (typeof app === 'string' || app instanceof URL) return atAddress(new URL(app));
	if (app instanceof http.Server) return await listening(app);
	if ('inject' in app) {
		return {
			ask: async (url, headers) => {
				const { statusCode, body } = await app.inject({ method: 'GET', url, headers });
				return { status: statusCode, text: body };
			},
			close: async () => {},
		};
	}
	if (typeof app === 'function') return await listening(http.createServer(app));
	return {
		ask: async (path, headers) => {
			const response = await app.fetch(new Request(`http://localhost${path}`, { headers }));
			return { status: response.status, text: await response.text() };
		},
		close: async () => {},
	};
}

async function listening(server: http.Server): Promise<OpenApp> {
	const wasListening = server.listening;
	if (!wasListening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		...atAddress(new URL(`http://127.0.0.1:${port}`)),
		close: async () => {
			if (wasListening) return;
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function atAddress(base: URL): OpenApp {
	return {
		ask: async (path, headers) => {
			const response = await fetch(new URL(path, base), { headers, redirect: 'manual' });
			return { status: response.status, text: await response.text() };
		},
		close: async () => {},
	};
}

/** Whether a body is a refusal of the gateway (RFC 9457). */
function isOurs(status: number, text: string): boolean {
	// Refused so often that the refusal has no body any more.
	if (status === 429 && text === '') return true;
	try {
		return String((JSON.parse(text) as { type?: unknown }).type).startsWith('urn:wayleave:problem:');
	} catch {
		return false;
	}
}
