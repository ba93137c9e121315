import net from 'node:net';
import tls from 'node:tls';
import { type MessageHead, type ParserEvents, parserModes, ResponseParser } from '@wayleave/io/http/response-parser';

/** Events of a request. `end` or `failed` is the last. */
export interface ExchangeEvents {
	/** The head of the request is on its way: the body may follow. */
	ready(): void;
	interim(head: MessageHead): void;
	/** `more`: part of the body has come with it, and follows at once. */
	head(head: MessageHead, more: boolean): void;
	/**
	 * `last`: nothing follows, and `end` is called right after. True: the bytes are not needed any more, so that what
	 * comes next may be read into the same memory.
	 */
	data(chunk: Buffer, last: boolean): boolean;
	end(trailers: readonly string[]): void;
	/**
	 * The exchange cannot go on.
	 *
	 * @param stale the connection had been kept and was closed before it answered anything.
	 */
	failed(error: Error, stale: boolean): void;
	/** Written bytes have been sent. */
	drain(): void;
}

/** One request to the site, and its answer. */
export interface Exchange {
	/** A piece of the body as it goes over the wire, once it is `ready`; false: wait for `drain`. */
	write(bytes: Buffer | string): boolean;
	/** The request is complete. */
	finish(): void;
	/** Reads no further until `resume`. */
	pause(): void;
	resume(): void;
	/** Breaks off, whatever is under way. */
	destroy(): void;
}

export interface SiteAddress {
	readonly host: string;
	readonly port: number;
	readonly secure: boolean;
}

/** Connections to one site that stay open between requests; each serves one request at a time. */
export class Connections {
	readonly #address: SiteAddress;
	readonly #max: number;
	readonly #idle: Connection[] = [];
	readonly #all = new Set<Connection>();
	/** Requests that wait. Aborted ones leave, so it is never longer than the requests in flight. */
	readonly #waiting = new Set<Pending>();
	#session: Buffer | undefined;

	constructor(address: SiteAddress, max: number) {
		this.#address = address;
		this.#max = max;
	}

	/**
	 * Sends the head of a request; where all connections are busy it waits for one.
	 *
	 * @param bodyless the answer has no body, whatever it says: to HEAD.
	 * @param fresh over a connection that has not been used.
	 */
	send(head: string, bodyless: boolean, events: ExchangeEvents, fresh: boolean): Exchange {
		const pending = new Pending(head, bodyless, events);
		const connection = fresh ? undefined : this.#takeIdle();
		if (connection !== undefined) connection.begin(pending);
		else if (this.#all.size < this.#max) this.#connect().begin(pending);
		else {
			this.#waiting.add(pending);
			pending.row = this.#waiting;
		}
		return pending;
	}

	get starved(): boolean {
		return this.#waiting.size > 0;
	}

	close(): void {
		for (const connection of this.#all) connection.destroy();
	}

	#takeIdle(): Connection | undefined {
		for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
			if (found.isUsable()) return found;
			found.destroy();
		}
		return undefined;
	}

	#connect(): Connection {
		const connection = new Connection((reader) => this.#open(reader), {
			released: (kept) => this.#release(connection, kept),
			closed: () => {
				this.#all.delete(connection);
				const at = this.#idle.indexOf(connection);
				if (at >= 0) this.#idle.splice(at, 1);
				this.#serveNext();
			},
		});
		this.#all.add(connection);
		return connection;
	}

	#open(reader: Reader): net.Socket {
		const { host, port, secure } = this.#address;
		if (!secure) return net.connect({ host, port, noDelay: true, onread: intoOneBuffer(reader) });
		const name = net.isIP(host) === 0 ? { servername: host } : {};
		const session = this.#session === undefined ? {} : { session: this.#session };
		const socket = tls.connect({ host, port, ALPNProtocols: ['http/1.1'], ...name, ...session });
		socket.setNoDelay(true);
		socket.on('session', (made) => {
			this.#session = made;
		});
		socket.on('data', reader);
		return socket;
	}

	#release(connection: Connection, kept: boolean): void {
		if (!kept) connection.destroy();
		else {
			const next = this.#nextWaiting();
			if (next === undefined) this.#idle.push(connection);
			else connection.begin(next);
		}
	}

	#serveNext(): void {
		const next = this.#all.size < this.#max ? this.#nextWaiting() : undefined;
		if (next !== undefined) this.#connect().begin(next);
	}

	#nextWaiting(): Pending | undefined {
		const [next] = this.#waiting;
		if (next !== undefined) this.#waiting.delete(next);
		return next;
	}
}

/** Takes what has come; true: the memory is free again. */
type Reader = (bytes: Buffer) => boolean;

/** Bytes that are read at once: as many as the kernel hands over at once on the loopback. */
const readSize = 65_536;

/** Reads into the same buffer again and again, unless its content is still needed. */
function intoOneBuffer(reader: Reader): net.OnReadOpts {
	let buffer = Buffer.allocUnsafeSlow(readSize);
	let free = true;
	return {
		buffer: () => {
			if (!free) buffer = Buffer.allocUnsafeSlow(readSize);
			free = true;
			return buffer;
		},
		callback: (size) => {
			free = reader(buffer.subarray(0, size));
			return true;
		},
	};
}

interface Owner {
	released(kept: boolean): void;
	closed(): void;
}

/** A request, waiting or under way. */
class Pending implements Exchange {
	readonly head: string;
	readonly bodyless: boolean;
	readonly events: ExchangeEvents;
	/** Nothing more is to be told. */
	over = false;
	/** The request is whole: the connection may be used again. */
	sent = false;
	connection: Connection | undefined;
	/** The queue in which it waits for a connection. */
	row: Set<Pending> | undefined;

	constructor(head: string, bodyless: boolean, events: ExchangeEvents) {
		this.head = head;
		this.bodyless = bodyless;
		this.events = events;
	}

	write(bytes: Buffer | string): boolean {
		return this.connection?.socket.write(bytes as Buffer) ?? true;
	}

	finish(): void {
		this.sent = true;
	}

	pause(): void {
		this.connection?.socket.pause();
	}

	resume(): void {
		this.connection?.socket.resume();
	}

	destroy(): void {
		this.over = true;
		this.row?.delete(this);
		this.connection?.destroy();
	}
}

/** Bytes of the heads and trailers of one response. */
const maxHeadBytes = 65_536;
/** A kept connection is not used within a second of the end that the site has announced for it. */
const margin = 1000;

class Connection implements ParserEvents {
	readonly socket: net.Socket;
	readonly #owner: Owner;
	#current: Pending | undefined;
	#parser: ResponseParser | undefined;
	#used = false;
	#answered = false;
	#idleTime = Number.POSITIVE_INFINITY;
	#usableUntil = Number.POSITIVE_INFINITY;

	constructor(open: (reader: Reader) => net.Socket, owner: Owner) {
		const socket = open((bytes) => this.#read(bytes));
		this.socket = socket;
		this.#owner = owner;
		socket.on('drain', () => this.#current?.events.drain());
		socket.on('end', () => this.#ended());
		socket.on('error', (error) => this.#lose(error));
		socket.on('close', () => {
			this.#lose(new Error('the site closed the connection'));
			owner.closed();
		});
	}

	isUsable(): boolean {
		const { socket } = this;
		return socket.writable && socket.readable && performance.now() < this.#usableUntil;
	}

	begin(pending: Pending): void {
		this.#current = pending;
		this.#answered = false;
		this.#parser = new ResponseParser(this, {
			mode: parserModes.strict,
			bodyless: pending.bodyless,
			headerBytes: maxHeadBytes,
		});
		pending.connection = this;
		this.socket.ref();
		this.socket.write(pending.head, 'latin1');
		pending.events.ready();
	}

	destroy(): void {
		this.socket.destroy();
	}

	interim(head: MessageHead): void {
		if (this.#current?.over === false) this.#current.events.interim(head);
	}

	head(head: MessageHead, _framing: unknown, more: boolean): void {
		const seconds = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(head.value('keep-alive') ?? '')?.[1];
		if (seconds !== undefined) this.#idleTime = Number(seconds) * 1000 - margin;
		if (this.#current?.over === false) this.#current.events.head(head, more);
	}

	data(chunk: Buffer, last: boolean): boolean {
		return this.#current?.over === false ? this.#current.events.data(chunk, last) : true;
	}

	end(trailers: readonly string[], reusable: boolean): void {
		const pending = this.#take();
		if (pending === undefined) return;
		const kept = reusable && pending.sent && !this.socket.destroyed;
		pending.events.end(trailers);
		this.#used = true;
		this.#usableUntil = performance.now() + this.#idleTime;
		if (kept) this.socket.resume().unref();
		this.#owner.released(kept);
	}

	#read(bytes: Buffer): boolean {
		this.#answered = true;
		try {
			if (this.#parser !== undefined) return this.#parser.push(bytes);
			// An idle connection on which something comes has lost its place.
			this.destroy();
		} catch (error) {
			this.#lose(error as Error);
			this.destroy();
		}
		return false;
	}

	#ended(): void {
		try {
			this.#parser?.finish();
		} catch (error) {
			this.#lose(error as Error);
		}
		this.destroy();
	}

	#lose(error: Error): void {
		const stale = this.#used && !this.#answered;
		this.#take()?.events.failed(error, stale);
	}

	/** Ends the exchange that is under way; undefined if no caller waits for it. */
	#take(): Pending | undefined {
		const current = this.#current;
		this.#current = undefined;
		this.#parser = undefined;
		if (current === undefined || current.over) return undefined;
		current.over = true;
		current.connection = undefined;
		return current;
	}
}
