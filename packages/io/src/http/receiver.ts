import { type Transform, Writable } from 'node:stream';
import { contentDecoders } from './decode.ts';
import { FetchError } from './failure.ts';
import { list } from './message-syntax.ts';
import type { ResponseHead } from './response-head.ts';

export interface ReceivedBody {
	readonly body: Uint8Array;
	readonly truncated: boolean;
}

/**
 * How much longer the encoded form, or the form between two codings, may be than the decoded body may become:
 * compression adds little, and what waits inside the decoders has been counted on one side only.
 */
const codingSlack = 1 << 20;

/** The most bytes kept for an archive from a body that fails. */
const maxPartial = 1 << 20;

/**
 * Takes the body of one response as it comes, undoes its codings and keeps the result, within the limit at every
 * stage. `result` settles when the content is complete, too large or not what its headers say.
 */
export class Receiver {
	readonly result: Promise<ReceivedBody>;
	/** Called when `write` may go on after it returned false. */
	onDrain: () => void = () => {};
	head: ResponseHead | undefined;
	wireBytes = 0;
	/** Whether the whole message has been received, if not yet decoded. */
	complete = false;
	readonly #maxBytes: number;
	readonly #truncate: boolean;
	#resolve!: (body: ReceivedBody) => void;
	#reject!: (error: FetchError) => void;
	#chain: Writable[] = [];
	#chunks: Uint8Array[] = [];
	#length = 0;
	readonly #coded: Uint8Array[] | undefined;
	#partial: Uint8Array = new Uint8Array();

	constructor(options: { maxBytes: number; onLimit: 'fail' | 'truncate'; keepCoded?: boolean }) {
		this.#maxBytes = options.maxBytes;
		this.#truncate = options.onLimit === 'truncate';
		this.#coded = options.keepCoded ? [] : undefined;
		this.result = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		this.result.catch(() => {}); // an exchange that fails first never looks at it
	}

	/** The head, of a response that has begun. */
	get arrived(): ResponseHead {
		if (this.head === undefined) throw new Error('no head has arrived');
		return this.head;
	}

	/** The head has arrived. Throws where it already shows that the body cannot be had. */
	start(head: ResponseHead): void {
		this.head = head;
		const codings = [...list(head.headers.get('content-encoding')), ...head.transferCodings];
		const decoders = head.length === 0 ? [] : contentDecoders(codings);
		const most = this.#maxBytes + (decoders.length > 0 ? codingSlack : 0);
		if (head.length !== undefined && head.length > most && !this.#truncate) {
			throw new FetchError('too-large', `Content-Length ${head.length} exceeds the limit of ${this.#maxBytes} bytes`);
		}
		this.#connect(decoders);
	}

	/** A piece of the body as sent. Returns false when the next should wait for `onDrain`. */
	write(chunk: Uint8Array): boolean {
		this.wireBytes += chunk.length;
		const [entry] = this.#chain;
		if (entry === undefined || entry.destroyed) return true;
		if (this.wireBytes > this.#maxBytes + codingSlack && this.#chain.length > 1) {
			this.fail(new FetchError('too-large', `the encoded body exceeds the limit of ${this.#maxBytes} bytes`));
			return true;
		}
		if (this.#chain.length > 1) this.#coded?.push(chunk);
		return entry.write(chunk);
	}

	/** The body before its codings were undone, where it has any and was to be kept. */
	get coded(): Uint8Array | undefined {
		return this.#coded === undefined || this.#coded.length === 0 ? undefined : Buffer.concat(this.#coded);
	}

	/** The bytes received of a body that failed, still coded if it was. At most `maxPartial` bytes. */
	get partial(): Uint8Array {
		return this.#partial;
	}

	/** The message is complete. */
	end(): void {
		this.complete = true;
		const [entry] = this.#chain;
		if (entry === undefined || entry.destroyed) return;
		// No content at all is no broken coding: servers label empty bodies too.
		if (this.wireBytes === 0) this.#finish(false);
		else entry.end();
	}

	fail(error: FetchError): void {
		if (this.#coded !== undefined && this.#chunks.length + this.#coded.length > 0)
			this.#partial = Buffer.concat(this.#coded.length > 0 ? this.#coded : this.#chunks).subarray(0, maxPartial);
		this.#release();
		this.#chunks = [];
		this.#reject(error);
	}

	#connect(decoders: readonly Transform[]): void {
		const collector = new Writable({
			highWaterMark: 1 << 20, // it is never busy: what waits here waits in memory anyway
			write: (chunk: Uint8Array, _encoding, done) => {
				this.#collect(chunk);
				done();
			},
			final: (done) => {
				this.#finish(false);
				done();
			},
		});
		this.#chain = [...decoders, collector];
		for (const [index, decoder] of decoders.entries()) {
			decoder.on('error', (error) => this.fail(decodingFailure(error)));
			if (index < decoders.length - 1) this.#bound(decoder);
			decoder.pipe(decoders[index + 1] ?? collector);
		}
		(decoders[0] ?? collector).on('drain', () => this.onDrain());
	}

	#bound(decoder: Transform): void {
		let length = 0;
		decoder.on('data', (chunk: Uint8Array) => {
			length += chunk.length;
			if (length <= this.#maxBytes + codingSlack) return;
			this.fail(new FetchError('too-large', `a partly decoded body exceeds the limit of ${this.#maxBytes} bytes`));
		});
	}

	#collect(chunk: Uint8Array): void {
		const room = this.#maxBytes - this.#length;
		if (chunk.length <= room) {
			this.#chunks.push(chunk);
			this.#length += chunk.length;
		} else if (this.#truncate) {
			this.#chunks.push(chunk.subarray(0, room));
			this.#length += room;
			this.#finish(true);
		} else {
			this.fail(new FetchError('too-large', `the body exceeds the limit of ${this.#maxBytes} bytes`));
		}
	}

	#finish(truncated: boolean): void {
		const body = new Uint8Array(this.#length);
		let at = 0;
		for (const chunk of this.#chunks) {
			body.set(chunk, at);
			at += chunk.length;
		}
		this.#release();
		this.#chunks = [];
		this.#resolve({ body, truncated });
	}

	#release(): void {
		for (const stream of this.#chain) stream.destroy();
	}
}

function decodingFailure(error: Error): FetchError {
	if (error instanceof FetchError) return error;
	const { code = '' } = error as NodeJS.ErrnoException;
	const cut = code === 'Z_BUF_ERROR' || error.message === 'unexpected end of file';
	return new FetchError(cut ? 'truncated' : 'bad-encoding', `${code || error.name}: ${error.message}`, {
		cause: error,
	});
}
