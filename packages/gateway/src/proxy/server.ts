import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2, { type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { DecidedRequest } from '../decide/decision.ts';
import type { Gateway } from '../engine/gateway.ts';
import { recordServed } from '../engine/observe-response.ts';
import { problemResponse } from '../request/response.ts';
import type { Visit } from '../request/visit.ts';
import { respondAndEnd, statusAndEnd } from './end-socket.ts';
import { FastPath, type FastPathOwner } from './fast-path.ts';
import { framingFault, framingResponse, hasBody, isHttp2 } from './fields.ts';
import { type Guest, NodeGuest, PassingGuest, SessionGuest } from './guests.ts';
import { forward, sendResponse } from './proxy-exchange.ts';
import { overloaded, serveVisit } from './stages.ts';
import { isWebSocket, passUpgrade, withoutUpgrade } from './upgrade.ts';
import type { Upstream } from './upstream.ts';

export interface ProxyOptions {
	/** The gateway of the moment: it may be another one after a reload. */
	gateway(): Gateway;
	readonly upstream: Upstream;
	/** A key and a certificate in PEM form; without them plain HTTP. */
	readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
	/** Requests being forwarded at once; beyond it the answer is 503. Default 10,000. */
	readonly maxInFlight?: number;
	/** Milliseconds without a byte in either direction after which a client is gone. Default 300,000. */
	readonly idleTimeout?: number;
	/**
	 * Milliseconds for the head of a request, which bytes do not renew, and for a TLS handshake. Default 30,000; it may
	 * take up to a quarter more.
	 */
	readonly headerTimeout?: number;
	/** Milliseconds for a whole request; a second more for each kilobyte that has come. Default 300,000. */
	readonly requestTimeout?: number;
	/** Milliseconds for which a connection may rest between two requests. Default 60,000. */
	readonly restTimeout?: number;
	/**
	 * Open client connections at once. A further one replaces the longest idle connection; if none is idle, it gets 503.
	 * Default 10,000.
	 */
	readonly maxConnections?: number;
	/**
	 * Receives errors of the gateway itself: it closes the connection of that request, and all others continue. Default: a
	 * process warning.
	 */
	readonly onTrouble?: (error: unknown) => void;
}

/** Open client connections. */
export interface ConnectionCounts {
	readonly open: number;
	/** Idle ones that made room for others, since the start. */
	readonly evicted: number;
	/** Turned away because none was idle, since the start. */
	readonly refused: number;
}

export interface ReverseProxy {
	listen(port: number, host?: string): Promise<AddressInfo>;
	/** Takes no new requests, ends what is in flight, at the latest after `deadline` milliseconds. */
	close(deadline?: number): Promise<void>;
	readonly inFlight: number;
	readonly connections: ConnectionCounts;
}

/** The first bytes of a client that speaks HTTP/2 without asking (RFC 9113 §3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n');

/** Connections beyond the bound that are being told so; any more are closed without a word. */
const maxRefused = 500;
/** Milliseconds for which none is looked for that could make room, after none was found. */
const searchPause = 50;

/** Connections that may wait to be taken; the system may set a lower limit (`net.core.somaxconn`). */
const backlog = 4096;

/** A reverse proxy that lets the gateway judge each request: HTTP/1.1 and HTTP/2 on one port, with TLS or without. */
export function createProxy(options: ProxyOptions): ReverseProxy {
	return new ProxyServer(options);
}

class ProxyServer implements ReverseProxy, FastPathOwner {
	inFlight = 0;
	closing = false;
	readonly upstream: Upstream;
	readonly #options: ProxyOptions;
	readonly #times: Required<Pick<ProxyOptions, 'idleTimeout' | 'headerTimeout' | 'requestTimeout' | 'restTimeout'>>;
	readonly #maxConnections: number;
	readonly #sockets = new Set<net.Socket>();
	readonly #door: net.Server;
	readonly #plain: http.Server | undefined;
	readonly #second: http2.Http2Server | undefined;
	/** Each connection once, the oldest first. */
	readonly #guests = new Set<Guest>();
	/** Of connections that a server of Node reads, by their sockets. */
	readonly #guestOf = new WeakMap<object, NodeGuest | SessionGuest>();
	/** TLS connections whose handshake is under way, as `nameOf` names them. */
	readonly #handshakes = new Map<string, Guest>();
	/** TLS connections beyond the bound, as `nameOf` names them: their first request is answered with 503. */
	readonly #surplus = new Set<string>();
	/** Sent away, and not closed yet. */
	#leaving = 0;
	#refusing = 0;
	#evicted = 0;
	#refused = 0;
	#searchAgainAt = 0;
	#clock: NodeJS.Timeout | undefined;

	constructor(options: ProxyOptions) {
		this.#options = options;
		this.upstream = options.upstream;
		const { tls, idleTimeout = 300_000, headerTimeout = 30_000, requestTimeout = 300_000 } = options;
		const { restTimeout = 60_000, maxConnections = 10_000 } = options;
		this.#times = { idleTimeout, headerTimeout, requestTimeout, restTimeout };
		this.#maxConnections = maxConnections;
		// Each stream of HTTP/2 is a request in flight: a client has as many as browsers open.
		const http2Options = { maxHeaderListPairs: 200, settings: { maxConcurrentStreams: 128 } };
		if (tls === undefined) {
			this.#plain = http.createServer({
				maxHeaderSize: 32_768,
				keepAlive: true,
				keepAliveTimeout: restTimeout,
				headersTimeout: headerTimeout,
				// The time limit of a request depends on its progress: guests enforce it.
				requestTimeout: 0,
				connectionsCheckingInterval: this.#interval,
			});
			const second = http2.createServer(http2Options);
			this.#equip(this.#plain, false);
			this.#equip(second, false);
			this.#second = second;
			this.#door = net.createServer({ noDelay: true }, (socket) => this.#welcome(socket));
		} else {
			const secure = http2.createSecureServer({
				...tls,
				...http2Options,
				allowHTTP1: true,
				handshakeTimeout: headerTimeout,
			});
			Object.assign(secure, { headersTimeout: headerTimeout, requestTimeout: 0, keepAliveTimeout: restTimeout });
			Object.assign(secure, { connectionsCheckingInterval: this.#interval });
			this.#equip(secure, true);
			this.#door = secure;
			secure.prependListener('connection', (socket: net.Socket) => this.#welcomeSecure(socket));
			secure.on('secureConnection', (socket: TLSSocket) => {
				this.#endHandshake(nameOf(socket));
				if (socket.alpnProtocol !== 'h2') this.#attend(socket);
			});
		}
	}

	get connections(): ConnectionCounts {
		return { open: this.#sockets.size - this.#leaving, evicted: this.#evicted, refused: this.#refused };
	}

	/** Milliseconds between two looks at all connections. */
	get #interval(): number {
		const { idleTimeout, headerTimeout } = this.#times;
		return Math.max(10, Math.min(5000, idleTimeout / 4, headerTimeout / 4));
	}

	async listen(port: number, host?: string): Promise<AddressInfo> {
		await new Promise<void>((resolve, reject) => {
			this.#door.once('error', reject);
			this.#door.listen({ port, host, backlog }, () => {
				this.#door.off('error', reject);
				resolve();
			});
		});
		// It listens through the door: this starts the clocks for clients that never finish a request.
		this.#plain?.emit('listening');
		this.#watchGuests();
		return this.#door.address() as AddressInfo;
	}

	async close(deadline = 10_000): Promise<void> {
		this.closing = true;
		const closed = new Promise<void>((resolve) => this.#door.close(() => resolve()));
		this.#plain?.closeIdleConnections();
		for (const guest of this.#guests) if (guest instanceof FastPath && guest.idle) guest.leave();
		const force = setTimeout(() => this.#destroyAll(), deadline);
		while (this.inFlight > 0 && this.#sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
		this.#destroyAll();
		await closed;
		clearTimeout(force);
		clearInterval(this.#clock);
		this.#plain?.close();
	}

	#destroyAll(): void {
		for (const socket of this.#sockets) socket.destroy();
	}

	#equip(server: http.Server | http2.Http2Server | http2.Http2SecureServer, secure: boolean): void {
		const events = server as http.Server;
		const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
			try {
				this.#serve(request, response, secure, expectsContinue);
			} catch (error) {
				this.#fail(error, request, response);
			}
		};
		events.on('request', (request, response) => serve(request, response, false));
		events.on('checkContinue', (request, response) => serve(request, response, true));
		events.on('upgrade', (request, socket, head) => {
			this.#upgrade(request, socket, head, secure).catch((error: unknown) => {
				this.reportTrouble(error);
				socket.destroy();
			});
		});
		events.on('connect', (request, socket) => {
			const response = problemResponse(405, 'method-not-allowed', 'This server is not a forward proxy');
			// In HTTP/2 it is a request like others, and comes with its response.
			if (isHttp2(request)) sendResponse(request, socket as unknown as ServerResponse, response);
			else respondAndEnd(socket, response);
		});
		events.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#refuseMalformed(error, socket));
		events.on('session', (session: ServerHttp2Session) => {
			const guest = new SessionGuest(session);
			this.#guestOf.set(session, guest);
			this.#guests.add(guest);
			session.once('close', () => this.#guests.delete(guest));
		});
		events.setTimeout(this.#times.idleTimeout);
	}

	gateway(): Gateway {
		return this.#options.gateway();
	}

	enter(): boolean {
		if (this.inFlight >= (this.#options.maxInFlight ?? 10_000)) return false;
		this.inFlight++;
		return true;
	}

	leave(): void {
		this.inFlight--;
	}

	reportTrouble(error: unknown): void {
		const { onTrouble = (trouble) => process.emitWarning(trouble instanceof Error ? trouble : String(trouble)) } =
			this.#options;
		onTrouble(error);
	}

	/** An error of ours ends only this request. */
	#fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
		this.reportTrouble(error);
		if (isHttp2(request)) response.destroy();
		else request.socket.destroy();
	}

	/** Hands everything but plain requests to Node's HTTP server. */
	handOver(fastPath: FastPath, chunk: Buffer): void {
		this.#guests.delete(fastPath);
		const { socket } = fastPath;
		const isSecond = chunk.subarray(0, preface.length).equals(preface);
		if (!isSecond) this.#attend(socket);
		const server = isSecond ? this.#second : this.#plain;
		if (server !== undefined) passOn(server, 'connection', socket, chunk);
	}

	closed(fastPath: FastPath): void {
		this.#guests.delete(fastPath);
	}

	/** Takes a connection in, if there is a place, or one can be made. */
	#welcome(socket: net.Socket): void {
		this.#count(socket);
		if (this.#hasRoom()) {
			this.#guests.add(new FastPath(socket, this));
			return;
		}
		this.#refused++;
		if (!this.#mayRefuse(socket)) return;
		respondAndEnd(socket, tooManyConnections);
	}

	/** Over TLS nothing can be said before the handshake: those beyond the bound are refused at their first request. */
	#welcomeSecure(socket: net.Socket): void {
		this.#count(socket);
		const name = nameOf(socket);
		if (!this.#hasRoom()) {
			this.#refused++;
			if (!this.#mayRefuse(socket)) return;
			this.#surplus.add(name);
			socket.once('close', () => this.#surplus.delete(name));
		}
		const guest = new PassingGuest(socket, true);
		this.#handshakes.set(name, guest);
		this.#guests.add(guest);
		socket.once('close', () => this.#endHandshake(name));
	}

	#endHandshake(name: string): void {
		const guest = this.#handshakes.get(name);
		if (guest === undefined) return;
		this.#guests.delete(guest);
		this.#handshakes.delete(name);
	}

	#count(socket: net.Socket): void {
		this.#sockets.add(socket);
		socket.on('close', () => this.#sockets.delete(socket));
		socket.on('error', () => {});
	}

	/** One that is refused has a place of its own for a moment, of which there are few. */
	#mayRefuse(socket: net.Socket): boolean {
		if (this.#refusing >= maxRefused) {
			socket.destroy();
			return false;
		}
		this.#leaving++;
		this.#refusing++;
		socket.once('close', () => {
			this.#leaving--;
			this.#refusing--;
		});
		return true;
	}

	/** Whether the connection that has just come has a place; where it has none, those leave that were idle longest. */
	#hasRoom(): boolean {
		const open = () => this.#sockets.size - this.#leaving;
		if (open() <= this.#maxConnections) return true;
		const now = performance.now();
		if (now < this.#searchAgainAt) return false;
		const idle = [...this.#guests].filter((guest) => guest.idle).sort((a, b) => a.idleSince - b.idleSince);
		if (idle.length === 0) this.#searchAgainAt = now + searchPause;
		// Some at once, so that not every connection has all others looked through.
		for (const guest of idle.slice(0, Math.max(1, Math.floor(this.#maxConnections / 100)))) {
			this.#guests.delete(guest);
			guest.leave();
			this.#evicted++;
		}
		return idle.length > 0;
	}

	/** Looks after a connection that a server of Node reads. */
	#attend(socket: Duplex): void {
		if (this.#guestOf.has(socket)) return;
		const guest = new NodeGuest(socket);
		this.#guestOf.set(socket, guest);
		this.#guests.add(guest);
		socket.once('close', () => this.#guests.delete(guest));
	}

	#watchGuests(): void {
		const { restTimeout, idleTimeout, requestTimeout } = this.#times;
		const interval = this.#interval;
		const looks = (time: number) => Math.ceil(Math.min(time, idleTimeout) / interval);
		const [rest, busy, stalled] = [looks(restTimeout), looks(idleTimeout), Math.ceil(10_000 / interval)];
		this.#clock = setInterval(() => {
			const now = performance.now();
			const { starved } = this.upstream;
			const times = { rest: restTimeout, request: requestTimeout, starved };
			for (const guest of this.#guests) {
				if (guest instanceof FastPath) guest.lookAt(rest, busy, starved ? stalled : undefined);
				else guest.look?.(now, times);
			}
		}, interval).unref();
	}

	#serve(request: IncomingMessage, response: ServerResponse, secure: boolean, expectsContinue: boolean): void {
		response.on('error', () => {});
		request.on('error', () => {});
		if (cutOff.has(request.socket)) return;
		const guest = this.#guestOf.get(
			isHttp2(request)
				? ((response as unknown as Http2ServerResponse).stream?.session ?? request.socket)
				: request.socket,
		);
		if (guest instanceof NodeGuest) guest.begin(request, response);
		else if (hasBody(request)) guest?.begin(request);
		if (this.#surplus.size > 0 && this.#surplus.has(nameOf(request.socket))) {
			this.#turnAway(request, response);
			return;
		}
		const fault = framingFault(request);
		if (fault !== undefined) {
			cutOff.add(request.socket);
			response.shouldKeepAlive = false;
			sendResponse(request, response, framingResponse(fault));
			return;
		}
		if (this.closing && !isHttp2(request)) response.setHeader('connection', 'close');
		const gateway = this.#options.gateway();
		serveVisit(gateway, visitOfMessage(request), {
			get gone() {
				return response.destroyed;
			},
			respond: (own) => void sendResponse(request, response, own),
			pass: (decided) => this.#pass(gateway, decided, request, response, secure, expectsContinue),
			failed: (error) => this.#fail(error, request, response),
		});
	}

	#pass(
		gateway: Gateway,
		decided: DecidedRequest,
		request: IncomingMessage,
		response: ServerResponse,
		secure: boolean,
		expectsContinue: boolean,
	): void {
		if (!this.enter()) {
			sendResponse(request, response, overloaded());
			return;
		}
		forward(decided, request, response, {
			gateway,
			upstream: this.upstream,
			secure,
			expectsContinue,
			done: (served) => {
				this.leave();
				recordServed(gateway, decided, served);
			},
		});
	}

	#turnAway(request: IncomingMessage, response: ServerResponse): void {
		const { session } = (response as unknown as Partial<Http2ServerResponse>).stream ?? {};
		if (session === undefined) response.shouldKeepAlive = false;
		sendResponse(request, response, tooManyConnections);
		if (session !== undefined) response.once('finish', () => session.close());
	}

	async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, secure: boolean): Promise<void> {
		socket.on('error', () => {});
		(socket as net.Socket).setTimeout?.(0);
		const fault = framingFault(request);
		if (fault !== undefined) {
			respondAndEnd(socket, framingResponse(fault));
			return;
		}
		if (!isWebSocket(request)) {
			const server = secure ? this.#door : this.#plain;
			const event = secure ? 'secureConnection' : 'connection';
			if (server !== undefined) passOn(server, event, socket as net.Socket, withoutUpgrade(request, head));
			return;
		}
		const tunnel = new PassingGuest(socket, false);
		const waiting = this.#guestOf.get(socket);
		if (waiting !== undefined) this.#guests.delete(waiting);
		this.#guests.add(tunnel);
		socket.once('close', () => this.#guests.delete(tunnel));
		const gateway = this.#options.gateway();
		const decided = await gateway.decide(visitOfMessage(request));
		const responded = await gateway.respond(decided);
		if (responded !== undefined) {
			respondAndEnd(socket, responded.response);
			gateway.record(decided, responded.served);
			return;
		}
		const { upstream } = this;
		const { idleTimeout } = this.#times;
		const { origin } = gateway.config;
		passUpgrade(decided, request, socket, head, { upstream, secure, origin, idleTimeout }, (served) =>
			gateway.record(decided, served),
		);
	}

	/** Refuses a malformed or late request, and ends the connection. */
	#refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
		if (cutOff.has(socket)) return;
		cutOff.add(socket);
		const guest = this.#guestOf.get(socket);
		const answered = guest instanceof NodeGuest && guest.hasAnswered;
		if (!socket.writable || error.code === 'ECONNRESET' || answered) socket.destroy();
		else statusAndEnd(socket, statusOf(error.code));
	}
}

/** A connection whose bytes are to be read by a server of Node, those that have been read already first. */
function passOn(server: net.Server, event: 'connection' | 'secureConnection', socket: net.Socket, bytes: Buffer): void {
	// Servers take what has been read already from the socket, each in its own way.
	socket.pause();
	socket.unshift(bytes);
	server.emit(event, socket);
	if (!(server instanceof http.Server) && event === 'connection') return;
	socket.resume();
}

function nameOf({ remoteAddress, remotePort }: Pick<net.Socket, 'remoteAddress' | 'remotePort'>): string {
	return `${remoteAddress} ${remotePort}`;
}

function statusOf(code: string | undefined): number {
	if (code === 'HPE_HEADER_OVERFLOW') return 431;
	return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

const tooManyConnections = problemResponse(
	503,
	'too-many-connections',
	'Too many connections at once',
	{},
	{ 'retry-after': '2' },
);

/** A message of Node as a visit. */
export function visitOfMessage(request: IncomingMessage): Visit {
	const { headers } = request;
	return {
		method: request.method ?? 'GET',
		target: request.url ?? '/',
		address: request.socket?.remoteAddress ?? '',
		header(name) {
			const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
			return typeof value === 'object' ? value.join(', ') : value;
		},
	};
}

/** Connections whose last answer has been given: what still comes on them is not looked at. */
const cutOff = new WeakSet<Duplex>();
