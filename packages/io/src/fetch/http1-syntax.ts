import { FetchError } from './failure.ts';
import type { ReceivedHeaders } from './headers.ts';

export interface StatusLine {
	readonly version: '1.0' | '1.1';
	readonly code: number;
}

/** How long the body of a message is, and what follows it (RFC 9112 §6.3, §9.3). */
export type Framing = {
	readonly codings: readonly string[];
	readonly reusable: boolean;
} & ({ readonly kind: 'sized'; readonly length: number } | { readonly kind: 'chunked' | 'until-close' });

/** RFC 9112 §4; the reason phrase and the space before it may be missing. */
export function parseStatusLine(line: string): StatusLine {
	const [, minor, code] = /^HTTP\/1\.(\d) +(\d{3})(?: .*)?$/s.exec(line) ?? [];
	if (minor === undefined || code === undefined || Number(code) < 100) {
		throw new FetchError('bad-response', `not an HTTP/1 status line: ${JSON.stringify(line.slice(0, 60))}`);
	}
	return { version: minor === '0' ? '1.0' : '1.1', code: Number(code) };
}

/** Fields that decide the length of the message. */
const framing = /content-length|transfer-encoding/i;

/**
 * Parses a field line, RFC 9112 §5. Controls other than CR and NUL are allowed. Undefined for a line that browsers
 * drop: one without a colon, or with an invalid name.
 *
 * @throws FetchError `bad-header` if such a line, or a blank before its colon, leaves the framing in doubt
 */
export function parseHeaderLine(line: string): [name: string, value: string] | undefined {
	const colon = line.indexOf(':');
	const name = (colon === -1 ? line : line.slice(0, colon)).replace(/[ \t]+$/, '');
	const value = line.slice(colon + 1).trim();
	if (/[\0\r\n]/.test(line))
		throw new FetchError('bad-header', `a CR or NUL in the header line of ${name.slice(0, 60)}`);
	const isName = colon !== -1 && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
	const isExact = isName && name.length === colon;
	if (!isExact && framing.test(name))
		throw new FetchError('bad-header', `the length of the body is in doubt: ${JSON.stringify(line.slice(0, 60))}`);
	return isName ? [name, value] : undefined;
}

/** How the body is delimited. Throws `bad-header` where the headers do not settle it. */
export function messageFraming(status: StatusLine, headers: ReceivedHeaders, bodyless: boolean): Framing {
	const persistent = isPersistent(status, headers);
	if (bodyless || status.code === 204 || status.code === 304) {
		return { kind: 'sized', length: 0, codings: [], reusable: persistent };
	}
	const codings = list(headers.get('transfer-encoding')).filter((coding) => coding !== 'identity');
	const length = contentLength(headers);
	if (codings.length > 0) {
		const chunked = codings.at(-1) === 'chunked';
		const others = chunked ? codings.slice(0, -1) : codings;
		// A length beside a transfer coding smells of response splitting: the connection is not used again (§6.3).
		const reusable = persistent && chunked && length === undefined;
		return { kind: chunked ? 'chunked' : 'until-close', codings: others, reusable };
	}
	if (length === undefined) return { kind: 'until-close', codings: [], reusable: false };
	return { kind: 'sized', length, codings: [], reusable: persistent };
}

function isPersistent(status: StatusLine, headers: ReceivedHeaders): boolean {
	const options = list(headers.get('connection'));
	return status.version === '1.0' ? options.includes('keep-alive') : !options.includes('close');
}

/** Repeated equal lengths are one length, different ones make the message unreadable (RFC 9110 §8.6). */
export function contentLength(headers: ReceivedHeaders): number | undefined {
	const given = headers.get('content-length');
	if (given === undefined) return undefined;
	const values = new Set(given.split(',').map((value) => value.trim()));
	const [value = ''] = values;
	if (values.size > 1) throw new FetchError('bad-header', `different Content-Length values: ${given.slice(0, 60)}`);
	if (!/^\d+$/.test(value)) throw new FetchError('bad-header', `Content-Length is not a number: ${given.slice(0, 60)}`);
	return Number(value);
}

/** A comma-separated list of tokens, lower-case, without empty members. */
export function list(value: string | undefined): string[] {
	return (value ?? '')
		.split(',')
		.map((member) => member.trim().toLowerCase())
		.filter((member) => member !== '');
}
