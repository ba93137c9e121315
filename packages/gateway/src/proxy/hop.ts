import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Served } from '../ledger/entry.ts';
import type { Answer } from '../serve/answer.ts';
import { problemAnswer } from '../serve/answer.ts';
import type { Gateway } from '../serve/gateway.ts';
import type { Judged } from '../serve/ruling.ts';
import { hasBody, requestFields, responseFields } from './fields.ts';
import { tapPage } from './tap.ts';
import type { Upstream } from './upstream.ts';

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

export interface HopOptions {
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
export function forward(judged: Judged, request: IncomingMessage, response: ServerResponse, options: HopOptions): void {
	new Hop(judged, request, response, options).start(false);
}

class Hop {
	private readonly judged: Judged;
	private readonly request: IncomingMessage;
	private readonly response: ServerResponse;
	private readonly options: HopOptions;
	private readonly withBody: boolean;
	private sent: ClientRequest | undefined;
	private answered = false;
	private bytes = 0;

	constructor(judged: Judged, request: IncomingMessage, response: ServerResponse, options: HopOptions) {
		this.judged = judged;
		this.request = request;
		this.response = response;
		this.options = options;
		this.withBody = hasBody(request);
		let finished = false;
		response.on('finish', () => {
			finished = true;
		});
		response.on('close', () => {
			// Nobody is left to read: without this a paused upstream connection would wait for ever.
			if (!finished) this.sent?.destroy();
			options.done({ status: this.answered ? response.statusCode : 499, bytes: this.bytes });
		});
	}

	start(fresh: boolean): void {
		const { request, judged, options } = this;
		const fields = requestFields(request, judged, options.secure);
		const sent = options.upstream.request(request.method ?? 'GET', judged.target!.raw, fields, fresh);
		this.sent = sent;
		const late = setTimeout(
			() => this.fail(sent, 504, 'origin-timeout', 'The site does not answer in time'),
			options.upstream.timeout,
		);
		sent.on('response', (answer) => {
			clearTimeout(late);
			this.passBack(answer);
		});
		sent.on('information', ({ statusCode, headers }) => {
			if (statusCode === 103 && typeof headers.link === 'string') this.response.writeEarlyHints({ link: headers.link });
		});
		sent.on('error', (error: NodeJS.ErrnoException) => {
			clearTimeout(late);
			if (this.mayRepeat(sent, error)) this.start(true);
			else this.fail(sent, 502, 'origin-unreachable', 'The site does not answer');
		});
		this.sendBody(sent);
	}

	private sendBody(sent: ClientRequest): void {
		const { request, options } = this;
		if (!this.withBody) {
			sent.end();
			return;
		}
		const go = () => {
			request.on('end', () => {
				if (request.rawTrailers.length > 0) sent.addTrailers(pairs(request.rawTrailers));
			});
			request.on('aborted', () => sent.destroy());
			request.pipe(sent);
		};
		if (!options.expectsContinue) {
			go();
			return;
		}
		sent.flushHeaders();
		sent.on('continue', () => {
			this.response.writeContinue();
			go();
		});
	}

	private passBack(answer: IncomingMessage): void {
		const { response, judged, options } = this;
		this.answered = true;
		const fields = responseFields(answer, options.gateway.termsOfPage(judged));
		writeHead(response, answer.statusCode ?? 502, answer.statusMessage ?? '', fields);
		answer.on('data', (chunk: Buffer) => {
			this.bytes += chunk.length;
		});
		answer.on('end', () => {
			if (answer.rawTrailers.length > 0) response.addTrailers(Object.fromEntries(pairs(answer.rawTrailers)));
		});
		// The site broke off: the client must not take what it has for the whole.
		answer.on('aborted', () => response.destroy());
		answer.on('error', () => response.destroy());
		tapPage(options.gateway.learner, judged, answer);
		answer.pipe(response);
	}

	/** The site may close a kept connection at the very moment we use it; what has no effect twice is sent again, once. */
	private mayRepeat(sent: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
		const { response, request } = this;
		if (response.destroyed || this.answered || this.withBody) return false;
		return sent.reusedSocket && code === 'ECONNRESET' && idempotent.has(request.method ?? '');
	}

	private fail(sent: ClientRequest, status: number, code: string, title: string): void {
		const { response } = this;
		sent.destroy();
		// The end of a request that has failed already is told once more as an error.
		if (response.destroyed || response.writableEnded) return;
		if (response.headersSent) {
			response.destroy();
			return;
		}
		this.answered = true;
		const answer = problemAnswer(status, code, title);
		this.bytes = sendAnswer(this.request, response, answer);
	}
}

/** Sends an answer of the gateway itself. Returns the bytes of its body. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): number {
	const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
	const fields: string[] = [];
	for (const [name, value] of Object.entries(answer.headers)) {
		if (name === 'content-length') continue;
		for (const each of typeof value === 'string' ? [value] : value) fields.push(name, each);
	}
	const bare = answer.status === 304 || answer.status === 204;
	const length = answer.headers['content-length'] ?? String(body.length);
	if (!bare) fields.push('content-length', request.method === 'HEAD' ? String(length) : String(body.length));
	// What the client still sends is not read: nobody wants it.
	if (request.httpVersionMajor === 1 && hasBody(request) && !request.complete) fields.push('connection', 'close');
	writeHead(response, answer.status, '', fields);
	const empty = bare || request.method === 'HEAD';
	response.end(empty ? undefined : body);
	return empty ? 0 : body.length;
}

/** Writes a head whose fields stay as they are: order, spelling and repetitions. */
function writeHead(response: ServerResponse, status: number, message: string, fields: readonly string[]): void {
	if (response.req.httpVersionMajor === 1) {
		if (message === '') response.writeHead(status, fields as string[]);
		else response.writeHead(status, message, fields as string[]);
		return;
	}
	const headers: Record<string, string | string[]> = {};
	for (let at = 0; at < fields.length; at += 2) {
		const name = fields[at]!.toLowerCase();
		const value = fields[at + 1]!;
		if (name === 'connection') continue;
		const known = headers[name];
		headers[name] = known === undefined ? value : [...(typeof known === 'string' ? [known] : known), value];
	}
	response.writeHead(status, headers);
}

function pairs(raw: readonly string[]): [string, string][] {
	const found: [string, string][] = [];
	for (let at = 0; at < raw.length; at += 2) found.push([raw[at]!, raw[at + 1]!]);
	return found;
}
