import type { Socket } from 'node:net';

/** One line of the access log. Times are milliseconds since 1970; `end` is 0 while the answer is under way. */
export interface LoggedRequest {
	readonly host: string;
	readonly method: string;
	/** Path and query as sent. */
	readonly path: string;
	/** Lower-case names. */
	readonly headers: Readonly<Record<string, string>>;
	/** Which connection of the host it came on, counted from 1. */
	readonly connection: number;
	readonly start: number;
	end: number;
}

export type ReplyHeaders = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * One request to a hostile host and the means to answer it well or badly, straight on the socket: no HTTP library
 * would send most of these answers.
 */
export class Exchange {
	readonly request: LoggedRequest;
	/** How often this path of the host had been asked for before. */
	readonly times: number;
	/** `http://HOST:PORT`, to write absolute links. */
	readonly origin: string;
	/** The origin of another hostile host. */
	readonly originOf: (host: string) => string;
	readonly #socket: Socket;
	readonly #unit: number;

	constructor(
		socket: Socket,
		request: LoggedRequest,
		context: { times: number; unit: number; originOf: (host: string) => string },
	) {
		this.#socket = socket;
		this.request = request;
		this.times = context.times;
		this.originOf = context.originOf;
		this.origin = context.originOf(request.host);
		this.#unit = context.unit;
	}

	get path(): string {
		return this.request.path.replace(/\?.*/s, '');
	}

	get open(): boolean {
		return !this.#socket.destroyed && this.#socket.writable;
	}

	/** A complete answer; Content-Length is added unless the headers say how the body is framed. */
	reply(status: number, headers: ReplyHeaders = {}, body: string | Uint8Array = ''): void {
		const bytes = typeof body === 'string' ? Buffer.from(body) : body;
		this.head(status, { ...framing(headers, bytes.length), ...headers });
		if (this.request.method !== 'HEAD' && status !== 304 && status !== 204) this.write(bytes);
	}

	html(body: string | Uint8Array, headers: ReplyHeaders = {}): void {
		this.reply(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }, body);
	}

	/** Status line and headers. Text goes out as Latin-1: a test may send any byte. */
	head(status: number, headers: ReplyHeaders): void {
		const lines = Object.entries(headers).flatMap(([name, value]) =>
			(Array.isArray(value) ? value : [value]).map((each) => `${name}: ${each}\r\n`),
		);
		this.write(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`);
	}

	/** Any bytes at all; text as Latin-1. */
	write(bytes: string | Uint8Array): boolean {
		return this.open && (typeof bytes === 'string' ? this.#socket.write(bytes, 'latin1') : this.#socket.write(bytes));
	}

	/** The same piece for as long as the other side takes it, at its pace. */
	async forever(piece: string | Uint8Array): Promise<void> {
		const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
		const pieces = Buffer.concat(Array(Math.ceil(0x10000 / bytes.length)).fill(bytes));
		while (this.open) {
			if (this.write(pieces)) await new Promise((resolve) => setImmediate(resolve));
			else await this.#event('drain');
		}
	}

	/** The same piece again and again, one unit of time apart. */
	async drip(piece: string | Uint8Array): Promise<void> {
		while (this.open) {
			this.write(piece);
			await this.wait(1);
		}
	}

	/** Some units of time, or less if the connection ends. */
	async wait(units: number): Promise<void> {
		await new Promise<void>((resolve) => {
			const done = () => {
				clearTimeout(timer);
				this.#socket.off('close', done);
				resolve();
			};
			const timer = setTimeout(done, units * this.#unit);
			this.#socket.once('close', done);
		});
	}

	/** Nothing more, ever. */
	async hang(): Promise<void> {
		await this.#event('close');
	}

	/** The event, or the end of the connection. */
	async #event(name: 'drain' | 'close'): Promise<void> {
		if (this.#socket.destroyed) return;
		await new Promise<void>((resolve) => {
			const done = () => {
				this.#socket.off(name, done).off('close', done);
				resolve();
			};
			this.#socket.on(name, done).on('close', done);
		});
	}

	/** An orderly end of the connection (FIN) after what has been written. */
	async finish(): Promise<void> {
		this.#socket.end();
		await this.hang();
	}

	/** A reset (RST), once what has been written has had time to arrive. */
	async reset(): Promise<void> {
		await this.wait(1);
		this.#socket.resetAndDestroy();
	}
}

function framing(headers: ReplyHeaders, length: number): ReplyHeaders {
	const names = Object.keys(headers).map((name) => name.toLowerCase());
	return names.includes('content-length') || names.includes('transfer-encoding') ? {} : { 'Content-Length': length };
}
