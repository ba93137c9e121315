import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemAnswer } from '../serve/answer.ts';
import type { Gateway } from '../serve/gateway.ts';
import { recordServed } from '../serve/lesson.ts';
import type { Judged } from '../serve/ruling.ts';
import type { Visit } from '../serve/visit.ts';
import { framingFault } from './fields.ts';
import { forward, sendAnswer } from './hop.ts';
import { type LaneOwner, PlainLane } from './plain-lane.ts';
import { overloaded, serveVisit } from './stages.ts';
import { answerUpgrade, passUpgrade } from './upgrade.ts';
import type { Upstream } from './upstream.ts';

export interface ProxyOptions {
	/** The gateway of the moment: it may be another one after a reload. */
	gateway(): Gateway;
	readonly upstream: Upstream;
	/** A key and a certificate in PEM form; without them plain HTTP. */
	readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
	/** Requests that are being forwarded at once; beyond it the answer is 503. Default 10,000. */
	readonly maxInFlight?: number;
	/** Milliseconds without a byte in either direction after which a client is gone. Default 300,000. */
	readonly idleTimeout?: number;
}

export interface ReverseProxy {
	listen(port: number, host?: string): Promise<AddressInfo>;
	/** Takes no new requests, ends what is in flight, at the latest after `deadline` milliseconds. */
	close(deadline?: number): Promise<void>;
	readonly inFlight: number;
}

/** The first bytes of a client that speaks HTTP/2 without asking (RFC 9113 §3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n');

/** Milliseconds for which a connection may rest between two requests. */
const restTimeout = 60_000;

/** Connections that may wait to be taken; the system may set a lower limit (`net.core.somaxconn`). */
const backlog = 4096;

/** A reverse proxy that lets the gateway judge each request: HTTP/1.1 and HTTP/2 on one port, with TLS or without. */
export function createProxy(options: ProxyOptions): ReverseProxy {
	return new ProxyServer(options);
}

class ProxyServer implements ReverseProxy, LaneOwner {
	inFlight = 0;
	closing = false;
	readonly upstream: Upstream;
	private readonly options: ProxyOptions;
	private readonly sockets = new Set<net.Socket>();
	private readonly door: net.Server;
	private readonly plain: http.Server | undefined;
	private readonly second: http2.Http2Server | undefined;
	private readonly lanes = new Set<PlainLane>();
	private clock: NodeJS.Timeout | undefined;

	constructor(options: ProxyOptions) {
		this.options = options;
		this.upstream = options.upstream;
		const { tls } = options;
		if (tls === undefined) {
			this.plain = http.createServer({ maxHeaderSize: 32_768, keepAlive: true });
			const second = http2.createServer();
			this.equip(this.plain, false);
			this.equip(second, false);
			this.second = second;
			this.door = net.createServer({ noDelay: true }, (socket) => this.lanes.add(new PlainLane(socket, this)));
		} else {
			const secure = http2.createSecureServer({ ...tls, allowHTTP1: true, maxHeaderListPairs: 200 });
			this.equip(secure, true);
			this.door = secure;
		}
		this.door.on('connection', (socket: net.Socket) => {
			this.sockets.add(socket);
			socket.on('close', () => this.sockets.delete(socket));
			socket.on('error', () => {});
		});
	}

	async listen(port: number, host?: string): Promise<AddressInfo> {
		await new Promise<void>((resolve, reject) => {
			this.door.once('error', reject);
			this.door.listen({ port, host, backlog }, () => {
				this.door.off('error', reject);
				resolve();
			});
		});
		// It listens through the door: this starts the clocks for clients that never finish a request.
		this.plain?.emit('listening');
		this.watchLanes();
		return this.door.address() as AddressInfo;
	}

	async close(deadline = 10_000): Promise<void> {
		this.closing = true;
		const closed = new Promise<void>((resolve) => this.door.close(() => resolve()));
		this.plain?.closeIdleConnections();
		for (const lane of this.lanes) if (lane.idle) lane.socket.destroy();
		const force = setTimeout(() => this.destroyAll(), deadline);
		while (this.inFlight > 0 && this.sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
		this.destroyAll();
		await closed;
		clearTimeout(force);
		clearInterval(this.clock);
		this.plain?.close();
	}

	private destroyAll(): void {
		for (const socket of this.sockets) socket.destroy();
	}

	private equip(server: http.Server | http2.Http2Server | http2.Http2SecureServer, secure: boolean): void {
		const events = server as http.Server;
		events.on('request', (request, response) => this.serve(request, response, secure, false));
		events.on('checkContinue', (request, response) => this.serve(request, response, secure, true));
		events.on('upgrade', (request, socket, head) => void this.upgrade(request, socket, head, secure));
		events.on('connect', (_request, socket: Duplex) => {
			answerUpgrade(socket, problemAnswer(405, 'method-not-allowed', 'This is no forward proxy'));
		});
		events.on('clientError', refuseMalformed);
		events.setTimeout(this.options.idleTimeout ?? 300_000);
	}

	gateway(): Gateway {
		return this.options.gateway();
	}

	enter(): boolean {
		if (this.inFlight >= (this.options.maxInFlight ?? 10_000)) return false;
		this.inFlight++;
		return true;
	}

	leave(): void {
		this.inFlight--;
	}

	/** What is no plain request goes to the server that speaks its language. */
	handOver(lane: PlainLane, chunk: Buffer): void {
		this.lanes.delete(lane);
		const { socket } = lane;
		const server = chunk.subarray(0, preface.length).equals(preface) ? this.second! : this.plain!;
		// Each of the two takes what has been read already from the socket, in its own way.
		socket.pause();
		socket.unshift(chunk);
		server.emit('connection', socket);
		if (server === this.plain) socket.resume();
	}

	closed(lane: PlainLane): void {
		this.lanes.delete(lane);
	}

	private watchLanes(): void {
		const { idleTimeout = 300_000 } = this.options;
		const interval = Math.min(5000, idleTimeout / 4);
		const looks = (time: number) => Math.ceil(Math.min(time, idleTimeout) / interval);
		this.clock = setInterval(() => {
			for (const lane of this.lanes) lane.look(looks(restTimeout), looks(idleTimeout));
		}, interval).unref();
	}

	private serve(request: IncomingMessage, response: ServerResponse, secure: boolean, expectsContinue: boolean): void {
		response.on('error', () => {});
		request.on('error', () => {});
		const fault = framingFault(request);
		if (fault !== undefined) {
			cutOff.add(request.socket);
			response.shouldKeepAlive = false;
			sendAnswer(request, response, problemAnswer(400, fault, 'The request could be read in two ways'));
			return;
		}
		if (this.closing && request.httpVersionMajor === 1) response.setHeader('connection', 'close');
		const gateway = this.options.gateway();
		serveVisit(gateway, visitOfMessage(request), {
			get gone() {
				return response.destroyed;
			},
			answer: (answer) => void sendAnswer(request, response, answer),
			pass: (judged) => this.pass(gateway, judged, request, response, secure, expectsContinue),
		});
	}

	private pass(
		gateway: Gateway,
		judged: Judged,
		request: IncomingMessage,
		response: ServerResponse,
		secure: boolean,
		expectsContinue: boolean,
	): void {
		if (!this.enter()) {
			sendAnswer(request, response, overloaded());
			return;
		}
		forward(judged, request, response, {
			gateway,
			upstream: this.upstream,
			secure,
			expectsContinue,
			done: (served) => {
				this.leave();
				recordServed(gateway, judged, served);
			},
		});
	}

	private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, secure: boolean): Promise<void> {
		socket.on('error', () => {});
		(socket as net.Socket).setTimeout?.(0);
		if (framingFault(request) !== undefined) {
			answerUpgrade(socket, problemAnswer(400, 'bad-framing', 'The request could be read in two ways'));
			return;
		}
		const gateway = this.options.gateway();
		const judged = await gateway.judge(visitOfMessage(request));
		const responded = await gateway.respond(judged);
		if (responded !== undefined) {
			answerUpgrade(socket, responded.answer);
			gateway.record(judged, responded.served);
			return;
		}
		const { origin } = gateway.config;
		passUpgrade(judged, request, socket, head, this.upstream, { secure, origin }, (served) =>
			gateway.record(judged, served),
		);
	}
}

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

/** What the parser cannot read is answered and cut off. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
	if (cutOff.has(socket)) return;
	if (!socket.writable || error.code === 'ECONNRESET') {
		socket.destroy();
		return;
	}
	const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
	socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
