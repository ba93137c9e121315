import { explainReason, type Reason, type Result } from '@wayleave/crawler';
import { type Problem, problemPage } from '../problems/problem.ts';

/** Reasons that the caller must fix: the page cannot be fetched as requested. */
const unfetchable: ReadonlySet<string> = new Set([
	'bad-url',
	'unsupported-scheme',
	'unsafe-port',
	'private-address',
	'unsupported-type',
	'no-content',
	'pdf-without-text',
	'file-encrypted',
	'file-copy-forbidden',
	'file-damaged',
	'file-over-limit',
	'needs-rendering',
	'extraction-failed',
]);

/** How long a host is left alone whose terms could not be read; seconds. */
const unreachablePause = 300;

/** Why there is no document, with the lines that say so (RFC 9457). @param base URL of the service */
export function failureOf(result: Result, base: string, now: number): Problem {
	const { outcome, reason = 'aborted', detail, evidence, url, retryAt } = result;
	const status = statusOf(result);
	return {
		type: problemPage(reason, base),
		title: explainReason(reason),
		status,
		code: reason,
		outcome,
		url,
		...(detail !== undefined && { detail }),
		...(evidence && evidence.length > 0 && { evidence }),
		...(status === 503 && { retry_after: retryAfter(reason, retryAt, now) }),
	};
}

function statusOf({ outcome, reason = 'aborted' }: Result): number {
	switch (outcome) {
		case 'refused':
			return 403;
		case 'gone':
			return reason === 'http-410' ? 410 : 404;
		case 'deferred':
			return 503;
		case 'out-of-scope':
			return 422;
		default:
			if (unfetchable.has(reason)) return 422;
			// Another caller, later, may be served: once the operator has named a contact.
			if (reason === 'aborted' || reason === 'no-contact') return 503;
			return reason.endsWith('-timeout') ? 504 : 502;
	}
}

function retryAfter(reason: Reason, retryAt: string | undefined, now: number): number {
	const pause = retryAt === undefined ? 0 : Math.ceil((Date.parse(retryAt) - now) / 1000);
	return Math.max(1, pause, reason.endsWith('-unreachable') || reason === 'no-contact' ? unreachablePause : 0);
}
