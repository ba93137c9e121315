import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readings } from '@wayleave/protocols/url';
import { framingAnswer, framingFault } from '../proxy/fields.ts';
import { sendAnswer } from '../proxy/hop.ts';
import { visitOfMessage } from '../proxy/server.ts';
import type { Gateway } from '../serve/gateway.ts';
import { recordServed } from '../serve/lesson.ts';
import { cameThroughProxy, dropPathOverrides } from '../serve/path-overrides.ts';
import type { Judged } from '../serve/ruling.ts';
import { addTerms } from '../serve/terms-fields.ts';
import { learnFromWrites, textOf } from './learn.ts';
import { routerReadings } from './router-readings.ts';

/** What of Fastify is used here. */
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
	if (typeof gateway?.judge !== 'function') {
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
	const passed = new WeakMap<IncomingMessage, Judged>();
	const readings = readingsOf(app);
	app.addHook('onRequest', async ({ raw: request, originalUrl }, reply) => {
		const fault = framingFault(request);
		const rewritten = originalUrl === undefined || originalUrl === request.url ? undefined : [originalUrl];
		const visit = { ...visitOfMessage(request), readings, alsoNamed: rewritten };
		const judged = fault === undefined ? await gateway.judge(visit) : undefined;
		const responded = judged && (await gateway.respond(judged));
		if (judged !== undefined && responded === undefined) {
			passed.set(request, judged);
			if (!cameThroughProxy(judged)) dropPathOverrides(request);
			learnFromWrites(gateway.learner, judged, reply.raw, (name) => textOf(reply.getHeader(name)));
			return;
		}
		reply.hijack();
		sendAnswer(request, reply.raw, responded?.answer ?? framingAnswer(fault ?? 'http-version'));
		if (judged !== undefined && responded !== undefined) gateway.record(judged, responded.served);
	});
	app.addHook('onSend', async ({ raw }, reply, payload) => {
		const judged = passed.get(raw);
		if (judged !== undefined) {
			const type = textOf(reply.getHeader('content-type'));
			const terms = gateway.termsOfPage(judged, { status: reply.statusCode, type });
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
		const judged = passed.get(raw);
		const bytes = Number(reply.getHeader('content-length') ?? 0);
		if (judged !== undefined) recordServed(gateway, judged, { status: reply.statusCode, bytes });
	});
}
