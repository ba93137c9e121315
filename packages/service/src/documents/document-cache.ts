import type { Result } from '@wayleave/crawler';
import { sizeOf } from './document-size.ts';

interface Copy {
	readonly result: Result;
	readonly until: number;
	readonly size: number;
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
	/** By the URL asked for; what was used last is last. */
	readonly #copies = new Map<string, Copy>();
	/** By the URL of the page: where redirects lead to it, it is known under several. */
	readonly #askedFor = new Map<string, Set<string>>();
	#characters = 0;

	constructor(options: DocumentCacheOptions) {
		this.#options = options;
	}

	get(url: string): Result | undefined {
		const copy = this.#copies.get(url);
		if (copy === undefined || copy.until <= this.#options.now()) return undefined;
		this.#copies.delete(url);
		this.#copies.set(url, copy);
		return copy.result;
	}

	/** A copy whose time may be over: only to be compared with the store. */
	last(url: string): Result | undefined {
		return this.#copies.get(url)?.result;
	}

	/** What the store has of a URL now. */
	put(url: string, result: Result | undefined): void {
		const { maxCharacters, ttl, now } = this.#options;
		this.#drop(url);
		if (result === undefined) return;
		const size = sizeOf(result) + url.length * 2;
		// A result with an expiry of its own is looked up each time.
		if (ttl <= 0 || size > maxCharacters / 8 || result.representation?.freshUntil !== undefined) return;
		this.#copies.set(url, { result, until: now() + ttl, size });
		this.#characters += size;
		const page = pageOf(result);
		this.#askedFor.set(page, (this.#askedFor.get(page) ?? new Set()).add(url));
		for (const [oldest] of this.#copies) {
			if (this.#characters <= maxCharacters) break;
			this.#drop(oldest);
		}
	}

	/** A page has been fetched, or taken away: no copy of it is good any more, under whatever address. */
	forget(page: string): void {
		for (const url of [page, ...(this.#askedFor.get(page) ?? [])]) this.#drop(url);
	}

	#drop(url: string): void {
		const copy = this.#copies.get(url);
		if (copy === undefined) return;
		this.#copies.delete(url);
		this.#characters -= copy.size;
		const page = pageOf(copy.result);
		const urls = this.#askedFor.get(page);
		urls?.delete(url);
		if (urls?.size === 0) this.#askedFor.delete(page);
	}
}

const pageOf = ({ redirectedTo, url }: Result): string => redirectedTo ?? url;
