import { decodeContent, ReceivedHeaders } from '@wayleave/io';
import type { WarcRecord } from './warc-item.ts';

/** An HTTP answer as an archive has it. */
export interface HttpAnswer {
	readonly status: number;
	readonly headers: ReceivedHeaders;
	/** As it stands in the record. */
	readonly body: Uint8Array;
}

/** Content of more than this is no page. */
const maxContent = 64 << 20;

/** The answer that a record of type `response` or `revisit` holds; undefined where it is none of HTTP. */
export function parseHttpAnswer({ block }: Pick<WarcRecord, 'block'>): HttpAnswer | undefined {
	const text = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, 262_144)).toString('latin1');
	const end = /\r?\n\r?\n/.exec(text);
	const head = end === null ? text : text.slice(0, end.index);
	const [statusLine = '', ...lines] = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
	const status = /^HTTP\/\d(?:\.\d)?[ \t]+(\d{3})\b/i.exec(statusLine)?.[1];
	if (status === undefined) return undefined;
	const headers = lines.flatMap((line) => {
		const [, name, value] = /^([^:\s]+)[ \t]*:[ \t]*(.*?)[ \t]*$/s.exec(line) ?? [];
		return name === undefined ? [] : [[name, value!] as const];
	});
	const body = end === null ? new Uint8Array() : block.subarray(end.index + end[0].length);
	return { status: Number(status), headers: new ReceivedHeaders(headers), body };
}

/**
 * The content of an answer, with the codings undone that are still on it. Archives are known to take codings off and
 * leave the headers that name them: what does not begin like chunks, or does not decode, is taken as it stands.
 *
 * @returns the content, or why it cannot be had
 */
export async function contentOf({ headers, body }: HttpAnswer): Promise<Uint8Array | string> {
	const chunked = /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');
	const whole = (chunked ? joinChunks(body) : undefined) ?? body;
	const codings = headers.get('content-encoding');
	if (codings === undefined || whole.length === 0) return whole;
	const content = await decodeContent(whole, codings.toLowerCase(), maxContent);
	return content === 'bad-encoding' ? whole : content;
}

/** RFC 9112 §7.1. Undefined where these are no chunks; chunks that break off give what there is of them. */
function joinChunks(body: Uint8Array): Uint8Array | undefined {
	const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
	const parts: Uint8Array[] = [];
	for (let at = 0; at < bytes.length; ) {
		const feed = bytes.indexOf(0x0a, at);
		const line = feed === -1 ? '' : bytes.toString('latin1', at, Math.min(feed, at + 200)).trim();
		const digits = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
		if (digits === undefined) return parts.length === 0 ? undefined : Buffer.concat(parts);
		const size = Number.parseInt(digits, 16);
		if (size === 0) break;
		parts.push(bytes.subarray(feed + 1, feed + 1 + size));
		at = feed + 1 + size;
		if (bytes[at] === 0x0d) at++;
		if (bytes[at] === 0x0a) at++;
	}
	return Buffer.concat(parts);
}
