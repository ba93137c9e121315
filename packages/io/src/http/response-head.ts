import { ReceivedHeaders } from './headers.ts';
import type { Framing, MessageHead } from './message-syntax.ts';

/** The head of a final response, over HTTP/1 or HTTP/2. */
export interface ResponseHead {
	readonly status: number;
	readonly headers: ReceivedHeaders;
	readonly httpVersion: '1.0' | '1.1' | '2';
	/** Length of the body as it is sent, where it is known beforehand. */
	readonly length: number | undefined;
	/** Codings to undo before the content codings, the outermost last (RFC 9112 §7.1). */
	readonly transferCodings: readonly string[];
	/** The lines as received, the empty one at the end included; Latin-1. HTTP/2 has none. */
	readonly raw?: string;
	/** The first line that was dropped because it is not a header field. */
	readonly malformed?: string | undefined;
}

/** The head of an HTTP/1 response, as the fetcher passes it on. */
export function responseHead(head: MessageHead, framing: Framing): ResponseHead {
	const { status, rawHeaders, version, malformed, raw } = head;
	const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
	return {
		status,
		headers: new ReceivedHeaders(pairs),
		httpVersion: version,
		length: framing.kind === 'sized' ? framing.length : undefined,
		transferCodings: framing.codings,
		raw,
		malformed,
	};
}
