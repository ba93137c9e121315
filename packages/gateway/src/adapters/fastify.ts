import type { IncomingMessage, ServerResponse } from 'node:http';
import { framingFault } from '../proxy/fields.ts';
import { sendAnswer } from '../proxy/hop.ts';
import { visitOfMessage } from '../proxy/server.ts';
import { problemAnswer } from '../serve/answer.ts';
import type { Gateway } from '../serve/gateway.ts';
import { recordServed } from '../serve/lesson.ts';
import type { Judged } from '../serve/ruling.ts';
import { addTerms } from '../serve/terms-fields.ts';
import { learnFromWrites, textOf } from './learn.ts';

/** What of Fastify is used here. */
interface Server {
	addHook(name: 'onRequest', hook: (request: { raw: IncomingMessage }, reply: Reply) => Promise<unknown>): unknown;
	addHook(
		name: 'onSend',
		hook: (request: { raw: IncomingMessage }, reply: Reply, payload: unknown) => Promise<unknown>,
	): unknown;
	addHook(name: 'onResponse', hook: (request: { raw: IncomingMessage }, reply: Reply) => Promise<unknown>): unknown;
}
interface Reply {
	readonly raw: ServerResponse;
	readonly statusCode: number;
	hijack(): unknown;
	getHeader(name: string): unknown;
	header(name: string, value: unknown): unknown;
}

/**
 * The gateway for Fastify: `fastifyGateway(app, gateway)`, on the app itself rather than in a plugin, so that requests
 * without a route are judged too.
 */
export function fastifyGateway(app: Server, gateway: Gateway): void {
	const passed = new WeakMap<IncomingMessage, Judged>();
	app.addHook('onRequest', async ({ raw: request }, reply) => {
		const fault = framingFault(request);
		const judged = fault === undefined ? await gateway.judge(visitOfMessage(request)) : undefined;
		const responded = judged && (await gateway.respond(judged));
		if (judged !== undefined && responded === undefined) {
			passed.set(request, judged);
			learnFromWrites(gateway.learner, judged, reply.raw, (name) => textOf(reply.getHeader(name)));
			return;
		}
		reply.hijack();
		const answer =
			responded?.answer ?? problemAnswer(400, fault ?? 'bad-framing', 'The request could be read in two ways');
		sendAnswer(request, reply.raw, answer);
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
