import type { Lookup } from '../dns/types.ts';
import type { ReceivedHeaders } from './headers.ts';
import type { OwnSiteCredentials } from './own-site.ts';
import type { ProxyFor } from './proxy.ts';

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
} as const;

/** Why a fetch gave no answer. `fetchFailures` holds a sentence for each. */
export type FetchFailure = keyof typeof fetchFailures;

/** Times are milliseconds. */
export interface Timeouts {
	/** One look-up of the host name. */
	readonly dns: number;
	/** TCP connection and TLS handshake together. */
	readonly connect: number;
	/** From the request sent to the last byte of the response headers. */
	readonly headers: number;
	/** Between two pieces of the body. */
	readonly bodyIdle: number;
	/** From the response headers until a body that comes in drips counts as slow. */
	readonly slowBody: number;
	/** The whole exchange, from its turn among the host's requests to the last byte of the body. */
	readonly total: number;
}

/** Bounds of one fetch. */
export interface Limits extends Timeouts {
	/** Bytes of the decoded body, and of its encoded form too. */
	readonly bodyBytes: number;
	/** Bytes of the status line, the header lines and the interim responses before them. */
	readonly headerBytes: number;
	/** How long a connection is kept for the next request; milliseconds. */
	readonly keepAlive: number;
}

export interface FetcherOptions {
	/** Sent with every request, and begins with `AIWebIndex/2.0` (AWI-01); no header option can replace it. */
	readonly userAgent: string;
	/** Sent with every request, unless the request has its own value. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Replaces the system's name resolution. The addresses it gives pass the same guard. */
	readonly lookup?: Lookup;
	/**
	 * Whether this host (`URL.hostname`), which has these addresses now, may be reached at one that is not public.
	 * Default: never.
	 */
	readonly allowPrivate?: (hostname: string, addresses: readonly string[]) => boolean;
	/**
	 * The User-Agent has no contact for sites: only loopback addresses and the hosts for which this is true are asked,
	 * every other request ends as `no-contact` before anything of it is looked up or sent.
	 */
	readonly unintroduced?: (hostname: string) => boolean;
	/** Header fields and cookies for one's own sites. They are in no result, `raw` included. */
	readonly credentials?: OwnSiteCredentials;
	/**
	 * Forward proxies. Names are then resolved, and addresses checked, at the proxy: what is private by its name or
	 * literal address is still refused here.
	 */
	readonly proxy?: ProxyFor;
	/** Requests in flight at a time for one host name, over HTTP/1.1 each on a connection of its own. Default 6. */
	readonly connectionsPerHost?: number;
	/** Whether HTTP/2 is offered in the TLS handshake. Default true. */
	readonly http2?: boolean;
	readonly limits?: Partial<Limits>;
	/** Certificate authorities in PEM form that are trusted instead of the well-known ones. */
	readonly ca?: string;
	/** Leaves its exchanges out of `requestChannel`: their addresses have keys. Default false. */
	readonly unreported?: boolean;
}

export interface GetOptions {
	readonly method?: 'GET' | 'HEAD' | 'POST';
	readonly headers?: Readonly<Record<string, string>>;
	/** Asks for the body without any content coding (`Accept-Encoding: identity`), for who compares bytes. Default false. */
	readonly identity?: boolean;
	/** The content of a POST. */
	readonly body?: Uint8Array;
	readonly signal?: AbortSignal;
	/**
	 * The value of `Cookie`: cookies that the site itself has set in this redirect chain (`ChainCookies`). It is not in
	 * `raw`.
	 */
	readonly cookie?: string | undefined;
	/** Leaves out the fetcher's `credentials`. Default false. */
	readonly anonymous?: boolean;
	/** Replaces `limits.bodyBytes`. */
	readonly maxBytes?: number;
	/** For a body over the limit: the failure `too-large` (default), or its first bytes with `truncated`. */
	readonly onLimit?: 'fail' | 'truncate';
	readonly timeouts?: Partial<Timeouts>;
	/** Whether the answer tells the messages as they were too, for an archive. Default false. */
	readonly raw?: boolean;
}

/** Both messages of an exchange, byte by byte. HTTP/2 messages are written in the form of HTTP/1.1. */
export interface RawExchange {
	readonly request: Uint8Array;
	/** Status line and header lines of the response, with the empty line after them. */
	readonly head: Uint8Array;
	/** Of the response, without transfer codings. */
	readonly body: Uint8Array;
	/** Whether the content codings that the head names are still on the body. */
	readonly coded: boolean;
}

/** An exchange that did not complete. */
export interface CutExchange {
	readonly raw: RawExchange;
	/** As `WARC-Truncated` (ISO 28500 §5.13) names it. */
	readonly why: 'length' | 'time' | 'disconnect' | 'unspecified';
	readonly httpVersion: FetchSuccess['httpVersion'];
	/** As in a successful exchange. */
	readonly address: string;
}

export interface FetchSuccess {
	readonly ok: true;
	/** The URL asked for: without fragment and credentials. */
	readonly url: string;
	readonly status: number;
	readonly headers: ReceivedHeaders;
	/** The content, with every content coding undone. */
	readonly body: Uint8Array;
	/** Whether the body was cut at the limit (`onLimit: 'truncate'`). */
	readonly truncated: boolean;
	/** Length of the body as it was sent, before decoding. */
	readonly wireBytes: number;
	readonly httpVersion: '1.0' | '1.1' | '2';
	/** The first header line that was dropped because it is not a header field, as received; Latin-1. */
	readonly malformed?: string;
	/** The address that answered; empty where a proxy was between. */
	readonly address: string;
	/** Only if requested. */
	readonly raw?: RawExchange;
}

export interface FetchFailed {
	readonly ok: false;
	readonly url: string;
	readonly reason: FetchFailure;
	/** Details for people. */
	readonly detail: string;
	/** The exchange as far as it was received, if the caller asked for it and the headers had arrived. */
	readonly cut?: CutExchange;
	/** If the failure came after the headers. */
	readonly status?: number;
	readonly headers?: ReceivedHeaders;
}

export type FetchResult = FetchSuccess | FetchFailed;

export interface Fetcher {
	/**
	 * One request and its answer; redirects are answers like any other. Whatever the network does is an answer too.
	 * @throws TypeError for a header that is malformed or not the caller's to set: a mistake of the program
	 */
	get(url: string, options?: GetOptions): Promise<FetchResult>;
	/** Ends all connections; requests in flight and later ones answer `aborted`. */
	close(): Promise<void>;
}

/** Name of the `node:diagnostics_channel` that has a RequestMessage for every exchange. */
export const requestChannel = 'wayleave:request';

/** One exchange, when it is over. The address has no credentials; header fields are left out. */
export interface RequestMessage {
	readonly method: string;
	readonly url: string;
	readonly milliseconds: number;
	readonly status?: number;
	/** Of the decoded body. */
	readonly bytes?: number;
	/** If there was no response. */
	readonly reason?: FetchFailure;
	readonly detail?: string;
}
