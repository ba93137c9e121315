import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuard, type GuardOptions, guarded } from '@wayleave/io/listen';
import type { ListenAddress } from './options/addresses.ts';

export interface PageServerOptions {
	readonly at: ListenAddress;
	/** Responds to a request, whose body is in the message of Node; undefined for paths that are not its own. */
	readonly show: (request: Request, message: IncomingMessage) => Promise<Response | undefined>;
	/** Said for other paths. */
	readonly elsewhere: string;
	/** Further host names that the listener accepts. */
	readonly names?: GuardOptions;
}

/**
 * Serves a page on a listener of its own: it is for the operator, not for the world.
 *
 * @throws an error of the system where it cannot listen.
 */
export async function servePage(options: PageServerOptions): Promise<{ address: AddressInfo; server: Server }> {
	const { at, show, elsewhere, names } = options;
	const listener: RequestListener = (request, response) => {
		respond(show, elsewhere, request, response).catch(() => response.writeHead(500).end());
	};
	const server = createServer(guarded(createGuard(names), listener));
	server.listen(at.port, at.host);
	await once(server, 'listening');
	return { address: server.address() as AddressInfo, server };
}

async function respond(
	show: PageServerOptions['show'],
	elsewhere: string,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { authorization } = request.headers;
	const leaving = new AbortController();
	response.once('close', () => {
		if (!response.writableFinished) leaving.abort();
	});
	const found = await show(
		new Request(new URL(request.url ?? '/', `http://${request.headers.host}`), {
			method: request.method ?? 'GET',
			headers: authorization === undefined ? {} : { authorization },
			signal: leaving.signal,
		}),
		request,
	);
	if (found === undefined) {
		response.writeHead(404, { 'content-type': 'text/plain' }).end(`${elsewhere}\n`);
		return;
	}
	response.writeHead(found.status, Object.fromEntries(found.headers));
	response.end(request.method === 'HEAD' ? undefined : Buffer.from(await found.arrayBuffer()));
}
