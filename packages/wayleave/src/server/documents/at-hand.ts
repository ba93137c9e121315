import type { Result } from '@wayleave/crawler';

interface Copy {
	readonly result: Result;
	readonly until: number;
	readonly size: number;
}

export interface AtHandOptions {
	/** Characters of all documents together. */
	readonly mostCharacters: number;
	/** How long a copy is given before the store is asked again, which others may write to; milliseconds. */
	readonly ttl: number;
	readonly now: () => number;
}

/** The stored documents that are asked for most, as they came from the store. */
export class AtHand {
	readonly #options: AtHandOptions;
	/** By the URL asked for; what was used last is last. */
	readonly #copies = new Map<string, Copy>();
	/** By the URL of the page: where redirects lead to it, it is known under several. */
	readonly #askedFor = new Map<string, Set<string>>();
	#characters = 0;

	constructor(options: AtHandOptions) {
		this.#options = options;
	}

	get(url: string): Result | undefined {
		const copy = this.#copies.get(url);
		if (copy === undefined) return undefined;
		if (copy.until <= this.#options.now()) {
			this.#drop(url);
			return undefined;
		}
		this.#copies.delete(url);
		this.#copies.set(url, copy);
		return copy.result;
	}

	put(url: string, result: Result): void {
		const { mostCharacters, ttl, now } = this.#options;
		const size = sizeOf(result) + url.length * 2;
		// What says itself until when it is good is asked for each time.
		if (ttl <= 0 || size > mostCharacters / 8 || result.representation?.freshUntil !== undefined) return;
		this.#drop(url);
		this.#copies.set(url, { result, until: now() + ttl, size });
		this.#characters += size;
		const page = pageOf(result);
		this.#askedFor.set(page, (this.#askedFor.get(page) ?? new Set()).add(url));
		for (const [oldest] of this.#copies) {
			if (this.#characters <= mostCharacters) break;
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

/** Approximate size of a document in bytes; links and headings repeat its text. */
export function sizeOf({ document }: Result): number {
	if (document === undefined) return 2000;
	const { content, structure } = document;
	const lists = (structure.links?.length ?? 0) + (structure.images?.length ?? 0) + (structure.headings?.length ?? 0);
	return 2000 + content.markdown.length * 2 + lists * 300;
}
