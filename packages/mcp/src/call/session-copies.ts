import type { Result } from '@wayleave/crawler';
import { sizeOf } from '@wayleave/service/document-size';

interface Copy {
	readonly result: Result;
	readonly until: number;
	readonly size: number;
}

export interface SessionCopiesOptions {
	/** Approximate limit for all documents; bytes. */
	readonly maxBytes?: number;
	/** How long a client may take between two parts; milliseconds. */
	readonly ttl?: number;
	readonly now?: () => number;
}

/**
 * Documents that clients read in parts. A page that its site does not allow to be stored is read to its end from here,
 * only in the session that fetched it; it is never written to disk.
 */
export class SessionCopies {
	readonly #maxBytes: number;
	readonly #ttl: number;
	readonly #now: () => number;
	/** By session and URL, least recently used first. */
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

	/** Keeps a document; without one, drops the earlier copy. */
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

	/** Drops pages in all sessions: their owner has removed them. */
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
