import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Lookup } from '../dns/types.ts';
import type { Behaviour, Behaviours } from './hostile/behaviour.ts';
import { bodies } from './hostile/bodies.ts';
import { connection } from './hostile/connection.ts';
import { content } from './hostile/content.ts';
import { Exchange, type LoggedRequest } from './hostile/exchange.ts';
import { messages } from './hostile/messages.ts';
import { pauses } from './hostile/pauses.ts';
import { redirects } from './hostile/redirects.ts';
import { robotsFiles } from './hostile/robots.ts';
import { serveOrdinary } from './hostile/site.ts';
import { sitemaps } from './hostile/sitemaps.ts';
import { timing } from './hostile/timing.ts';
import { traps } from './hostile/traps.ts';

export type { Behaviour } from './hostile/behaviour.ts';
export type { LoggedRequest } from './hostile/exchange.ts';

/** Every host: what it does, and what ought to come of it. */
export const hostileHosts = {
	...timing,
	...bodies,
	...connection,
	...messages,
	...redirects,
	...pauses,
	...content,
	...traps,
	...robotsFiles,
	...sitemaps,
} as const satisfies Behaviours;

export interface HostileOptions {
	/** The unit of time of all that is slow; milliseconds. Default 20. */
	readonly unit?: number;
	/** Only these hosts listen. Default: all. */
	readonly hosts?: readonly string[];
}

export interface HostileServer {
	/** Gives each host its address, `127.0.0.x`, and fails with ENOTFOUND for names that are not hostile. */
	readonly lookup: Lookup;
	/** Whether a name is one of the hosts that may be reached although their addresses are not public. */
	readonly allowPrivate: (hostname: string) => boolean;
	/** The URL of a path of a host, by default of the path that misbehaves. All hosts have the same port. */
	url(host: string, path?: string): string;
	/** All requests, in the order in which they came. */
	readonly log: LoggedRequest[];
	/** Those to one host. */
	requests(host: string): LoggedRequest[];
	close(): Promise<void>;
}

/**
 * Hosts with every misbehaviour that has a name, each at an address of its own on the loopback. Most misbehave on one
 * path and are small ordinary sites otherwise, so that a crawler can be sent to their `/`.
 */
export async function startHostileServer(options: HostileOptions = {}): Promise<HostileServer> {
	const unit = options.unit ?? 20;
	const table: Behaviours = hostileHosts;
	const names = (options.hosts ?? Object.keys(table)).filter((name) => table[name]?.resolvesTo === undefined);
	const addresses = new Map(names.map((name, index) => [name, `127.0.0.${index + 2}`]));
	const listening = names.filter((name) => name !== 'refused.test');
	const log: LoggedRequest[] = [];
	const sockets = new Set<Socket>();
	let port = 0;
	const originOf = (host: string) => `http://${host}:${port}`;

	const servers = listening.map((name) => {
		const behaviour = table[name];
		if (behaviour === undefined) throw new Error(`no hostile host ${name}`);
		const host = new HostileHost(name, behaviour, { unit, log, originOf });
		return createServer({ noDelay: true }, (socket) => {
			sockets.add(socket);
			socket.on('close', () => sockets.delete(socket));
			void host.accept(socket);
		});
	});
	port = await listenTogether(
		servers,
		listening.map((name) => addresses.get(name)!),
	);

	return {
		lookup: async (hostname) => {
			const special = table[hostname]?.resolvesTo;
			const address = addresses.get(hostname);
			if (Array.isArray(special)) return special.map((each) => ({ address: each, family: each.includes(':') ? 6 : 4 }));
			if (address !== undefined) return [{ address, family: 4 }];
			const code = typeof special === 'string' ? special : 'ENOTFOUND';
			throw Object.assign(new Error(`${code} ${hostname}`), { code });
		},
		allowPrivate: (hostname) => addresses.has(hostname),
		url: (host, path) => `${originOf(host)}${path ?? table[host]?.path ?? '/'}`,
		log,
		requests: (host) => log.filter((request) => request.host === host),
		async close() {
			for (const socket of sockets) socket.destroy();
			await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
		},
	};
}

/** All servers at one port that is free at every address. */
async function listenTogether(servers: readonly Server[], addresses: readonly string[]): Promise<number> {
	for (let attempt = 1; ; attempt++) {
		let port = 0;
		try {
			for (const [index, server] of servers.entries()) {
				server.listen(port, addresses[index]);
				await once(server, 'listening');
				port = (server.address() as AddressInfo).port;
			}
			return port;
		} catch (error) {
			for (const server of servers) server.close();
			if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === 10) throw error;
		}
	}
}

interface HostContext {
	readonly unit: number;
	readonly log: LoggedRequest[];
	readonly originOf: (host: string) => string;
}

class HostileHost {
	readonly #name: string;
	readonly #behaviour: Behaviour;
	readonly #context: HostContext;
	readonly #times = new Map<string, number>();
	#connections = 0;

	constructor(name: string, behaviour: Behaviour, context: HostContext) {
		this.#name = name;
		this.#behaviour = behaviour;
		this.#context = context;
	}

	/** Serves one request after the other until the connection ends. */
	async accept(socket: Socket): Promise<void> {
		const connection = ++this.#connections;
		socket.on('error', () => {}); // clients that give up are part of the game
		let pending = '';
		let busy = false;
		socket.on('data', async (bytes) => {
			pending += bytes.toString('latin1');
			if (busy) return;
			busy = true;
			for (let end = pending.indexOf('\r\n\r\n'); end !== -1; end = pending.indexOf('\r\n\r\n')) {
				const head = pending.slice(0, end);
				pending = pending.slice(end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0));
				await this.#answer(socket, head, connection);
			}
			busy = false;
		});
	}

	async #answer(socket: Socket, head: string, connection: number): Promise<void> {
		const request = parseRequest(head, this.#name, connection);
		this.#context.log.push(request);
		const times = this.#times.get(request.path) ?? 0;
		this.#times.set(request.path, times + 1);
		const finished = () => {
			request.end ||= Date.now();
		};
		socket.once('close', finished);
		const exchange = new Exchange(socket, request, { times, ...this.#context });
		const { path, serve, also } = this.#behaviour;
		if (serve !== undefined && (request.path === path || exchange.path === path)) await serve(exchange);
		else if (!also?.(exchange)) serveOrdinary(exchange, this.#behaviour);
		finished();
		socket.off('close', finished);
	}
}

function parseRequest(head: string, host: string, connection: number): LoggedRequest {
	const [first = '', ...lines] = head.split('\r\n');
	const [method = '', path = ''] = first.split(' ');
	const headers = lines.map((line) => [line.replace(/:.*/s, '').toLowerCase(), line.replace(/^[^:]*:\s*/, '')]);
	return { host, method, path, headers: Object.fromEntries(headers), connection, start: Date.now(), end: 0 };
}
