import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { somEndpoint } from '@wayleave/gateway/som';
import { formatKeyDirectory, generateSigningKey, keyDirectoryPath, loadSigningKey } from '@wayleave/io/signatures';
import { parseRobots } from '@wayleave/protocols/robots';

export interface Publisher {
	readonly origin: string;
	/** Method and path of every request, in order. */
	readonly log: readonly string[];
	close(): Promise<void>;
}

export interface PublisherOptions {
	/** HTML by path. */
	readonly pages: Readonly<Record<string, string>>;
	/** In front of the SOM lines. */
	readonly robots: string;
	/** Answers in the place of the endpoint. */
	readonly endpoint?: (url: string, good: () => Promise<Response>) => Promise<Response>;
}

/** A site on the loopback with pages, a robots.txt and a signing SOM endpoint that also gives what is disallowed. */
export async function startPublisher({ pages, robots, endpoint }: PublisherOptions): Promise<Publisher> {
	const log: string[] = [];
	const key = loadSigningKey(generateSigningKey());
	const server = createServer(async (request, response) => {
		const path = request.url ?? '/';
		log.push(`${request.method} ${path}`);
		const answer = await answerTo(path, new Headers(Object.entries(request.headers) as [string, string][]));
		response.writeHead(answer.status, Object.fromEntries(answer.headers));
		if (answer.body === null) response.end();
		// The client may hang up in the middle.
		else pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => {});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const rules = `${robots}\nSOM-Endpoint: ${origin}/v1/som\nSOM-Format: SOM/1.0\nSOM-Scope: main-content\n`;
	const handle = somEndpoint({
		origin,
		policies: () => ({ robots: { source: `${origin}/robots.txt`, file: parseRobots(rules).value } }),
		agent: () => ({ token: 'AIWebIndex' }),
		offerDisallowed: true,
		signingKey: key,
		async page(url) {
			const html = pages[new URL(url).pathname];
			return html === undefined ? { status: 404, html: '' } : { status: 200, html };
		},
	});

	async function answerTo(path: string, headers: Headers): Promise<Response> {
		const { pathname, searchParams } = new URL(path, origin);
		if (pathname === '/robots.txt') return new Response(rules, { headers: { 'content-type': 'text/plain' } });
		if (pathname === keyDirectoryPath) return new Response(formatKeyDirectory([key]));
		if (pathname === '/v1/som') {
			const good = () => handle(new Request(origin + path, { headers }));
			return endpoint?.(searchParams.get('url') ?? '', good) ?? good();
		}
		const html = pages[pathname];
		if (html === undefined) return new Response('not here', { status: 404 });
		return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
	}

	return {
		origin,
		log,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
