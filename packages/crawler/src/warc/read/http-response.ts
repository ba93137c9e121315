import { decodeContent, ReceivedHeaders } from '@wayleave/io/http';
import { joinChunks, parseStoredResponse } from '@wayleave/io/http/response-parser';
import type { WarcRecord } from './warc-item.ts';

/** An HTTP answer as an archive has it. */
export interface ArchivedResponse {
	readonly status: number;
	readonly headers: ReceivedHeaders;
	/** As it stands in the record. */
	readonly body: Uint8Array;
}

/** Content of more than this is no page. */
const maxContent = 64 << 20;

/** The HTTP response in a record of type `response` or `revisit`; undefined for other protocols. */
export function parseArchivedResponse({ block }: Pick<WarcRecord, 'block'>): ArchivedResponse | undefined {
	const stored = parseStoredResponse(bufferOf(block));
	if (stored === undefined) return undefined;
	const { status, rawHeaders } = stored.head;
	const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
	return { status, headers: new ReceivedHeaders(lines), body: stored.body };
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/**
 * The content of an answer, with the codings undone that are still on it. Archives are known to take codings off and
 * leave the headers that name them: what does not begin like chunks, or does not decode, is taken as it stands.
 *
 * @returns the content, or why it cannot be had
 */
export async function contentOf({ headers, body }: ArchivedResponse): Promise<Uint8Array | string> {
	const chunked = /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');
	const whole = (chunked ? joinChunks(bufferOf(body)) : undefined) ?? body;
	const codings = headers.get('content-encoding');
	if (codings === undefined || whole.length === 0) return whole;
	const content = await decodeContent(whole, codings.toLowerCase(), maxContent);
	return content === 'bad-encoding' ? whole : content;
}
