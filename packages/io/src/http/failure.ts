import { explainSystemError } from '../messages/system-errors.ts';
import type { ReceivedHeaders } from './headers.ts';
import type { CutExchange, FetchFailure } from './types.ts';

/** Sentences for failures. */
export const fetchFailures = {
	'bad-url': 'the address is not a valid URL',
	'unsupported-scheme': 'only http and https URLs are fetched',
	'unsafe-port': 'the port belongs to a protocol other than HTTP',
	'dns-not-found': 'the host name does not exist',
	'dns-failed': 'the host name could not be looked up',
	'private-address': 'the host name resolves to an address that is not public',
	'no-contact': 'not requested: the crawler has no contact; its operator can set one with --contact',
	'proxy-failed': 'the proxy did not forward the request',
	'connect-failed': 'the connection could not be established',
	'connect-timeout': 'connecting timed out',
	'tls-failed': 'the TLS handshake or the certificate failed',
	'headers-timeout': 'waiting for the response headers timed out',
	'body-timeout': 'the response body stalled',
	'total-timeout': 'the whole request timed out',
	'too-slow': 'the response body came in drips of less than 1 KiB in 5 seconds',
	'connection-reset': 'the connection was closed or reset before the response arrived',
	truncated: 'the response body ended before it was complete',
	'too-large': 'the response body is larger than the limit',
	'bad-encoding': 'the response body does not match its Content-Encoding',
	'bad-header': 'a response header is malformed',
	'headers-too-large': 'the response headers are larger than the limit',
	'bad-response': 'the server did not send a valid HTTP response',
	aborted: 'the caller cancelled the request',
} as const satisfies Record<FetchFailure, string>;

/** Ends one exchange; `get` turns it into an answer. */
export class FetchError extends Error {
	readonly reason: FetchFailure;
	/** Nothing of an answer had arrived: on a connection used before, the request may be sent again on a fresh one. */
	readonly unanswered: boolean;
	/** Whether the exchange went over HTTP/2. */
	overHttp2 = false;
	/** The part of the answer that did arrive. */
	head?: { readonly status: number; readonly headers: ReceivedHeaders; readonly cut?: CutExchange };

	constructor(reason: FetchFailure, detail: string, options: { unanswered?: boolean; cause?: unknown } = {}) {
		super(detail, { cause: options.cause });
		this.name = 'FetchError';
		this.reason = reason;
		this.unanswered = options.unanswered ?? false;
	}
}

/** Describes a connection error without the name of a system error. */
export function describeError(error: unknown): string {
	return explainSystemError(error, 'connect') ?? (error instanceof Error ? error.message : String(error));
}
