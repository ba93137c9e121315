import { STATUS_CODES } from 'node:http';
import { type OutgoingRequest, requestTarget } from './connection.ts';
import type { Receiver } from './receiver.ts';
import type { ResponseHead } from './response-head.ts';
import type { CutExchange, FetchFailure, RawExchange } from './types.ts';

/** Request line and headers, as they go out over HTTP/1.1 straight to the site, without the fields in `secrets`. */
export function formatRequestHead(request: OutgoingRequest): string {
	return formatHead(request, requestTarget(request.target), request.headers);
}

/** The head as sent. `via`: the fields for a proxy, which needs the absolute URL (RFC 9112 §3.2.2). */
export function formatWireHead(request: OutgoingRequest, via?: ReadonlyMap<string, string>): string {
	const { target, headers, secrets } = request;
	const path = via === undefined ? requestTarget(target) : target.href;
	return formatHead(request, path, [...headers, ...secrets, ...(via ?? [])]);
}

function formatHead(
	{ target, method, body }: OutgoingRequest,
	path: string,
	fields: Iterable<readonly [string, string]>,
): string {
	const lines = [`${method} ${path} HTTP/1.1`, `Host: ${target.host}`];
	for (const [name, value] of fields) lines.push(`${canonicalName(name)}: ${value}`);
	if (method === 'POST') lines.push(`Content-Length: ${body?.length ?? 0}`);
	return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Names are case-insensitive, but some servers and filters only know them the way that people write them. */
function canonicalName(name: string): string {
	return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** The exchange as it was, once it is over. `decoded` is the content. */
export function rawExchange(request: OutgoingRequest, receiver: Receiver, decoded: Uint8Array): RawExchange {
	const head = receiver.arrived;
	// A transfer coding other than `chunked` lies outside of the content codings: taking it off alone is not worth a way.
	const coded = head.transferCodings.length === 0 ? receiver.coded : undefined;
	return {
		request: Buffer.concat([Buffer.from(formatRequestHead(request), 'latin1'), request.body ?? new Uint8Array()]),
		head: Buffer.from(withoutSetCookie(head.raw ?? formatResponseHead(head), request), 'latin1'),
		body: coded ?? decoded,
		coded: coded !== undefined,
	};
}

/** The exchange as far as it was received. */
export function cutExchange(
	request: OutgoingRequest,
	receiver: Receiver,
	reason: FetchFailure,
	address: string,
): CutExchange {
	const { coded, ...raw } = rawExchange(request, receiver, receiver.partial);
	const body = receiver.partial;
	const { httpVersion } = receiver.arrived;
	return {
		raw: { ...raw, body, coded: coded && receiver.coded !== undefined },
		why: whyCut(reason),
		httpVersion,
		address,
	};
}

function whyCut(reason: FetchFailure): CutExchange['why'] {
	if (reason === 'too-large') return 'length';
	if (reason.endsWith('-timeout') || reason === 'too-slow') return 'time';
	return reason === 'truncated' || reason === 'connection-reset' ? 'disconnect' : 'unspecified';
}

/** A response can renew a session: keeping the field would open the session to readers of the archive. */
function withoutSetCookie(head: string, { secrets }: OutgoingRequest): string {
	return secrets.size === 0 ? head : head.replace(/(?<=\n)set-cookie2?[\t ]*:[^\n]*(?:\n[\t ][^\n]*)*\n/gi, '');
}

/** HTTP/2 heads have no text form of their own, so they are written as HTTP/1.1. */
function formatResponseHead({ status, headers }: ResponseHead): string {
	const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
	return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}
