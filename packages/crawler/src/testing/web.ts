import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lookup } from '@wayleave/io/dns';

export interface TestRequest {
	readonly host: string;
	/** With the query. */
	readonly path: string;
	readonly method: string;
	readonly headers: IncomingHttpHeaders;
	/** By the clock of the test. */
	readonly at: number;
	/** How many requests for this path of this host came before. */
	readonly times: number;
}

export interface TestAnswer {
	readonly status?: number;
	readonly headers?: Record<string, string | string[]>;
	readonly body?: string | Uint8Array;
	/** Milliseconds before the response. */
	readonly after?: number;
	/** Never answers. */
	readonly hang?: boolean;
	/** Closes the connection without an answer. */
	readonly reset?: boolean;
}

export type Answer = (request: TestRequest) => TestAnswer | string | undefined;

/** Sites on the loopback, all on one port, told apart by the name of the host. */
export interface TestWeb {
	readonly log: readonly TestRequest[];
	readonly lookup: Lookup;
	readonly port: number;
	/** `h.test` and `/a` make `http://h.test:PORT/a`. */
	url(host: string, path?: string): string;
	/** Paths that were asked for at a host, in order. */
	paths(host: string): string[];
	close(): Promise<void>;
}

/** @param answer undefined is 404; a string is a page of HTML */
export async function startWeb(answer: Answer, now: () => number = Date.now): Promise<TestWeb> {
	const log: TestRequest[] = [];
	const counts = new Map<string, number>();
	const server = createServer((request, response) => {
		const host = (request.headers.host ?? '').replace(/:\d+$/, '');
		const path = request.url ?? '/';
		const times = counts.get(host + path) ?? 0;
		counts.set(host + path, times + 1);
		const entry: TestRequest = { host, path, method: request.method ?? '', headers: request.headers, at: now(), times };
		log.push(entry);
		const given = answer(entry) ?? { status: 404, body: 'not here' };
		const {
			status = 200,
			headers = {},
			body = '',
			after = 0,
			hang,
			reset,
		} = typeof given === 'string' ? { body: given } : (given as TestAnswer);
		if (hang) return;
		if (reset) return void request.socket.destroy();
		const type = typeof given === 'string' ? { 'Content-Type': 'text/html; charset=utf-8' } : {};
		const respond = () => void response.writeHead(status, { ...type, ...headers }).end(body);
		if (after > 0) setTimeout(respond, after);
		else respond();
	});
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const url = (host: string, path = '/') => `http://${host}:${port}${path}`;
	return {
		log,
		port,
		url,
		lookup: async () => [{ address: '127.0.0.1', family: 4 }],
		paths: (host) => log.filter((entry) => entry.host === host).map(({ path }) => path),
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** A page with links. */
export function htmlPage(title: string, links: readonly string[] = [], more = ''): string {
	const anchors = links.map((link) => `<li><a href="${link.replaceAll('&', '&amp;')}">${link}</a></li>`).join('');
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${more}</head><body><main><h1>${title}</h1><p>${title} is a page about which there is not much to say, and this sentence says it.</p></main><nav><ul>${anchors}</ul></nav></body></html>`;
}
