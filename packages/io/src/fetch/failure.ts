import { explainSystemError } from '../messages/system-errors.ts';
import type { ReceivedHeaders } from './headers.ts';
import type { FetchFailure } from './types.ts';

/** What each failure means, for people. */
export const fetchFailures = {
	'bad-url': 'the address is not a URL',
	'unsupported-scheme': 'only http and https are fetched',
	'unsafe-port': 'the port belongs to a protocol other than HTTP',
	'dns-not-found': 'the host name does not exist',
	'dns-failed': 'the host name could not be looked up',
	'private-address': 'the host name leads to an address that is not public',
	'no-contact': 'not asked: the crawler names nobody whom the site could write to; its operator sets --contact',
	'proxy-failed': 'the proxy did not pass the request on',
	'connect-failed': 'no connection could be made',
	'connect-timeout': 'connecting took too long',
	'tls-failed': 'the TLS handshake or the certificate failed',
	'headers-timeout': 'the response headers took too long',
	'body-timeout': 'the body stalled',
	'total-timeout': 'the whole exchange took too long',
	'connection-reset': 'the connection was closed or reset before the answer was there',
	truncated: 'the body ended before it was complete',
	'too-large': 'the body is larger than the limit',
	'bad-encoding': 'the body is not in the content coding that the headers name',
	'bad-header': 'a response header is malformed',
	'headers-too-large': 'the response headers are larger than the limit',
	'bad-response': 'what the server sent is not HTTP',
	aborted: 'the request was given up by its caller',
} as const satisfies Record<FetchFailure, string>;

/** Ends one exchange; `get` turns it into an answer. */
export class FetchError extends Error {
	readonly reason: FetchFailure;
	/** Nothing of an answer had arrived: on a connection used before, the request may be sent again on a fresh one. */
	readonly unanswered: boolean;
	/** The part of the answer that did arrive. */
	head?: { readonly status: number; readonly headers: ReceivedHeaders };

	constructor(reason: FetchFailure, detail: string, options: { unanswered?: boolean; cause?: unknown } = {}) {
		super(detail, { cause: options.cause });
		this.name = 'FetchError';
		this.reason = reason;
		this.unanswered = options.unanswered ?? false;
	}
}

/** What went wrong on the way to a host, without the name of a system error. */
export function describeError(error: unknown): string {
	return explainSystemError(error, 'connect') ?? (error instanceof Error ? error.message : String(error));
}
