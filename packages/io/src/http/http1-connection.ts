import type { Socket } from 'node:net';
import type { Connection, ExchangeLimits, OutgoingRequest } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { describeError, FetchError } from './failure.ts';
import type { Framing, MessageHead } from './message-syntax.ts';
import { formatWireHead } from './raw.ts';
import type { Receiver } from './receiver.ts';
import { type ResponseHead, responseHead } from './response-head.ts';
import { parserModes, ResponseParser } from './response-parser.ts';

/** HTTP/1.1 on one socket (RFC 9112), one exchange after the other, without pipelining. */
export class Http1Connection implements Connection {
	readonly shared = false;
	readonly address: string;
	onClose: () => void = () => {};
	idleLimit = Number.POSITIVE_INFINITY;
	readonly #socket: Socket;
	readonly #proxyFields: ReadonlyMap<string, string> | undefined;
	#exchange: Exchange | undefined;
	#open = true;

	/** @param via how the socket leads to the site: none, through a `tunnel`, or with these fields for a proxy */
	constructor(socket: Socket, via?: 'tunnel' | ReadonlyMap<string, string>) {
		this.#socket = socket;
		this.#proxyFields = via === 'tunnel' ? undefined : via;
		this.address = via === undefined ? (socket.remoteAddress ?? '') : '';
		socket.on('data', (bytes) => this.#onData(bytes));
		socket.on('end', () => this.#onEnd());
		socket.on('error', (error) =>
			this.#fail(new FetchError('connection-reset', describeError(error), { cause: error })),
		);
		socket.on('close', () => this.#fail(new FetchError('connection-reset', 'the connection closed')));
	}

	get open(): boolean {
		return this.#open && this.#exchange === undefined;
	}

	async exchange(request: OutgoingRequest, receiver: Receiver, deadline: Deadline, limits: ExchangeLimits) {
		const socket = this.#socket;
		const exchange = new Exchange(request, receiver, deadline, limits);
		this.#exchange = exchange;
		receiver.onDrain = () => socket.resume();
		const forget = deadline.onEnd((error) => this.#fail(error));
		if (this.#open) {
			deadline.phase('headers-timeout', limits.headers);
			socket.write(formatWireHead(request, this.#proxyFields), 'latin1');
			if (request.body !== undefined) socket.write(request.body);
		} else {
			exchange.fail(new FetchError('connection-reset', 'the connection was closed before', { unanswered: true }));
		}
		try {
			const reusable = await exchange.done;
			this.idleLimit = keepAliveLimit(receiver.head);
			if (!reusable) this.destroy();
		} catch (error) {
			this.destroy();
			throw error;
		} finally {
			forget();
			this.#exchange = undefined;
			socket.resume();
		}
	}

	hold(held: boolean): void {
		if (held) this.#socket.ref();
		else this.#socket.unref();
	}

	destroy(): void {
		this.#open = false;
		this.#socket.destroy();
	}

	#onData(bytes: Buffer): void {
		// Nothing was asked, or all of it answered: a server that speaks now cannot be believed later.
		if (this.#exchange === undefined || this.#exchange.settled) this.destroy();
		else if (!this.#exchange.push(bytes)) this.#socket.pause();
	}

	#onEnd(): void {
		this.#open = false;
		this.#exchange?.finish();
		this.#socket.destroy();
	}

	#fail(error: FetchError): void {
		this.destroy();
		this.#exchange?.fail(error);
		this.onClose();
	}
}

/** The state of one request and its answer on a socket. */
class Exchange {
	/** Whether the connection may be used again. */
	readonly done: Promise<boolean>;
	readonly #parser: ResponseParser;
	#resolve!: (reusable: boolean) => void;
	#reject!: (error: FetchError) => void;
	#answered = false;
	#accepting = true;
	settled = false;

	constructor(request: OutgoingRequest, receiver: Receiver, deadline: Deadline, limits: ExchangeLimits) {
		this.done = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		const events = {
			head: (head: MessageHead, framing: Framing) => {
				deadline.body(limits.bodyIdle, limits.slowBody);
				receiver.start(responseHead(head, framing));
			},
			data: (chunk: Buffer) => {
				deadline.touch(chunk.length);
				this.#accepting = receiver.write(chunk);
				return false;
			},
			end: (_: readonly string[], reusable: boolean) => {
				this.settled = true;
				deadline.arrived();
				receiver.end();
				this.#resolve(reusable);
			},
		};
		this.#parser = new ResponseParser(events, {
			mode: parserModes.lenient,
			bodyless: request.method === 'HEAD',
			headerBytes: limits.headerBytes,
		});
	}

	/** Returns whether more is welcome at once. */
	push(bytes: Buffer): boolean {
		this.#answered = true;
		this.#accepting = true;
		this.#guard(() => this.#parser.push(bytes));
		return this.#accepting;
	}

	/** The server closed its side. */
	finish(): void {
		this.#guard(() => this.#parser.finish());
	}

	fail(error: FetchError): void {
		this.settled = true;
		const unanswered = error.reason === 'connection-reset' && !this.#answered;
		this.#reject(unanswered ? new FetchError(error.reason, error.message, { unanswered, cause: error }) : error);
	}

	#guard(step: () => void): void {
		try {
			step();
		} catch (error) {
			this.fail(error instanceof FetchError ? error : new FetchError('bad-response', describeError(error)));
		}
	}
}

/** The hint `Keep-Alive: timeout=SECONDS`, less a second for the way. */
function keepAliveLimit(head: ResponseHead | undefined): number {
	const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(head?.headers.get('keep-alive') ?? '')?.[1];
	return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000 - 1000;
}
