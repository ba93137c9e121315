import type { Served } from '../ledger/entry.ts';
import type { Gateway, PageLearner } from './gateway.ts';
import type { Judged } from './ruling.ts';
import type { Visit } from './visit.ts';

/** Bytes of a page that is learned, packed and unpacked. */
export const longestPage = 4_000_000;

/**
 * What an answer of the site teaches about a page. Only what anybody gets does: an answer to somebody who is logged in
 * says nothing of the page that others see, neither that it changed nor that it is gone.
 */
export function lessonOf(
	visit: Visit,
	status: number,
	cacheControl: string | undefined,
): 'learn' | 'forget' | undefined {
	if (visit.method !== 'GET' && visit.method !== 'HEAD') return undefined;
	if (visit.header('cookie') !== undefined || visit.header('authorization') !== undefined) return undefined;
	if (status === 404 || status === 410) return 'forget';
	if (status !== 200 || visit.method !== 'GET') return undefined;
	return /\b(?:private|no-store)\b/i.test(cacheControl ?? '') ? undefined : 'learn';
}

/** Lets the learner see a response of the Web; what it needs is read from a copy, beside the client. */
export function learnFrom(learner: PageLearner, { visit, target }: Judged, response: Response): void {
	const path = target?.raw ?? visit.target;
	const lesson = lessonOf(visit, response.status, response.headers.get('cache-control') ?? undefined);
	if (lesson === 'forget') learner.forget(path);
	if (lesson !== 'learn' || !learner.wants(path) || response.headers.has('content-encoding')) return;
	const length = Number(response.headers.get('content-length') ?? 0);
	if (length > longestPage || response.body === null) return;
	readAll(response.clone()).then(
		(body) =>
			body && learner.learn(path, body, response.headers.get('content-type') ?? undefined, visit.header('referer')),
		() => {}, // a page that breaks off is not learned
	);
}

async function readAll(response: Response): Promise<Uint8Array | undefined> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > longestPage) return undefined;
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
export function recordServed(gateway: Gateway, judged: Judged, served: Served): void {
	const revision = judged.target && gateway.learner?.revisionOf(judged.target.raw);
	gateway.record(judged, revision === undefined ? served : { ...served, revision });
}
