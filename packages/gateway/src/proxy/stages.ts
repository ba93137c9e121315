import type { DecidedRequest } from '../decide/decision.ts';
import type { Gateway } from '../engine/gateway.ts';
import { type GatewayResponse, problemResponse } from '../request/response.ts';
import type { Visit } from '../request/visit.ts';
import type { Responded } from '../respond/respond.ts';

/** The client of a request, as the stages see it. */
export interface Caller {
	/** The client no longer waits for a response. */
	readonly gone: boolean;
	/** Sends a response of the gateway itself. */
	respond(response: GatewayResponse): void;
	/** The request goes to the site. */
	pass(decided: DecidedRequest): void;
	/** An error in the gateway itself: it may affect only this request. */
	failed(error: unknown): void;
}

/** Takes a request through the stages up to its answer; at once where nothing has to be waited for. */
export function serveVisit(gateway: Gateway, visit: Visit, caller: Caller): void {
	try {
		const decided = gateway.decide(visit);
		if (!(decided instanceof Promise)) {
			proceed(gateway, decided, caller);
			return;
		}
		decided
			.then(
				(found) => proceed(gateway, found, caller),
				() => caller.respond(problemResponse(500, 'internal', 'The gateway failed')),
			)
			.catch((error: unknown) => caller.failed(error));
	} catch (error) {
		caller.failed(error);
	}
}

function proceed(gateway: Gateway, decided: DecidedRequest, caller: Caller): void {
	if (caller.gone) return;
	const responded = gateway.respond(decided);
	if (!(responded instanceof Promise)) {
		finish(gateway, decided, responded, caller);
		return;
	}
	responded
		.then(
			(found) => finish(gateway, decided, found, caller),
			() => caller.respond(problemResponse(502, 'origin-unreachable', 'The site does not respond')),
		)
		.catch((error: unknown) => caller.failed(error));
}

function finish(gateway: Gateway, decided: DecidedRequest, responded: Responded | undefined, caller: Caller): void {
	if (responded === undefined) {
		if (!caller.gone) caller.pass(decided);
		return;
	}
	if (!caller.gone) caller.respond(responded.response);
	gateway.record(decided, responded.served);
}

/** There is no room for another request. */
export function overloaded(): GatewayResponse {
	return problemResponse(503, 'overloaded', 'Too many requests at once', {}, { 'retry-after': '1' });
}
