import { setTimeout as sleep } from 'node:timers/promises';

/** Pages visited by way of a redirect that are remembered as ended. */
const remembered = 10_000;
/** Milliseconds that a visit waits for one that has not begun. */
const shortPatience = 3000;

/** URLs that are being visited, redirect targets among them: each by one visit at a time. */
export class UrlClaims {
	readonly #claimed = new Set<string>();
	readonly #ended = new Set<string>();
	readonly #attached = new Map<string, () => void>();
	/** Claimed URL → claimed URL it redirects to. */
	readonly #leads = new Map<string, string>();
	/** Claimed URL → the URL whose visit took it, if it is another one. */
	readonly #visits = new Map<string, string>();
	readonly #begun = new Set<string>();
	/** Visit → the one that it waits for, both by URL. */
	readonly #waits = new Map<string, string>();
	readonly #onRelease: (url: string) => void;
	readonly #waiting = new Map<string, (() => void)[]>();

	constructor(onRelease: (url: string) => void) {
		this.#onRelease = onRelease;
	}

	/**
	 * Whether the URL is the caller's from now on. Nothing is awaited in between, so only one of several gets it.
	 *
	 * @param visit the URL whose visit takes it
	 */
	take(url: string, visit = url): boolean {
		if (this.#claimed.has(url)) return false;
		this.#claimed.add(url);
		if (visit !== url) this.#visits.set(url, visit);
		return true;
	}

	/** The visit of a claimed URL has begun; until then it may wait for the end of others, which nothing here knows of. */
	begin(url: string): void {
		this.#begun.add(url);
	}

	/**
	 * Waits for another visit, unless that one waits for this one, directly or through others.
	 *
	 * @returns false if it does: the caller goes on
	 */
	async waitFor(visit: string, other: string, end: () => Promise<unknown>): Promise<boolean> {
		for (let next: string | undefined = other; next !== undefined; next = this.#waits.get(next))
			if (next === visit) return false;
		this.#waits.set(visit, other);
		try {
			await end();
			return true;
		} finally {
			this.#waits.delete(visit);
		}
	}

	/**
	 * Resolves when no worker has the URL, or after so many milliseconds; at once if its visit waits for the caller's.
	 *
	 * @param visit the URL whose visit waits
	 * @returns whether it is free
	 */
	async free(url: string, patience: number, visit: string): Promise<boolean> {
		if (!this.#claimed.has(url)) return true;
		const other = this.#visits.get(url) ?? url;
		const longest = this.#begun.has(other) ? patience : Math.min(patience, shortPatience);
		await this.waitFor(visit, other, () => this.#released(url, longest));
		return !this.#claimed.has(url);
	}

	async #released(url: string, patience: number): Promise<void> {
		const over = new AbortController();
		const released = new Promise<void>((resolve) => {
			this.#waiting.set(url, [...(this.#waiting.get(url) ?? []), resolve]);
		});
		await Promise.race([released, sleep(patience, undefined, { signal: over.signal }).catch(() => {})]);
		over.abort();
	}

	/** Released together with the URL: no other worker may take the host before its results are safe. */
	attach(url: string, letGo: () => void): void {
		this.#attached.set(url, letGo);
	}

	/** A visit has led to a URL that another visit has. */
	setLead(url: string, next: string): void {
		if (this.#claimed.has(url)) this.#leads.set(url, next);
	}

	leadOf(url: string): string | undefined {
		return this.#leads.get(url);
	}

	release(url: string): void {
		this.#claimed.delete(url);
		this.#visits.delete(url);
		this.#begun.delete(url);
		this.#leads.delete(url);
		this.#attached.get(url)?.();
		this.#attached.delete(url);
		for (const resolve of this.#waiting.get(url) ?? []) resolve();
		this.#waiting.delete(url);
		this.#onRelease(url);
	}

	/** Visited through a redirect; a window that was filled earlier must not visit it again. */
	setEnded(url: string): void {
		this.#ended.add(url);
		if (this.#ended.size <= remembered) return;
		const [oldest = url] = this.#ended;
		this.#ended.delete(oldest);
	}

	hasEnded(url: string): boolean {
		return this.#ended.has(url);
	}
}
