import type { Result } from '@wayleave/crawler';
import { sizeOf } from '../server/documents/at-hand.ts';

interface Copy {
	readonly result: Result;
	readonly until: number;
	readonly size: number;
}

export interface SessionCopiesOptions {
	/** About how much all documents may hold; bytes. */
	readonly maxBytes?: number;
	/** How long a client may take from one part to the next; milliseconds. */
	readonly ttl?: number;
	readonly now?: () => number;
}

/**
 * Documents that clients are reading in parts. A page that its site lets nobody store is read to its end from here, in
 * the session that fetched it and in no other; it is never written to disk.
 */
export class SessionCopies {
	readonly #maxBytes: number;
	readonly #ttl: number;
	readonly #now: () => number;
	/** By session and URL; the copy used last is last. */
	readonly #copies = new Map<string, Copy>();
	#bytes = 0;

	constructor({ maxBytes = 64 << 20, ttl = 30 * 60_000, now = Date.now }: SessionCopiesOptions = {}) {
		this.#maxBytes = maxBytes;
		this.#ttl = ttl;
		this.#now = now;
	}

	get(session: string, url: string): Result | undefined {
		const key = keyOf(session, url);
		const copy = this.#copies.get(key);
		if (copy === undefined) return undefined;
		this.#drop(key);
		if (copy.until <= this.#now()) return undefined;
		this.#add(key, copy);
		return copy.result;
	}

	/** Keeps a document, or forgets the one that was there where the result has none. */
	put(session: string, url: string, result: Result): void {
		const key = keyOf(session, url);
		this.#drop(key);
		const size = sizeOf(result);
		if (result.document === undefined || size > this.#maxBytes) return;
		this.#add(key, { result, until: this.#now() + this.#ttl, size });
		for (const [oldest] of this.#copies) {
			if (this.#bytes <= this.#maxBytes) break;
			this.#drop(oldest);
		}
	}

	/** Forgets pages in all sessions: their owner has taken them away. */
	forget(urls: readonly string[]): void {
		const gone = new Set(urls);
		for (const [key, { result }] of this.#copies)
			if (gone.has(result.url) || (result.redirectedTo !== undefined && gone.has(result.redirectedTo))) this.#drop(key);
	}

	#add(key: string, copy: Copy): void {
		this.#copies.set(key, copy);
		this.#bytes += copy.size;
	}

	#drop(key: string): void {
		const copy = this.#copies.get(key);
		if (copy === undefined) return;
		this.#copies.delete(key);
		this.#bytes -= copy.size;
	}
}

const keyOf = (session: string, url: string): string => `${session}\n${url}`;
