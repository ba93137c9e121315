import type { FetchSuccess } from '@wayleave/io/http';
import { BoundedMap } from '../base/bounded-map.ts';

/** Pages with routes whose response is kept, and their bytes. */
const maxPages = 16;
const maxBytes = 16 << 20;
/** Milliseconds after which a page is requested again for its next route. */
const maxAge = 10 * 60_000;
/** Rendered texts that later routes are compared with. */
const maxTexts = 5000;

/**
 * The page shared by its routes: a browser opens them without a further request, so the crawler requests the page
 * once for all of them.
 */
export class RoutePages {
	readonly #now: () => number;
	readonly #responses = new BoundedMap<{ readonly response: FetchSuccess; readonly at: number }>(maxPages, maxBytes);
	/** URL → hash of its text; page and hash → the first URL with that text. */
	readonly #texts = new BoundedMap<string>(maxTexts);
	readonly #first = new BoundedMap<string>(maxTexts);

	constructor(now: () => number) {
		this.#now = now;
	}

	keep(page: string, response: FetchSuccess): void {
		this.#responses.set(page, { response, at: this.#now() }, response.body.length);
	}

	response(page: string): FetchSuccess | undefined {
		const kept = this.#responses.get(page);
		if (kept !== undefined && this.#now() - kept.at <= maxAge) return kept.response;
		this.#responses.delete(page);
		return undefined;
	}

	/** @returns the URL of the same page that shows the same text */
	note(page: string, url: string, text: string): string | undefined {
		const key = `${page} ${text}`;
		const first = this.#first.get(key);
		this.#texts.set(url, text);
		// It may show another text since.
		if (first !== undefined && first !== url && this.#texts.get(first) === text) return first;
		this.#first.set(key, url);
		return undefined;
	}
}
