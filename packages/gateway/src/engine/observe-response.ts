import { type DecidedRequest, rawTarget } from '../decide/decision.ts';
import type { Served } from '../ledger/entry.ts';
import type { Visit } from '../request/visit.ts';
import type { ChangeObserver } from './change-observer.ts';

/** Bytes of a page that is learned, packed and unpacked. */
export const maxPageBytes = 4_000_000;

/**
 * The observation of a page in a response of the site. Only public responses count: one for a logged-in user
 * says nothing of the page that others see, neither that it changed nor that it is gone.
 */
export function observationOf(
	visit: Visit,
	status: number,
	cacheControl: string | undefined,
): 'observe' | 'forget' | undefined {
	if (visit.method !== 'GET' && visit.method !== 'HEAD') return undefined;
	if (visit.header('cookie') !== undefined || visit.header('authorization') !== undefined) return undefined;
	if (status === 404 || status === 410) return 'forget';
	if (status !== 200 || visit.method !== 'GET') return undefined;
	return /\b(?:private|no-store)\b/i.test(cacheControl ?? '') ? undefined : 'observe';
}

/** Lets the learner see a response of the Web; what it needs is read from a copy, beside the client. */
export function observeResponse(changeObserver: ChangeObserver, decided: DecidedRequest, response: Response): void {
	const { visit } = decided;
	const path = rawTarget(decided);
	const observation = observationOf(visit, response.status, response.headers.get('cache-control') ?? undefined);
	if (observation === 'forget') changeObserver.forget(path);
	if (observation !== 'observe' || !changeObserver.wants(path) || response.headers.has('content-encoding')) return;
	const length = Number(response.headers.get('content-length') ?? 0);
	if (length > maxPageBytes || response.body === null) return;
	readAll(response.clone()).then(
		(body) =>
			body &&
			changeObserver.observe(path, body, response.headers.get('content-type') ?? undefined, visit.header('referer')),
		() => {}, // a page that breaks off is not learned
	);
}

async function readAll(response: Response): Promise<Uint8Array | undefined> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > maxPageBytes) return undefined;
		chunks.push(chunk);
	}
	const whole = new Uint8Array(size);
	let at = 0;
	for (const chunk of chunks) {
		whole.set(chunk, at);
		at += chunk.length;
	}
	return whole;
}

/** Records a page that came from the site, with its revision where that is known. */
export function recordServed(
	gateway: {
		readonly changeObserver: ChangeObserver | undefined;
		record(decided: DecidedRequest, served: Served): void;
	},
	decided: DecidedRequest,
	served: Served,
): void {
	const revision = decided.target && gateway.changeObserver?.revisionOf(decided.target.raw);
	gateway.record(decided, revision === undefined ? served : { ...served, revision });
}
