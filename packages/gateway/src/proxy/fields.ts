import type { IncomingMessage } from 'node:http';
import type { MessageHead } from '@wayleave/io/http/response-parser';
import type { DecidedRequest } from '../decide/decision.ts';
import { cameThroughProxy, isPathOverride, plainAddress } from '../request/path-overrides.ts';
import { type GatewayResponse, problemResponse } from '../request/response.ts';
import { addTerms } from '../respond/add-policy-headers.ts';

/** Names and values in turn, as they came: `rawHeaders` of Node. */
export type RawFields = readonly string[];

/** Fields that belong to one connection and are not passed on (RFC 9110 §7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
	'connection',
	'keep-alive',
	'proxy-connection',
	'proxy-authenticate',
	'proxy-authorization',
	'te',
	'transfer-encoding',
	'upgrade',
	'http2-settings',
]);
/** Fields about the client that we set ourselves. */
const aboutClient: ReadonlySet<string> = new Set([
	'x-real-ip',
	'x-forwarded-for',
	'x-forwarded-proto',
	'x-forwarded-host',
	'forwarded',
]);

/**
 * Fields that `Connection` cannot take away, whatever it names: by them a request is framed, addressed and judged, and
 * a site that did not get them would see another request.
 */
const endToEnd: ReadonlySet<string> = new Set([
	'host',
	'content-length',
	'content-type',
	'content-encoding',
	'cookie',
	'authorization',
	'user-agent',
	'x-agent-identity',
	'accept',
	'expect',
	'origin',
	'cache-control',
]);

/** Why a message cannot be forwarded as one message: a server behind could see where it ends elsewhere (RFC 9112 §11.2). */
export type FramingFault = 'http-version' | 'host-fields' | 'length-fields' | 'transfer-coding';

/**
 * Whether a request came over HTTP/2. Its version does not say so: any client may write `HTTP/2.0` into a request line.
 */
export function isHttp2(request: object): boolean {
	return 'stream' in request && request.stream !== undefined;
}

/** The response to a request that can be read in more than one way. */
export function framingResponse(fault: FramingFault): GatewayResponse {
	if (fault === 'http-version') return problemResponse(505, fault, 'This connection speaks HTTP/1.1');
	return problemResponse(400, fault, 'The request is ambiguous: servers could parse it in two ways');
}

/** A host and a port, and nothing that could be a path. */
export const hostValue = /^[\w.:[\]~%-]*$/;

/** Looks for the shapes of request smuggling that the parser of Node lets through. */
export function framingFault(request: IncomingMessage): FramingFault | undefined {
	if (isHttp2(request)) return undefined;
	const { rawHeaders, httpVersionMajor, httpVersionMinor } = request;
	if (httpVersionMajor !== 1 || httpVersionMinor > 1) return 'http-version';
	let hosts = 0;
	let lengths = 0;
	let codings = 0;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] ?? '';
		// Most names have another length than these: no copy in lower case is made of them.
		if (name.length === 4 && name.toLowerCase() === 'host') {
			hosts++;
			if (!hostValue.test(rawHeaders[at + 1] ?? '')) return 'host-fields';
		} else if (name.length === 14 && name.toLowerCase() === 'content-length') {
			lengths++;
			if (!/^\d{1,15}$/.test(rawHeaders[at + 1] ?? '')) return 'length-fields';
		} else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
			codings++;
			if (rawHeaders[at + 1]?.toLowerCase() !== 'chunked') return 'transfer-coding';
		}
	}
	if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) return 'host-fields';
	if (lengths > 1 || (lengths > 0 && codings > 0)) return 'length-fields';
	return codings > 1 || (codings > 0 && httpVersionMinor === 0) ? 'transfer-coding' : undefined;
}

/** Whether a request has a body. */
export function hasBody(request: IncomingMessage): boolean {
	if (isHttp2(request)) return !(request as unknown as { stream: { endAfterHeaders: boolean } }).stream.endAfterHeaders;
	return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** The forwarded part of a message: its fields as received. */
export type RequestHead = Pick<IncomingMessage, 'rawHeaders' | 'httpVersion' | 'httpVersionMajor'>;

/** Facts outside the message. */
export interface ForwardingOptions {
	readonly secure: boolean;
	readonly withBody: boolean;
	readonly upgrade?: boolean;
	/** The address of the site. */
	readonly origin: string;
}

/** The fields of a request as the site gets them. */
export function requestFields(
	{ rawHeaders, httpVersion, httpVersionMajor }: RequestHead,
	decided: DecidedRequest,
	{ secure, withBody, upgrade = false, origin }: ForwardingOptions,
): string[] {
	const { visit, identity } = decided;
	const said = (name: string) => visit.header(name);
	const fields: string[] = [];
	const named = namedByConnection(said('connection'));
	const peer = plainAddress(visit.address);
	const trusted = cameThroughProxy(decided);
	// HTTP/1.0 needs no Host, and the request goes on as HTTP/1.1, which does (RFC 9112 §3.2).
	const host = said('host') ?? new URL(origin).host;
	const cookies: string[] = [];
	let hasHost = false;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] ?? '';
		const lower = name.toLowerCase();
		if (lower.charCodeAt(0) === 0x3a || hopByHop.has(lower) || named?.has(lower)) continue;
		const plain = lower.includes('_') ? lower.replaceAll('_', '-') : lower;
		if (aboutClient.has(plain) || lower === 'via' || (!trusted && isPathOverride(plain))) continue;
		hasHost ||= lower === 'host';
		// HTTP/2 may send a cookie in crumbs, HTTP/1.1 may not (RFC 9113 §8.2.3).
		if (httpVersionMajor === 2 && lower === 'cookie') cookies.push(rawHeaders[at + 1] ?? '');
		else fields.push(name, rawHeaders[at + 1] ?? '');
	}
	if (cookies.length > 0) fields.push('cookie', cookies.join('; '));
	if (!hasHost) fields.push('host', host);
	if (withBody && said('content-length') === undefined) fields.push('transfer-encoding', 'chunked');
	if (/\btrailers\b/i.test(said('te') ?? '')) fields.push('te', 'trailers');
	if (upgrade) fields.push('connection', 'upgrade', 'upgrade', 'websocket');
	const before = trusted ? said('x-forwarded-for') : undefined;
	fields.push('x-forwarded-for', before === undefined ? peer : `${before}, ${peer}`);
	fields.push('x-forwarded-proto', (trusted && said('x-forwarded-proto')) || (secure ? 'https' : 'http'));
	fields.push('x-real-ip', identity.address);
	fields.push('x-forwarded-host', (trusted && said('x-forwarded-host')) || host);
	const via = said('via');
	fields.push('via', `${via === undefined ? '' : `${via}, `}${httpVersion} wayleave`);
	return fields;
}

/**
 * The fields of a response as the client gets them: the site's own, and what is said besides about the terms.
 *
 * @param chunked it goes out in chunks; only then can trailers follow that it announces.
 */
export function responseFields(head: MessageHead, terms: Readonly<Record<string, string>>, chunked: boolean): string[] {
	const { rawHeaders } = head;
	const named = namedByConnection(head.value('connection')?.toLowerCase());
	const present = new Set<string>();
	const fields: string[] = [];
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] ?? '';
		const lower = name.toLowerCase();
		if (hopByHop.has(lower) || named?.has(lower) || (lower === 'trailer' && !chunked)) continue;
		fields.push(name, rawHeaders[at + 1] ?? '');
		if (lower in terms) present.add(lower);
	}
	addTerms(
		terms,
		(name) => present.has(name),
		(name, value) => fields.push(name, value),
	);
	return fields;
}

/** Whether a response has a body whose length is not known. */
export function hasOpenBody(method: string | undefined, head: MessageHead): boolean {
	const bare = method === 'HEAD' || head.status === 204 || head.status === 304;
	return !bare && head.value('content-length') === undefined;
}

/** Fields that `Connection` names are for this connection too. */
function namedByConnection(connection: string | undefined): ReadonlySet<string> | undefined {
	if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
	const names = connection.toLowerCase().split(',');
	return new Set(names.map((name) => name.trim()).filter((name) => !endToEnd.has(name)));
}

const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Fields in wire format. @throws TypeError when a value contains characters that a header field must not contain. */
export function fieldsText(fields: RawFields): string {
	let text = '';
	for (let at = 0; at < fields.length; at += 2) {
		const value = fields[at + 1] ?? '';
		if (!fieldValue.test(value))
			throw new TypeError(`${fields[at]} contains characters that no header field may contain`);
		text += `${fields[at]}: ${value}\r\n`;
	}
	return text;
}
