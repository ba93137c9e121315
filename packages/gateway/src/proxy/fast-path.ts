import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { DecidedRequest } from '../decide/decision.ts';
import type { Gateway } from '../engine/gateway.ts';
import { recordServed } from '../engine/observe-response.ts';
import type { Served } from '../ledger/entry.ts';
import type { GatewayResponse } from '../request/response.ts';
import { type FastPathClient, FastPathExchange } from './fast-path-exchange.ts';
import { type PlainFields, type PlainRequest, readPlainRequest } from './fast-path-request.ts';
import type { Guest } from './guests.ts';
import { type Caller, overloaded, serveVisit } from './stages.ts';
import type { Upstream } from './upstream.ts';

/** Characters that are invalid in a field; the low byte of some letters would end the field. */
const unfit = /[^\t\x20-\x7e\x80-\xff]/g;

/** The part of the server that a fast path needs. */
export interface FastPathOwner {
	gateway(): Gateway;
	readonly upstream: Upstream;
	readonly closing: boolean;
	/** Takes a place among the requests that are forwarded at once; false: there is none. */
	enter(): boolean;
	leave(): void;
	/** Something came that is no plain request: the lane is closed, and another server goes on with the connection. */
	handOver(fastPath: FastPath, chunk: Buffer): void;
	closed(fastPath: FastPath): void;
	/** An error of the gateway itself, for the operator. */
	reportTrouble(error: unknown): void;
}

/**
 * A connection without TLS as long as nothing but plain requests come on it, one after the other. Most connections never
 * leave their lane: for these no message of Node is made, and no stream besides the two sockets. The first bytes that
 * are anything else go to the server of Node, and so does all that follows them.
 */
export class FastPath implements Caller, FastPathClient, Guest {
	readonly socket: Socket;
	gateway!: Gateway;
	readonly #owner: FastPathOwner;
	readonly #address: string;
	#request: PlainRequest | undefined;
	#fields: PlainFields | undefined;
	#exchange: FastPathExchange | undefined;
	/** Bytes that arrived during a request. */
	#early: Buffer | undefined;
	/** Looks of the clock since something happened, and how many bytes had passed then. */
	#looks = 0;
	#passed = 0;
	idleSince = performance.now();

	constructor(socket: Socket, owner: FastPathOwner) {
		this.socket = socket;
		this.#owner = owner;
		this.#address = socket.remoteAddress ?? '';
		socket.on('data', this.#take);
		socket.on('drain', this.#drained);
		socket.on('close', this.#closed);
	}

	get closing(): boolean {
		return this.#owner.closing;
	}

	get upstream(): Upstream {
		return this.#owner.upstream;
	}

	get gone(): boolean {
		return this.socket.destroyed;
	}

	get idle(): boolean {
		return this.#request === undefined;
	}

	leave(): void {
		this.socket.destroy();
	}

	/**
	 * Closes what has been still for too long: `idle` looks between requests, `busy` looks within one. `stalled`: others
	 * wait for the connection to the site whose response the client has not taken for so many looks.
	 */
	lookAt(idle: number, busy: number, stalled: number | undefined): void {
		const bytes = this.socket.bytesRead + this.socket.bytesWritten;
		this.#looks = bytes === this.#passed ? this.#looks + 1 : 0;
		this.#passed = bytes;
		const most = this.idle ? idle : this.socket.writableNeedDrain ? Math.min(busy, stalled ?? busy) : busy;
		if (this.#looks >= most) this.socket.destroy();
	}

	respond(response: GatewayResponse): void {
		const request = this.#request;
		if (request === undefined) return;
		this.send(request, response);
		this.#free();
	}

	pass(decided: DecidedRequest): void {
		const request = this.#request;
		if (request === undefined) return;
		if (this.#owner.enter()) {
			this.#exchange = new FastPathExchange(this, decided, request);
			this.#exchange.start(false);
		} else this.respond(overloaded());
	}

	failed(error: unknown): void {
		this.#owner.reportTrouble(error);
		this.socket.destroy();
	}

	send({ method }: PlainRequest, { status, headers, body }: GatewayResponse): number {
		const bytes = typeof body === 'string' ? Buffer.from(body) : body;
		const bare = status === 304 || status === 204;
		let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
		for (const [name, value] of Object.entries(headers)) {
			if (name === 'content-length') continue;
			for (const each of typeof value === 'string' ? [value] : value)
				head += `${name}: ${each.replace(unfit, '?')}\r\n`;
		}
		if (!bare)
			head += `content-length: ${method === 'HEAD' ? (headers['content-length'] ?? bytes.length) : bytes.length}\r\n`;
		head += `date: ${new Date().toUTCString()}\r\n${this.closing ? 'connection: close\r\n' : ''}\r\n`;
		const empty = bare || method === 'HEAD';
		this.socket.cork();
		this.socket.write(head, 'latin1');
		if (!empty) this.socket.write(bytes);
		this.socket.uncork();
		return empty ? 0 : bytes.length;
	}

	done(decided: DecidedRequest, served: Served): void {
		this.#exchange = undefined;
		this.#owner.leave();
		recordServed(this.gateway, decided, served);
		this.#free();
	}

	/** Ready for the next request, which may have come already. */
	#free(): void {
		this.#request = undefined;
		this.idleSince = performance.now();
		if (this.socket.destroyed) return;
		if (this.closing) {
			this.socket.end();
			return;
		}
		// Not at once: a long row of requests that are answered at once must not deepen the stack.
		if (this.#early !== undefined) setImmediate(this.#takeEarly);
	}

	readonly #takeEarly = (): void => {
		const early = this.#early;
		if (early === undefined || this.socket.destroyed) return;
		this.#early = undefined;
		this.socket.resume();
		this.#take(early);
	};

	readonly #take = (chunk: Buffer): void => {
		if (this.#request !== undefined || this.#early !== undefined) {
			this.#early = this.#early === undefined ? chunk : Buffer.concat([this.#early, chunk]);
			this.socket.pause();
			return;
		}
		const request = readPlainRequest(chunk, this.#address, this.#fields);
		if (request === undefined) {
			this.#detach();
			this.#owner.handOver(this, chunk);
			return;
		}
		this.#request = request;
		this.#fields = request.fields;
		this.gateway = this.#owner.gateway();
		serveVisit(this.gateway, request, this);
	};

	readonly #drained = (): void => this.#exchange?.resume();

	readonly #closed = (): void => {
		this.#exchange?.abort();
		this.#owner.closed(this);
	};

	#detach(): void {
		const { socket } = this;
		socket.off('data', this.#take).off('drain', this.#drained).off('close', this.#closed);
	}
}
