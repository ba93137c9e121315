import type { Visit } from '../request/visit.ts';
import { hostValue, type RequestHead } from './fields.ts';

/** The fields of a plain request, each of them once. */
export interface PlainFields {
	/** As they stood on the wire, with the empty line. */
	readonly text: string;
	/** Names and values in turn. */
	readonly raw: readonly string[];
	/** By their names in lower case. */
	readonly values: ReadonlyMap<string, string>;
	/** The same as the site gets them, for a client at this address. */
	forwarded?: { readonly address: string; readonly text: string };
}

/** A request as nearly all are: GET or HEAD, a path, no body, no field twice, nothing about the connection. */
export interface PlainRequest extends Visit, RequestHead {
	readonly fields: PlainFields;
}

const longest = 16_384;
const requestLine = /^(GET|HEAD) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const fieldLine = /^([!#$%&'*+\-.^_`|~\w]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;
/** Fields by which a message says that it is no plain one. */
const special: ReadonlySet<string> = new Set([
	'content-length',
	'transfer-encoding',
	'trailer',
	'te',
	'expect',
	'upgrade',
	'http2-settings',
	'keep-alive',
	'proxy-connection',
	'proxy-authorization',
]);

/**
 * Reads bytes that are one whole plain request and nothing else. Undefined for all else, odd or not: the parser of Node
 * reads these. So nothing has to be understood here that could be understood in two ways.
 *
 * @param before the fields of the request before on the same connection: most clients say the same again.
 */
export function readPlainRequest(
	bytes: Buffer,
	address: string,
	before: PlainFields | undefined,
): PlainRequest | undefined {
	if (bytes.length > longest) return undefined;
	const text = bytes.toString('latin1');
	const end = text.indexOf('\r\n');
	const line = requestLine.exec(text.slice(0, Math.max(end, 0)));
	if (line === null) return undefined;
	const rest = text.slice(end + 2);
	const fields = rest === before?.text ? before : readFields(rest);
	if (fields === undefined) return undefined;
	const [, method = '', target = ''] = line;
	return {
		method,
		target,
		address,
		httpVersion: '1.1',
		httpVersionMajor: 1,
		rawHeaders: fields.raw as string[],
		fields,
		header: (name) => fields.values.get(name),
	};
}

function readFields(text: string): PlainFields | undefined {
	if (!text.endsWith('\r\n\r\n')) return undefined;
	const raw: string[] = [];
	const values = new Map<string, string>();
	for (const line of text.slice(0, -4).split('\r\n')) {
		const found = fieldLine.exec(line);
		if (found === null) return undefined;
		const written = found[1] ?? '';
		const name = written.toLowerCase();
		const value = (found[2] ?? '').trimEnd();
		if (special.has(name) || values.has(name)) return undefined;
		raw.push(written, value);
		values.set(name, value);
	}
	const connection = values.get('connection');
	if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined;
	return hostValue.test(values.get('host') ?? ' ') ? { text, raw, values } : undefined;
}
