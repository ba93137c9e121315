import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';

/** One connection of a client, as far as its place among all others goes. */
export interface Guest {
	/** No request of it is being answered: it rests, or its next request is not whole yet. */
	readonly idle: boolean;
	/** Since when, on the clock of `performance.now()`. */
	readonly idleSince: number;
	/** Gives its place to another. */
	leave(): void;
	/** Called every few seconds: ends what has taken too long. */
	look?(now: number, times: GuestTimes): void;
}

/** Milliseconds. */
export interface GuestTimes {
	/** Between two requests. */
	readonly rest: number;
	/** For a whole request; a second more for each kilobyte that has come. */
	readonly request: number;
	/** Requests wait for a connection to the site: who does not take its response makes room. */
	readonly starved: boolean;
}

/** A second for each of so many bytes is added to the time that a request may take. */
const bytesPerSecond = 1000;
/** Milliseconds for which a client may take nothing while others wait for its connection to the site. */
const stallTime = 10_000;

/** A connection of HTTP/1.1 that a server of Node reads. */
export class NodeGuest implements Guest {
	idleSince = performance.now();
	#request: IncomingMessage | undefined;
	#response: ServerResponse | undefined;
	#began = 0;
	#bytesBefore = 0;
	#taken = 0;
	#takenAt = 0;
	readonly #socket: Duplex & { readonly bytesRead?: number; readonly bytesWritten?: number };

	constructor(socket: Duplex) {
		this.#socket = socket;
	}

	get idle(): boolean {
		return this.#response === undefined;
	}

	/** A part of the response was sent: nothing else may be written. */
	get hasAnswered(): boolean {
		return this.#response?.headersSent === true;
	}

	begin(request: IncomingMessage, response: ServerResponse): void {
		this.#request = request;
		this.#response = response;
		this.#began = performance.now();
		this.#takenAt = this.#began;
		this.#bytesBefore = this.#socket.bytesRead ?? 0;
		response.once('close', () => {
			if (this.#response !== response) return;
			this.#response = undefined;
			this.#request = undefined;
			this.idleSince = performance.now();
		});
	}

	leave(): void {
		this.#socket.destroy();
	}

	look(now: number, { request, starved }: GuestTimes): void {
		const { bytesRead = 0, bytesWritten = 0 } = this.#socket;
		const read = bytesRead - this.#bytesBefore;
		const isLate = now - this.#began > request + (read / bytesPerSecond) * 1000;
		if (this.#request?.complete === false && isLate) this.#socket.destroy();
		if (bytesWritten !== this.#taken) {
			this.#taken = bytesWritten;
			this.#takenAt = now;
		}
		const stalls = this.#response?.writableNeedDrain === true && now - this.#takenAt > stallTime;
		if (starved && stalls) this.#socket.destroy();
	}
}

/** A connection of HTTP/2. */
export class SessionGuest implements Guest {
	idleSince = performance.now();
	#streams = 0;
	readonly #session: ServerHttp2Session;
	readonly #uploads = new Map<IncomingMessage, number>();

	constructor(session: ServerHttp2Session) {
		this.#session = session;
		session.on('stream', (stream) => {
			this.#streams++;
			stream.once('close', () => {
				this.#streams--;
				this.idleSince = performance.now();
			});
		});
	}

	get idle(): boolean {
		return this.#streams === 0;
	}

	begin(request: IncomingMessage): void {
		this.#uploads.set(request, performance.now());
		request.once('end', () => this.#uploads.delete(request));
		request.once('close', () => this.#uploads.delete(request));
	}

	leave(): void {
		this.#session.destroy();
	}

	/** Pings keep no session open: only requests do. */
	look(now: number, { rest, request: most }: GuestTimes): void {
		if (this.idle && now - this.idleSince > rest) this.#session.destroy();
		const { bytesRead = 0 } = this.#session.socket ?? {};
		for (const [request, began] of this.#uploads) {
			if (now - began > most + (bytesRead / bytesPerSecond) * 1000) request.destroy();
		}
	}
}

/** A guest that only its client or its own time-out ends. */
export class PassingGuest implements Guest {
	readonly idle: boolean;
	readonly idleSince = performance.now();
	readonly #socket: Duplex;

	/** @param idle whether it may be sent away: a handshake that is not done may, a WebSocket that is open may not. */
	constructor(socket: Duplex, idle: boolean) {
		this.#socket = socket;
		this.idle = idle;
	}

	leave(): void {
		this.#socket.destroy();
	}
}
