import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { OriginFetch } from '../serve/origin-pages.ts';

export interface UpstreamOptions {
	/** Connections to the site at once; what comes beyond waits. Default 256. */
	readonly maxConnections?: number;
	/** Milliseconds until the site has to begin its answer. Default 60,000. */
	readonly timeout?: number;
}

/** The site behind the gateway, reached over connections that stay open. */
export interface Upstream {
	readonly timeout: number;
	/** A request with exactly these bytes as target and these fields. `fresh`: over a connection of its own. */
	request(method: string, path: string, fields: readonly string[], fresh?: boolean): ClientRequest;
	/** The same for the gateway's own needs. */
	readonly fetch: OriginFetch;
	close(): void;
}

/** @param url the origin of the site; a path in it is refused, since what is forwarded is what was judged. */
export function createUpstream(url: string | URL, options: UpstreamOptions = {}): Upstream {
	const { protocol, hostname, port, pathname } = new URL(url);
	if (pathname !== '/') throw new TypeError(`an upstream is an origin without a path: ${url}`);
	const secure = protocol === 'https:';
	const { maxConnections = 256, timeout = 60_000 } = options;
	const client = secure ? https : http;
	const agent = new client.Agent({ keepAlive: true, maxSockets: maxConnections, scheduling: 'lifo' });
	const host = hostname.replace(/^\[|\]$/g, '');
	const base = { host, port: port === '' ? (secure ? 443 : 80) : Number(port), setHost: false };
	const request: Upstream['request'] = (method, path, fields, fresh = false) =>
		client.request({ ...base, method, path, headers: fields as string[], agent: fresh ? false : agent });
	return {
		timeout,
		request,
		fetch: (wanted) => fetchOver(request, wanted, timeout),
		close: () => agent.destroy(),
	};
}

function fetchOver(request: Upstream['request'], wanted: Request, timeout: number): Promise<Response> {
	const { host, pathname, search } = new URL(wanted.url);
	const fields = ['host', host, ...[...wanted.headers].flat()];
	return new Promise((resolve, reject) => {
		const sent = request(wanted.method, pathname + search, fields);
		sent.setTimeout(timeout, () => sent.destroy(new Error('the site does not answer')));
		sent.on('error', reject);
		sent.on('response', (response) => resolve(webResponse(response, wanted.method)));
		sent.end();
	});
}

function webResponse(response: IncomingMessage, method: string): Response {
	const headers = new Headers();
	for (let at = 0; at < response.rawHeaders.length; at += 2) {
		headers.append(response.rawHeaders[at]!, response.rawHeaders[at + 1]!);
	}
	const status = response.statusCode ?? 502;
	if (method === 'HEAD' || status === 204 || status === 304) {
		response.resume();
		return new Response(null, { status, headers });
	}
	return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status, headers });
}
