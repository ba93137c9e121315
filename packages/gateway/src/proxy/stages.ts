import { type Answer, problemAnswer } from '../serve/answer.ts';
import type { Gateway } from '../serve/gateway.ts';
import type { Responded } from '../serve/respond.ts';
import type { Judged } from '../serve/ruling.ts';
import type { Visit } from '../serve/visit.ts';

/** Whoever made a request, as far as the stages are concerned. */
export interface Caller {
	/** Nobody waits for an answer any more. */
	readonly gone: boolean;
	/** What the gateway says itself. */
	answer(answer: Answer): void;
	/** The request goes to the site. */
	pass(judged: Judged): void;
	/** An error in the gateway itself: it may affect only this request. */
	failed(error: unknown): void;
}

/** Takes a request through the stages up to its answer; at once where nothing has to be waited for. */
export function serveVisit(gateway: Gateway, visit: Visit, caller: Caller): void {
	try {
		const judged = gateway.judge(visit);
		if (!(judged instanceof Promise)) {
			proceed(gateway, judged, caller);
			return;
		}
		judged
			.then(
				(found) => proceed(gateway, found, caller),
				() => caller.answer(problemAnswer(500, 'internal', 'The gateway failed')),
			)
			.catch((error: unknown) => caller.failed(error));
	} catch (error) {
		caller.failed(error);
	}
}

function proceed(gateway: Gateway, judged: Judged, caller: Caller): void {
	if (caller.gone) return;
	const responded = gateway.respond(judged);
	if (!(responded instanceof Promise)) {
		settle(gateway, judged, responded, caller);
		return;
	}
	responded
		.then(
			(found) => settle(gateway, judged, found, caller),
			() => caller.answer(problemAnswer(502, 'origin-unreachable', 'The site does not respond')),
		)
		.catch((error: unknown) => caller.failed(error));
}

function settle(gateway: Gateway, judged: Judged, responded: Responded | undefined, caller: Caller): void {
	if (responded === undefined) {
		if (!caller.gone) caller.pass(judged);
		return;
	}
	if (!caller.gone) caller.answer(responded.answer);
	gateway.record(judged, responded.served);
}

/** There is no room for another request. */
export function overloaded(): Answer {
	return problemAnswer(503, 'overloaded', 'Too many requests at once', {}, { 'retry-after': '1' });
}
