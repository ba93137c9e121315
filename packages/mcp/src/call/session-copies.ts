import type { Result } from '@wayleave/crawler';
import { sizeOf } from '@wayleave/service/document-size';
import { LRUCache } from 'lru-cache';

interface Copy {
	readonly result: Result;
	readonly until: number;
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
	readonly #ttl: number;
	readonly #now: () => number;
	/** By session and URL. */
	readonly #copies: LRUCache<string, Copy>;

	constructor({ maxBytes = 64 << 20, ttl = 30 * 60_000, now = Date.now }: SessionCopiesOptions = {}) {
		this.#copies = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ result }) => sizeOf(result) });
		this.#ttl = ttl;
		this.#now = now;
	}

	get(session: string, url: string): Result | undefined {
		const key = keyOf(session, url);
		const copy = this.#copies.get(key);
		if (copy === undefined || copy.until > this.#now()) return copy?.result;
		this.#copies.delete(key);
		return undefined;
	}

	/** Keeps a document; without one, drops the earlier copy. */
	put(session: string, url: string, result: Result): void {
		const key = keyOf(session, url);
		if (result.document === undefined) this.#copies.delete(key);
		else this.#copies.set(key, { result, until: this.#now() + this.#ttl });
	}

	/** Drops pages in all sessions: their owner has removed them. */
	forget(urls: readonly string[]): void {
		const gone = new Set(urls);
		for (const [key, { result }] of this.#copies.entries())
			if (gone.has(result.url) || (result.redirectedTo !== undefined && gone.has(result.redirectedTo)))
				this.#copies.delete(key);
	}
}

const keyOf = (session: string, url: string): string => `${session}\n${url}`;
