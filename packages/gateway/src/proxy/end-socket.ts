import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GatewayResponse } from '../request/response.ts';

/** Milliseconds that a client has to take its last response. */
const lingerTime = 2000;

/**
 * Says the last word on a connection: sends the response, ends our half, and destroys the socket after two seconds,
 * whatever the client does with its half. What it still sends is thrown away: unread bytes would hide that it has
 * disconnected.
 */
export function endSocket(socket: Duplex, ...response: (string | Uint8Array)[]): void {
	if (socket.destroyed) return;
	const timer = setTimeout(() => socket.destroy(), lingerTime).unref();
	socket.once('close', () => clearTimeout(timer));
	socket.on('error', () => socket.destroy());
	if (socket.writable) {
		for (const part of response) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
		socket.end();
	}
	socket.resume();
}

/** An answer of the gateway as the last word on a connection, where no server of Node writes it. */
export function respondAndEnd(socket: Duplex, { status, headers, body }: GatewayResponse): void {
	const lines = Object.entries(headers).flatMap(([name, value]) =>
		(typeof value === 'string' ? [value] : value).map((each) => `${name}: ${each}\r\n`),
	);
	const bytes = typeof body === 'string' ? Buffer.from(body) : body;
	const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}`;
	endSocket(socket, `${head}content-length: ${bytes.length}\r\nconnection: close\r\n\r\n`, bytes);
}

/** A status and nothing else, as the last word on a connection. */
export function statusAndEnd(socket: Duplex, status: number): void {
	respondAndEnd(socket, { status, headers: {}, body: '' });
}
