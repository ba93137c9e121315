import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type DecidedRequest, rawTarget } from '../decide/decision.ts';
import type { Served } from '../ledger/entry.ts';
import { endSocket, statusAndEnd } from './end-socket.ts';
import { type ForwardingOptions, hasBody, requestFields } from './fields.ts';
import type { Upstream } from './upstream.ts';

/** Whether a request opens a WebSocket: it has no body (RFC 6455 §4.1), so bytes behind it belong to the site alone. */
export function isWebSocket(request: IncomingMessage): boolean {
	return request.headers.upgrade?.toLowerCase() === 'websocket' && !hasBody(request);
}

/**
 * Any other upgrade is the plain request that it is too (RFC 9110 §7.8): HTTP/2 behind an upgrade would carry requests
 * that the gateway does not judge. Its bytes, without what asks for the upgrade, for the server to read again with the
 * body.
 */
export function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage, head: Buffer): Buffer {
	const lines = [`${method} ${url} HTTP/${httpVersion}`];
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] ?? '';
		const value = rawHeaders[at + 1] ?? '';
		if (/^(?:upgrade|http2-settings)$/i.test(name)) continue;
		lines.push(`${name}: ${/^connection$/i.test(name) ? withoutOptions(value) : value}`);
	}
	return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
}

function withoutOptions(connection: string): string {
	const options = connection.split(',').map((option) => option.trim());
	return options.filter((option) => !/^(?:upgrade|http2-settings)$/i.test(option)).join(', ');
}

export interface UpgradeOptions extends Pick<ForwardingOptions, 'secure' | 'origin'> {
	readonly upstream: Upstream;
	/** Milliseconds without a byte either way. */
	readonly idleTimeout: number;
}

/** Passes a WebSocket through: once the site has agreed, bytes go both ways unread. */
export function passUpgrade(
	decided: DecidedRequest,
	request: IncomingMessage,
	client: Duplex & { setTimeout?(milliseconds: number, callback: () => void): unknown },
	head: Buffer,
	{ upstream, secure, origin, idleTimeout }: UpgradeOptions,
	done: (served: Served) => void,
): void {
	const fields = requestFields(request, decided, { secure, withBody: false, upgrade: true, origin });
	// The connection is spent on this one client: none of the kept ones.
	const sent = upstream.upgrade(request.method ?? 'GET', rawTarget(decided), fields);
	client.on('close', () => sent.destroy());
	sent.setTimeout(upstream.timeout, () => sent.destroy(new Error('the site does not respond')));
	sent.on('error', () => {
		statusAndEnd(client, 502);
		done({ status: 502, bytes: 0 });
	});
	sent.on('response', (response) => {
		client.write(headOf(response, ['connection', 'close']));
		response.pipe(client, { end: false });
		response.on('end', () => endSocket(client));
		response.on('error', () => client.destroy());
		client.resume();
		done({ status: response.statusCode ?? 502, bytes: 0 });
	});
	sent.on('upgrade', (response, site, first) => {
		sent.setTimeout(0);
		done({ status: 101, bytes: 0 });
		client.write(headOf(response, []));
		if (first.length > 0) client.write(first);
		if (head.length > 0) site.write(head);
		join(client, site);
		join(site, client);
		// Both directions pass this socket.
		client.setTimeout?.(idleTimeout, () => client.destroy());
		site.pipe(client, { end: false });
		site.on('end', () => endSocket(client));
		client.pipe(site);
	});
	sent.end();
}

/** When one side is gone, so is the other. */
function join(one: Duplex, other: Duplex): void {
	one.on('error', () => other.destroy());
	one.on('close', () => other.destroy());
}

function headOf(response: IncomingMessage, more: readonly string[]): string {
	const skipped = more.length > 0 ? /^(?:connection|keep-alive|transfer-encoding)$/i : /^$/;
	const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`];
	const fields = [...response.rawHeaders, ...more];
	for (let at = 0; at < fields.length; at += 2) {
		const own = at >= response.rawHeaders.length;
		if (own || !skipped.test(fields[at] ?? '')) lines.push(`${fields[at]}: ${fields[at + 1]}`);
	}
	return `${lines.join('\r\n')}\r\n\r\n`;
}
