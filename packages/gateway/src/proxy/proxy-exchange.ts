import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MessageHead } from '@wayleave/io/http/response-parser';
import { type DecidedRequest, rawTarget } from '../decide/decision.ts';
import type { Gateway } from '../engine/gateway.ts';
import type { Served } from '../ledger/entry.ts';
import { type GatewayResponse, problemResponse } from '../request/response.ts';
import type { Exchange, ExchangeEvents } from './connections.ts';
import type { Waiting } from './deadlines.ts';
import { fieldsText, hasBody, hasOpenBody, isHttp2, requestFields, responseFields } from './fields.ts';
import { type ResponseTee, teeResponse } from './response-tee.ts';
import type { Upstream } from './upstream.ts';

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

export interface ProxyExchangeOptions {
	readonly gateway: Gateway;
	readonly upstream: Upstream;
	readonly secure: boolean;
	/** The client waits for a go-ahead before it sends the body. */
	readonly expectsContinue: boolean;
	/** Called once, when the exchange is over, however it ended. */
	done(served: Served): void;
}

/**
 * Forwards one request and its answer as streams: neither side is read faster than the other takes it, and when one
 * breaks off, so does the other.
 */
export function forward(
	decided: DecidedRequest,
	request: IncomingMessage,
	response: ServerResponse,
	options: ProxyExchangeOptions,
): void {
	new ProxyExchange(decided, request, response, options).start(false);
}

class ProxyExchange implements ExchangeEvents, Waiting {
	lateAt = 0;
	readonly #decided: DecidedRequest;
	readonly #request: IncomingMessage;
	readonly #response: ServerResponse;
	readonly #options: ProxyExchangeOptions;
	readonly #withBody: boolean;
	#exchange: Exchange | undefined;
	#tee: ResponseTee | undefined;
	#status = 499;
	#bytes = 0;
	#waiting = false;

	constructor(
		decided: DecidedRequest,
		request: IncomingMessage,
		response: ServerResponse,
		options: ProxyExchangeOptions,
	) {
		this.#decided = decided;
		this.#request = request;
		this.#response = response;
		this.#options = options;
		this.#withBody = hasBody(request);
		response.on('close', () => {
			options.upstream.deadlines.delete(this);
			this.#tee?.drop();
			// The client has left: without this a paused upstream connection would wait for ever.
			this.#exchange?.destroy();
			options.done({ status: this.#status, bytes: this.#bytes });
		});
	}

	start(fresh: boolean): void {
		const request = this.#request;
		const decided = this.#decided;
		const options = this.#options;
		options.upstream.deadlines.add(this);
		try {
			const { secure, upstream } = options;
			const fields = fieldsText(
				requestFields(request, decided, { secure, withBody: this.#withBody, origin: options.gateway.config.origin }),
			);
			this.#exchange = upstream.send(request.method ?? 'GET', rawTarget(decided), fields, this, fresh);
			if (!this.#withBody) this.#exchange.finish();
		} catch {
			this.#fail(400, 'bad-field', 'A header field contains characters that are not allowed');
		}
	}

	ready(): void {
		if (this.#withBody && !this.#options.expectsContinue) queueMicrotask(() => this.#sendBody());
	}

	#sendBody(): void {
		const request = this.#request;
		const exchange = this.#exchange;
		if (exchange === undefined) return;
		const chunked = request.headers['content-length'] === undefined;
		request.on('data', (chunk: Buffer) => {
			const more = chunked ? writeChunk(exchange, chunk) : exchange.write(chunk);
			if (!more) request.pause();
		});
		request.on('end', () => {
			if (chunked) exchange.write(Buffer.from(lastChunk(request.rawTrailers), 'latin1'));
			exchange.finish();
		});
		request.on('aborted', () => exchange.destroy());
	}

	drain(): void {
		if (this.#withBody) this.#request.resume();
	}

	interim({ status, rawHeaders }: MessageHead): void {
		const response = this.#response;
		const request = this.#request;
		if (response.destroyed || response.headersSent) return;
		if (status === 100 && this.#withBody && this.#options.expectsContinue) {
			response.writeContinue();
			this.#sendBody();
		}
		if (status !== 103 || (request.httpVersionMajor === 1 && request.httpVersionMinor === 0)) return;
		const links = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'link');
		if (links.length > 0) response.writeEarlyHints({ link: links });
	}

	late(): void {
		this.#fail(504, 'origin-timeout', 'The site did not respond in time');
	}

	head(head: MessageHead, more: boolean): void {
		const request = this.#request;
		const response = this.#response;
		const decided = this.#decided;
		const options = this.#options;
		options.upstream.deadlines.delete(this);
		this.#status = head.status;
		const chunked = request.httpVersion !== '1.0' && hasOpenBody(request.method, head);
		const fields = responseFields(
			head,
			options.gateway.termsOfPage(decided, { status: head.status, type: head.value('content-type') }),
			chunked,
		);
		writeHead(response, head.status, head.message, fields);
		this.#tee = teeResponse(options.gateway.changeObserver, decided, head);
		if (!more) flushHead(response);
	}

	data(chunk: Buffer, last: boolean): boolean {
		this.#bytes += chunk.length;
		this.#tee?.data(chunk);
		const response = this.#response;
		// The end goes out with the last piece: one write less.
		if (last) response.end(chunk);
		else if (!response.write(chunk)) this.#pause();
		return false;
	}

	/** Reads no further until the client has taken what there is. */
	#pause(): void {
		this.#exchange?.pause();
		if (this.#waiting) return;
		this.#waiting = true;
		this.#response.once('drain', () => {
			this.#waiting = false;
			this.#exchange?.resume();
		});
	}

	end(trailers: readonly string[]): void {
		const response = this.#response;
		this.#exchange = undefined;
		this.#tee?.end();
		if (response.writableEnded) return;
		if (trailers.length > 0) response.addTrailers(Object.fromEntries(pairs(trailers)));
		response.end();
	}

	/** The site may close a kept connection at the very moment we use it; what has no effect twice is sent again, once. */
	failed(_error: Error, stale: boolean): void {
		const response = this.#response;
		const request = this.#request;
		this.#exchange = undefined;
		if (response.destroyed) return;
		if (stale && !this.#withBody && idempotent.has(request.method ?? '')) this.start(true);
		else this.#fail(502, 'origin-unreachable', 'The site does not respond');
	}

	#fail(status: number, code: string, title: string): void {
		const response = this.#response;
		this.#options.upstream.deadlines.delete(this);
		this.#exchange?.destroy();
		this.#exchange = undefined;
		// The site broke off: the client must not take what it has for the whole.
		if (response.headersSent) response.destroy();
		else {
			this.#status = status;
			this.#bytes = sendResponse(this.#request, response, problemResponse(status, code, title));
		}
	}
}

function writeChunk(exchange: Exchange, chunk: Buffer): boolean {
	exchange.write(`${chunk.length.toString(16)}\r\n`);
	exchange.write(chunk);
	return exchange.write('\r\n');
}

function lastChunk(trailers: readonly string[]): string {
	return `0\r\n${pairs(trailers)
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join('')}\r\n`;
}

/** Sends an answer of the gateway itself. Returns the bytes of its body. */
export function sendResponse(request: IncomingMessage, response: ServerResponse, own: GatewayResponse): number {
	const body = typeof own.body === 'string' ? Buffer.from(own.body) : own.body;
	const fields: string[] = [];
	for (const [name, value] of Object.entries(own.headers)) {
		if (name === 'content-length') continue;
		for (const each of typeof value === 'string' ? [value] : value) fields.push(name, each);
	}
	const bare = own.status === 304 || own.status === 204;
	const length = own.headers['content-length'] ?? String(body.length);
	if (!bare) fields.push('content-length', request.method === 'HEAD' ? String(length) : String(body.length));
	// The rest of the request is not read.
	if (!isHttp2(request) && hasBody(request) && !request.complete) fields.push('connection', 'close');
	writeHead(response, own.status, '', fields);
	const empty = bare || request.method === 'HEAD';
	response.end(empty ? undefined : body);
	return empty ? 0 : body.length;
}

/** Writes a head whose fields stay as they are: order, spelling and repetitions. */
function writeHead(response: ServerResponse, status: number, message: string, fields: readonly string[]): void {
	if (!isHttp2(response.req)) {
		if (message === '') response.writeHead(status, fields as string[]);
		else response.writeHead(status, message, fields as string[]);
		return;
	}
	const headers: Record<string, string | string[]> = {};
	for (let at = 0; at < fields.length; at += 2) {
		const name = (fields[at] ?? '').toLowerCase();
		const value = fields[at + 1] ?? '';
		if (name === 'connection') continue;
		const known = headers[name];
		headers[name] = known === undefined ? value : [...(typeof known === 'string' ? [known] : known), value];
	}
	response.writeHead(status, headers);
}

/** Sends the head while there is no body yet. Node writes it as UTF-8 by default. */
function flushHead(response: ServerResponse): void {
	if (isHttp2(response.req)) response.flushHeaders();
	else response.write('', 'latin1');
}

function pairs(raw: readonly string[]): [string, string][] {
	const found: [string, string][] = [];
	for (let at = 0; at < raw.length; at += 2) found.push([raw[at] ?? '', raw[at + 1] ?? '']);
	return found;
}
