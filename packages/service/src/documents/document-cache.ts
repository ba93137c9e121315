import type { Result } from '@wayleave/crawler';
import { LRUCache } from 'lru-cache';
import { sizeOf } from './document-size.ts';

interface Copy {
	readonly result: Result;
	readonly until: number;
}

export interface DocumentCacheOptions {
	/** Characters of all documents together. */
	readonly maxCharacters: number;
	/** How long a copy is given before the store is asked again, which others may write to; milliseconds. */
	readonly ttl: number;
	readonly now: () => number;
}

/** The stored documents that are asked for most, as they came from the store. */
export class DocumentCache {
	readonly #options: DocumentCacheOptions;
	/** By the URL asked for. */
	readonly #copies: LRUCache<string, Copy>;
	/** By the URL of the page: where redirects lead to it, it is known under several. */
	readonly #askedFor = new Map<string, Set<string>>();

	constructor(options: DocumentCacheOptions) {
		this.#options = options;
		this.#copies = new LRUCache({
			maxSize: options.maxCharacters,
			dispose: ({ result }, url) => this.#unlink(result, url),
		});
	}

	get(url: string): Result | undefined {
		const copy = this.#copies.get(url);
		return copy === undefined || copy.until <= this.#options.now() ? undefined : copy.result;
	}

	/** A copy whose time may be over: only to be compared with the store. */
	last(url: string): Result | undefined {
		return this.#copies.peek(url)?.result;
	}

	/** What the store has of a URL now. */
	put(url: string, result: Result | undefined): void {
		const { maxCharacters, ttl, now } = this.#options;
		this.#copies.delete(url);
		if (result === undefined) return;
		const size = sizeOf(result) + url.length * 2;
		// A result with an expiry of its own is looked up each time.
		if (ttl <= 0 || size > maxCharacters / 8 || result.representation?.freshUntil !== undefined) return;
		this.#copies.set(url, { result, until: now() + ttl }, { size });
		const page = pageOf(result);
		this.#askedFor.set(page, (this.#askedFor.get(page) ?? new Set()).add(url));
	}

	/** A page has been fetched, or taken away: no copy of it is good any more, under whatever address. */
	forget(page: string): void {
		for (const url of [page, ...(this.#askedFor.get(page) ?? [])]) this.#copies.delete(url);
	}

	#unlink(result: Result, url: string): void {
		const page = pageOf(result);
		const urls = this.#askedFor.get(page);
		urls?.delete(url);
		if (urls?.size === 0) this.#askedFor.delete(page);
	}
}

const pageOf = ({ redirectedTo, url }: Result): string => redirectedTo ?? url;
