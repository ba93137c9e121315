import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Served } from '../ledger/entry.ts';
import type { Answer } from '../serve/answer.ts';
import type { Judged } from '../serve/ruling.ts';
import { type ForwardingOptions, hasBody, requestFields } from './fields.ts';
import type { Upstream } from './upstream.ts';

/**
 * Passes a WebSocket through: once the site has agreed, bytes go both ways unread. Any other upgrade is forwarded as the
 * plain request that it is too (RFC 9110 §7.8): HTTP/2 behind an upgrade would carry requests that nobody judges.
 */
export function passUpgrade(
	judged: Judged,
	request: IncomingMessage,
	client: Duplex,
	head: Buffer,
	upstream: Upstream,
	{ secure, origin }: Pick<ForwardingOptions, 'secure' | 'origin'>,
	done: (served: Served) => void,
): void {
	const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
	const fields = requestFields(request, judged, {
		secure,
		withBody: hasBody(request),
		upgrade: isWebSocket,
		origin,
	});
	// The connection is spent on this one client: none of the kept ones.
	const sent = upstream.upgrade(request.method ?? 'GET', judged.target!.raw, fields);
	const refuse = (status: number, message: string) => {
		client.end(`HTTP/1.1 ${status} ${message}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
		done({ status, bytes: 0 });
	};
	client.on('error', () => sent.destroy());
	sent.setTimeout(upstream.timeout, () => sent.destroy(new Error('the site does not answer')));
	sent.on('error', () => refuse(502, 'Bad Gateway'));
	sent.on('response', (answer) => {
		client.write(headOf(answer, ['connection', 'close']));
		answer.pipe(client);
		done({ status: answer.statusCode ?? 502, bytes: 0 });
	});
	sent.on('upgrade', (answer, site, first) => {
		sent.setTimeout(0);
		done({ status: 101, bytes: 0 });
		client.write(headOf(answer, []));
		if (first.length > 0) client.write(first);
		if (head.length > 0) site.write(head);
		join(client, site);
		join(site, client);
		site.pipe(client);
		client.pipe(site);
	});
	sent.end();
}

/** When one side is gone, so is the other. */
function join(one: Duplex, other: Duplex): void {
	one.on('error', () => other.destroy());
	one.on('close', () => other.destroy());
}

function headOf(answer: IncomingMessage, more: readonly string[]): string {
	const skipped = more.length > 0 ? /^(?:connection|keep-alive|transfer-encoding)$/i : /^$/;
	const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
	const fields = [...answer.rawHeaders, ...more];
	for (let at = 0; at < fields.length; at += 2) {
		const own = at >= answer.rawHeaders.length;
		if (own || !skipped.test(fields[at]!)) lines.push(`${fields[at]}: ${fields[at + 1]}`);
	}
	return `${lines.join('\r\n')}\r\n\r\n`;
}

/** An answer of the gateway itself on a socket that asked for an upgrade. */
export function answerUpgrade(client: Duplex, { status, headers, body }: Answer): void {
	const length = Buffer.byteLength(body as Uint8Array);
	const lines = Object.entries(headers).flatMap(([name, value]) =>
		(typeof value === 'string' ? [value] : value).map((each) => `${name}: ${each}`),
	);
	client.write(
		`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`,
	);
	client.end(body);
}
