import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readings } from '@wayleave/protocols/url';
import type { DecidedRequest } from '../decide/decision.ts';
import type { Gateway } from '../engine/gateway.ts';
import { recordServed } from '../engine/observe-response.ts';
import { framingFault, framingResponse } from '../proxy/fields.ts';
import { sendResponse } from '../proxy/proxy-exchange.ts';
import { visitOfMessage } from '../proxy/server.ts';
import { cameThroughProxy, dropPathOverrides } from '../request/path-overrides.ts';
import { addTerms } from '../respond/add-policy-headers.ts';
import { observeWrites, textOf } from './observe-writes.ts';
import { routerReadings } from './router-readings.ts';

/** The part of Fastify that is used here. */
interface Server {
	/** Options of the app. Version 5 has those of the router in a group of their own too. */
	readonly initialConfig?: RouterConfig & { readonly routerOptions?: unknown };
	addHook(name: 'onRequest', hook: (request: FastifyRequest, reply: Reply) => Promise<unknown>): unknown;
	addHook(
		name: 'onSend',
		hook: (request: { raw: IncomingMessage }, reply: Reply, payload: unknown) => Promise<unknown>,
	): unknown;
	addHook(name: 'onResponse', hook: (request: { raw: IncomingMessage }, reply: Reply) => Promise<unknown>): unknown;
}
interface RouterConfig {
	readonly caseSensitive?: unknown;
	readonly ignoreTrailingSlash?: unknown;
	readonly useSemicolonDelimiter?: unknown;
}
interface FastifyRequest {
	readonly raw: IncomingMessage;
	/** As the client sent it, where `rewriteUrl` has changed it. */
	readonly originalUrl?: string;
}
interface Reply {
	readonly raw: ServerResponse;
	readonly statusCode: number;
	hijack(): unknown;
	getHeader(name: string): unknown;
	header(name: string, value: unknown): unknown;
}

/**
 * The gateway for Fastify, called or registered: `fastifyGateway(app, gateway)` and
 * `app.register(fastifyGateway, { gateway })` are the same. It guards the whole app, also where it is called in a
 * plugin, and in whatever order plugins and routes come.
 *
 * @throws TypeError where the gateway is missing.
 * @throws Error where the app is ready already: it would not be guarded.
 */
export function fastifyGateway(
	app: Server,
	options: Gateway | { readonly gateway: Gateway },
	done?: (error?: Error) => void,
): void {
	const gateway = 'gateway' in options ? options.gateway : options;
	if (typeof gateway?.decide !== 'function') {
		throw new TypeError('fastifyGateway needs a gateway: app.register(fastifyGateway, { gateway })');
	}
	try {
		guard(rootOf(app), gateway);
	} catch (cause) {
		throw new Error('fastifyGateway is registered too late: register it before app.ready() and app.listen()', {
			cause,
		});
	}
	done?.();
}

/** Tells Fastify that the hooks are for the app, not for a context of their own (what `fastify-plugin` does). */
Object.assign(fastifyGateway, {
	[Symbol.for('skip-override')]: true,
	[Symbol.for('fastify.display-name')]: 'wayleave',
});

/** The app itself: in a plugin Fastify gives an object that has its parent for prototype, and hooks of its own. */
function rootOf(app: Server): Server {
	const parent = Object.getPrototypeOf(app) as Partial<Server> | null;
	return typeof parent?.addHook === 'function' ? rootOf(parent as Server) : app;
}

function readingsOf({ initialConfig = {} }: Server): Readings {
	const all: RouterConfig[] = [initialConfig, (initialConfig.routerOptions ?? {}) as RouterConfig];
	return routerReadings({
		caseSensitive: !all.some(({ caseSensitive }) => caseSensitive === false),
		strict: !all.some(({ ignoreTrailingSlash }) => ignoreTrailingSlash === true),
		semicolons: all.some(({ useSemicolonDelimiter }) => useSemicolonDelimiter === true),
	});
}

function guard(app: Server, gateway: Gateway): void {
	const passed = new WeakMap<IncomingMessage, DecidedRequest>();
	const readings = readingsOf(app);
	app.addHook('onRequest', async ({ raw: request, originalUrl }, reply) => {
		const fault = framingFault(request);
		const rewritten = originalUrl === undefined || originalUrl === request.url ? undefined : [originalUrl];
		const visit = { ...visitOfMessage(request), readings, alsoNamed: rewritten };
		const decided = fault === undefined ? await gateway.decide(visit) : undefined;
		const responded = decided && (await gateway.respond(decided));
		if (decided !== undefined && responded === undefined) {
			passed.set(request, decided);
			if (!cameThroughProxy(decided)) dropPathOverrides(request);
			observeWrites(gateway.changeObserver, decided, reply.raw, (name) => textOf(reply.getHeader(name)));
			return;
		}
		reply.hijack();
		sendResponse(request, reply.raw, responded?.response ?? framingResponse(fault ?? 'http-version'));
		if (decided !== undefined && responded !== undefined) gateway.record(decided, responded.served);
	});
	app.addHook('onSend', async ({ raw }, reply, payload) => {
		const decided = passed.get(raw);
		if (decided !== undefined) {
			const type = textOf(reply.getHeader('content-type'));
			const terms = gateway.termsOfPage(decided, { status: reply.statusCode, type });
			addTerms(
				terms,
				(name) => reply.getHeader(name) !== undefined,
				(name, value) => {
					const own = reply.getHeader(name);
					reply.header(name, own === undefined ? value : `${own}, ${value}`);
				},
			);
		}
		return payload;
	});
	app.addHook('onResponse', async ({ raw }, reply) => {
		const decided = passed.get(raw);
		const bytes = Number(reply.getHeader('content-length') ?? 0);
		if (decided !== undefined) recordServed(gateway, decided, { status: reply.statusCode, bytes });
	});
}
