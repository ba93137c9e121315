import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type Connection, type ExchangeLimits, type OutgoingRequest, requestTarget } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { describeError, FetchError } from './failure.ts';
import { ReceivedHeaders } from './headers.ts';
import { contentLength } from './message-syntax.ts';
import type { Receiver } from './receiver.ts';
import type { ResponseHead } from './response-head.ts';

const streamWindow = 1 << 20;
const connectionWindow = 4 << 20;

/** HTTP/2 (RFC 9113) on one TLS connection: any number of exchanges at once. */
export class Http2Connection implements Connection {
	readonly shared = true;
	readonly address: string;
	readonly idleLimit = Number.POSITIVE_INFINITY;
	onClose: () => void = () => {};
	readonly #session: ClientHttp2Session;
	#going = false;

	constructor(socket: TLSSocket, target: URL, headerBytes: number, proxied = false) {
		this.address = proxied ? '' : (socket.remoteAddress ?? '');
		this.#session = connect(target.origin, {
			createConnection: () => socket,
			settings: { enablePush: false, initialWindowSize: streamWindow, maxHeaderListSize: headerBytes },
			maxHeaderListPairs: 4096,
		});
		this.#session.once('connect', () => this.#session.setLocalWindowSize(connectionWindow));
		this.#session.on('error', () => this.destroy());
		this.#session.on('goaway', () => this.#leave());
		this.#session.on('close', () => this.#leave());
	}

	get open(): boolean {
		return !this.#going && !this.#session.closed && !this.#session.destroyed;
	}

	async exchange(request: OutgoingRequest, receiver: Receiver, deadline: Deadline, limits: ExchangeLimits) {
		if (!this.open) throw new FetchError('connection-reset', 'the connection was closed before', { unanswered: true });
		deadline.phase('headers-timeout', limits.headers);
		const stream = this.#begin(request);
		const arrived = receive(stream, request, receiver, deadline, limits);
		const broken = new Promise<never>((_, reject) => deadline.onEnd(reject));
		try {
			await Promise.race([arrived, broken]);
		} finally {
			if (!stream.destroyed) {
				stream.close(constants.NGHTTP2_CANCEL);
				stream.destroy();
			}
		}
	}

	#begin(request: OutgoingRequest): ClientHttp2Stream {
		try {
			const stream = this.#session.request(formatHeaders(request), { endStream: request.body === undefined });
			if (request.body !== undefined) stream.end(request.body);
			return stream;
		} catch (error) {
			throw new FetchError('connection-reset', describeError(error), { unanswered: true, cause: error });
		}
	}

	hold(held: boolean): void {
		if (this.#session.destroyed) return;
		if (held) this.#session.ref();
		else this.#session.unref();
	}

	destroy(): void {
		this.#session.destroy();
		this.#leave();
	}

	#leave(): void {
		this.#going = true;
		this.onClose();
	}
}

function receive(
	stream: ClientHttp2Stream,
	request: OutgoingRequest,
	receiver: Receiver,
	deadline: Deadline,
	limits: ExchangeLimits,
): Promise<void> {
	receiver.onDrain = () => stream.resume();
	return new Promise((resolve, reject) => {
		let complete: boolean | undefined;
		// A stream reset with NO_ERROR ends like one that is complete. Only the order tells them apart: the end of the
		// content is pushed before the stream closes, that of a reset after it has been closed.
		const push = stream.push.bind(stream);
		stream.push = (chunk, encoding) => {
			if (chunk === null) complete ??= !stream.closed;
			return push(chunk, encoding);
		};
		const guard = (step: () => void) => {
			try {
				step();
			} catch (error) {
				reject(error);
			}
		};
		stream.on('response', (received, _flags, ...rest) => {
			// The lines as they came are the third argument, which the types leave out.
			const headers = fromPairs((rest as unknown as [string[]])[0]);
			deadline.body(limits.bodyIdle, limits.slowBody);
			guard(() => receiver.start(formHead(Number(received[':status']), headers, request.method)));
		});
		stream.on('data', (chunk: Uint8Array) => {
			deadline.touch(chunk.length);
			if (!receiver.write(chunk)) stream.pause();
		});
		stream.on('end', () => {
			if (complete) deadline.arrived();
		});
		stream.on('error', (error) => reject(streamFailure(error, stream, receiver)));
		stream.on('close', () => {
			if (!complete || stream.rstCode !== constants.NGHTTP2_NO_ERROR || receiver.head === undefined) {
				return reject(streamFailure(undefined, stream, receiver));
			}
			guard(() => receiver.end());
			resolve();
		});
	});
}

function streamFailure(error: unknown, stream: ClientHttp2Stream, receiver: Receiver): FetchError {
	if (error instanceof FetchError) return error;
	const detail = error === undefined ? `the stream ended with code ${stream.rstCode}` : describeError(error);
	if (receiver.head === undefined) {
		const calm = stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM || detail.includes('CONTINUATION');
		if (calm) return new FetchError('headers-too-large', detail);
		if (stream.rstCode === constants.NGHTTP2_PROTOCOL_ERROR) return new FetchError('bad-response', detail);
		return new FetchError('connection-reset', detail, { unanswered: true, cause: error });
	}
	const { length } = receiver.head;
	const short = length !== undefined && receiver.wireBytes < length;
	return new FetchError(short || error === undefined ? 'truncated' : 'connection-reset', detail, { cause: error });
}

function formHead(status: number, headers: ReceivedHeaders, method: string): ResponseHead {
	const bodyless = method === 'HEAD' || status === 204 || status === 304;
	return {
		status,
		headers,
		httpVersion: '2',
		length: bodyless ? 0 : contentLength(headers.get('content-length')),
		transferCodings: [],
	};
}

function fromPairs(flat: readonly string[]): ReceivedHeaders {
	const lines: [string, string][] = [];
	for (let index = 0; index + 1 < flat.length; index += 2) {
		const [name = '', value = ''] = [flat[index], flat[index + 1]];
		if (!name.startsWith(':')) lines.push([name, value]);
	}
	return new ReceivedHeaders(lines);
}

function formatHeaders({ target, method, headers, secrets, body }: OutgoingRequest) {
	return {
		':method': method,
		':scheme': target.protocol.slice(0, -1),
		':authority': target.host,
		':path': requestTarget(target),
		...Object.fromEntries(headers),
		...Object.fromEntries(secrets),
		...(method === 'POST' ? { 'content-length': body?.length ?? 0 } : {}),
	};
}
