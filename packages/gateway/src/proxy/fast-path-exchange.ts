import type { Socket } from 'node:net';
import type { MessageHead } from '@wayleave/io/http/response-parser';
import { type DecidedRequest, rawTarget } from '../decide/decision.ts';
import type { Gateway } from '../engine/gateway.ts';
import type { Served } from '../ledger/entry.ts';
import { type GatewayResponse, problemResponse } from '../request/response.ts';
import type { Exchange, ExchangeEvents } from './connections.ts';
import type { Waiting } from './deadlines.ts';
import type { PlainRequest } from './fast-path-request.ts';
import { fieldsText, hasOpenBody, requestFields, responseFields } from './fields.ts';
import { type ResponseTee, teeResponse } from './response-tee.ts';
import type { Upstream } from './upstream.ts';

/** The connection that a plain request came on. */
export interface FastPathClient {
	readonly socket: Socket;
	readonly gateway: Gateway;
	readonly upstream: Upstream;
	/** This is the last answer: the connection is to be closed after it. */
	readonly closing: boolean;
	/** Sends an answer of the gateway itself; returns the bytes of its body. */
	send(request: PlainRequest, response: GatewayResponse): number;
	/** The exchange is over; the response was sent. */
	done(decided: DecidedRequest, served: Served): void;
}

/**
 * Forwards one plain request, and its answer as it comes: head and body in one write where they came in one piece, and
 * the site is read no faster than the client takes it.
 */
export class FastPathExchange implements ExchangeEvents, Waiting {
	lateAt = 0;
	readonly #client: FastPathClient;
	readonly #decided: DecidedRequest;
	readonly #request: PlainRequest;
	#exchange: Exchange | undefined;
	#tee: ResponseTee | undefined;
	/** The head of the answer, until it goes out. */
	#unsent = '';
	#begun = false;
	#chunked = false;
	#status = 499;
	#bytes = 0;
	#paused = false;
	#over = false;

	constructor(client: FastPathClient, decided: DecidedRequest, request: PlainRequest) {
		this.#client = client;
		this.#decided = decided;
		this.#request = request;
	}

	start(fresh: boolean): void {
		const client = this.#client;
		const decided = this.#decided;
		const request = this.#request;
		client.upstream.deadlines.add(this);
		const fields = forwardedFields(request, decided, client.gateway.config.origin);
		this.#exchange = client.upstream.send(request.method, rawTarget(decided), fields, this, fresh);
		this.#exchange.finish();
	}

	ready(): void {}

	/** Nothing is written that could have to wait: there is no body. */
	drain(): void {}

	interim({ status, rawHeaders }: MessageHead): void {
		if (status !== 103 || this.#begun) return;
		const links = rawHeaders.flatMap((name, at) =>
			at % 2 === 0 && name.toLowerCase() === 'link' ? [name, rawHeaders[at + 1] ?? ''] : [],
		);
		if (links.length > 0) this.#client.socket.write(`HTTP/1.1 103 Early Hints\r\n${fieldsText(links)}\r\n`, 'latin1');
	}

	head(head: MessageHead, more: boolean): void {
		const client = this.#client;
		const decided = this.#decided;
		const request = this.#request;
		client.upstream.deadlines.delete(this);
		this.#chunked = hasOpenBody(request.method, head);
		const fields = responseFields(
			head,
			client.gateway.termsOfPage(decided, { status: head.status, type: head.value('content-type') }),
			this.#chunked,
		);
		if (this.#chunked) fields.push('transfer-encoding', 'chunked');
		if (head.value('date') === undefined) fields.push('date', new Date().toUTCString());
		if (client.closing) fields.push('connection', 'close');
		this.#status = head.status;
		this.#unsent = `HTTP/1.1 ${head.status} ${head.message}\r\n${fieldsText(fields)}\r\n`;
		this.#tee = teeResponse(client.gateway.changeObserver, decided, head);
		if (!more) this.#flush();
	}

	data(chunk: Buffer, last: boolean): boolean {
		const { socket } = this.#client;
		this.#bytes += chunk.length;
		this.#tee?.data(chunk);
		const several = this.#unsent !== '' || this.#chunked;
		if (several) socket.cork();
		this.#flush();
		if (this.#chunked) socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
		socket.write(chunk);
		if (this.#chunked) socket.write('\r\n', 'latin1');
		if (several) socket.uncork();
		const taken = socket.writableLength === 0;
		if (!taken && !last && socket.writableNeedDrain && !this.#paused) {
			this.#paused = true;
			this.#exchange?.pause();
		}
		return taken && this.#tee === undefined;
	}

	/** The client has taken what there was. */
	resume(): void {
		if (!this.#paused) return;
		this.#paused = false;
		this.#exchange?.resume();
	}

	end(trailers: readonly string[]): void {
		const { socket } = this.#client;
		this.#exchange = undefined;
		this.#tee?.end();
		this.#flush();
		if (this.#chunked) socket.write(`0\r\n${fieldsText(trailers)}\r\n`, 'latin1');
		if (socket.writableLength === 0) this.#finish();
		else socket.write('', () => this.#finish());
	}

	/** The site may close a kept connection at the very moment we use it: then the request is sent again, once. */
	failed(_error: Error, stale: boolean): void {
		this.#exchange = undefined;
		if (stale) this.start(true);
		else this.#fail(502, 'origin-unreachable', 'The site does not respond');
	}

	late(): void {
		this.#fail(504, 'origin-timeout', 'The site did not respond in time');
	}

	/** The client is gone: without this a paused connection to the site would wait for ever. */
	abort(): void {
		this.#exchange?.destroy();
		this.#finish();
	}

	#fail(status: number, code: string, title: string): void {
		const client = this.#client;
		this.#exchange?.destroy();
		this.#exchange = undefined;
		// The site broke off: the client must not take what it has for the whole.
		if (this.#begun) client.socket.destroy();
		else {
			this.#status = status;
			this.#bytes = client.send(this.#request, problemResponse(status, code, title));
			this.#finish();
		}
	}

	#flush(): void {
		if (this.#unsent === '') return;
		this.#begun = true;
		this.#client.socket.write(this.#unsent, 'latin1');
		this.#unsent = '';
	}

	#finish(): void {
		if (this.#over) return;
		this.#over = true;
		this.#tee?.drop();
		this.#client.upstream.deadlines.delete(this);
		this.#client.done(this.#decided, { status: this.#status, bytes: this.#bytes });
	}
}

/** The fields as the site gets them: the same for every request that says the same from the same address. */
function forwardedFields(request: PlainRequest, decided: DecidedRequest, origin: string): string {
	const { fields } = request;
	const { address } = decided.identity;
	if (fields.forwarded?.address === address) return fields.forwarded.text;
	const text = fieldsText(requestFields(request, decided, { secure: false, withBody: false, origin }));
	fields.forwarded = { address, text };
	return text;
}
