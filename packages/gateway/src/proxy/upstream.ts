import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { OriginFetch } from '../respond/origin-pages.ts';
import { Connections, type Exchange, type ExchangeEvents } from './connections.ts';
import { Deadlines } from './deadlines.ts';

export interface UpstreamOptions {
	/** Connections to the site at once; what comes beyond waits. Default 256. */
	readonly maxConnections?: number;
	/** Milliseconds until the site has to begin its answer. Default 60,000. */
	readonly timeout?: number;
}

/** The site behind the gateway, reached over connections that stay open. */
export interface Upstream {
	readonly timeout: number;
	/** Requests that wait for the site to respond. */
	readonly deadlines: Deadlines;
	/** Requests wait for one of the connections, which are all busy. */
	readonly starved: boolean;
	/**
	 * A request with exactly these bytes as target and these fields, as `fieldsText` writes them.
	 *
	 * @param fresh over a connection that has not been used.
	 */
	send(method: string, path: string, fields: string, events: ExchangeEvents, fresh?: boolean): Exchange;
	/** A request that becomes a connection of its own. */
	upgrade(method: string, path: string, fields: readonly string[]): ClientRequest;
	/** For the gateway's own needs. */
	readonly fetch: OriginFetch;
	close(): void;
}

/** Connections for the gateway's own needs, beside those of the visitors. */
const ownConnections = 16;

/** @param url the origin of the site; a path in it is refused, since what is forwarded is what was judged. */
export function createUpstream(url: string | URL, options: UpstreamOptions = {}): Upstream {
	const { protocol, hostname, port: given, pathname } = new URL(url);
	if (pathname !== '/') throw new TypeError(`an upstream must be an origin without a path, not ${url}`);
	const secure = protocol === 'https:';
	const { maxConnections = 256, timeout = 60_000 } = options;
	const host = hostname.replace(/^\[|\]$/g, '');
	const port = given === '' ? (secure ? 443 : 80) : Number(given);
	const connections = new Connections({ host, port, secure }, maxConnections);
	const client = secure ? https : http;
	const agent = new client.Agent({ keepAlive: true, maxSockets: ownConnections, scheduling: 'lifo' });
	const request = (method: string, path: string, fields: readonly string[], over: http.Agent | false) =>
		client.request({ host, port, setHost: false, method, path, headers: fields as string[], agent: over });
	const deadlines = new Deadlines(timeout);
	return {
		timeout,
		deadlines,
		get starved() {
			return connections.starved;
		},
		send: (method, path, fields, events, fresh = false) =>
			connections.send(`${method} ${path} HTTP/1.1\r\n${fields}\r\n`, method === 'HEAD', events, fresh),
		upgrade: (method, path, fields) => request(method, path, fields, false),
		fetch: (wanted) => fetchOver((...parts) => request(...parts, agent), wanted, timeout),
		close() {
			agent.destroy();
			deadlines.close();
			connections.close();
		},
	};
}

type SendOwn = (method: string, path: string, fields: readonly string[]) => ClientRequest;

function fetchOver(send: SendOwn, wanted: Request, timeout: number): Promise<Response> {
	const { host, pathname, search } = new URL(wanted.url);
	const fields = ['host', host, ...[...wanted.headers].flat()];
	return new Promise((resolve, reject) => {
		const sent = send(wanted.method, pathname + search, fields);
		const { signal } = wanted;
		const abort = () => sent.destroy(signal.reason);
		signal.addEventListener('abort', abort, { once: true });
		sent.on('close', () => signal.removeEventListener('abort', abort));
		sent.setTimeout(timeout, () => sent.destroy(new Error('the site does not respond')));
		sent.on('error', reject);
		sent.on('response', (response) => resolve(webResponse(response, wanted.method)));
		sent.end();
	});
}

function webResponse(response: IncomingMessage, method: string): Response {
	const headers = new Headers();
	for (let at = 0; at < response.rawHeaders.length; at += 2) {
		headers.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '');
	}
	const status = response.statusCode ?? 502;
	if (method === 'HEAD' || status === 204 || status === 304) {
		response.resume();
		return new Response(null, { status, headers });
	}
	return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status, headers });
}
