import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createGuard, type GuardRefusal, guarded } from '@wayleave/io/listen';
import { baseUrl } from '../config/base-url.ts';
import type { ServiceConfig } from '../config/config.ts';
import { problemType, ServiceError, toProblem } from '../problems/problem.ts';
import type { Service } from './build-service.ts';

export interface Listening {
	readonly address: AddressInfo;
	/**
	 * Stops: no new requests, those in flight are waited for, then everything is closed.
	 *
	 * @param grace how long that may take; milliseconds
	 */
	close(grace: number): Promise<void>;
}

/** Why a service does not listen. */
export class ListenError extends Error {
	readonly code: 'open-to-the-world';

	constructor(host: string) {
		super(
			`--open is allowed on this machine only, not on ${host}: omit --open and create keys with "wayleave keys create"`,
		);
		this.name = 'ListenError';
		this.code = 'open-to-the-world';
	}
}

/** Connections at once; more are closed. Each has one request that waits for a page. */
const maxConnections = 10_000;

/** Time limits of a client that sends its request; milliseconds. */
const patience = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000 };

/**
 * Takes requests.
 *
 * @throws ListenError `open-to-the-world` if requests need no key and the address is not on the loopback
 */
export async function listen(service: Service, port: number, host: string): Promise<Listening> {
	if (service.config.open && !isLoopbackAddress(host)) throw new ListenError(host);
	const listener = getRequestListener(service.fetch);
	const { config } = service;
	const server = createServer(
		patience,
		config.open ? guarded(createGuard(config), listener, refuser(config)) : listener,
	);
	server.maxConnections = maxConnections;
	server.listen({ port, host, backlog: 4096 });
	await once(server, 'listening');
	return {
		address: server.address() as AddressInfo,
		async close(grace) {
			service.stop();
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			const late = setTimeout(() => server.closeAllConnections(), grace);
			server.closeIdleConnections();
			await closed;
			clearTimeout(late);
			await service.close();
		},
	};
}

/** Refuses with a problem object, like all other errors. */
const refuser =
	(config: ServiceConfig) =>
	(response: ServerResponse, { code, sentence }: GuardRefusal) => {
		const problem = toProblem(new ServiceError(code, { detail: sentence }), baseUrl(config));
		response.writeHead(problem.status, { 'content-type': problemType, 'cache-control': 'no-store' });
		response.end(JSON.stringify(problem));
	};

/** Names other than `localhost` may lead anywhere tomorrow. */
export function isLoopbackAddress(host: string): boolean {
	return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
