import { setTimeout as sleep } from 'node:timers/promises';

/** Pages visited by way of a redirect that are remembered as ended. */
const remembered = 10_000;

/** URLs that are being visited, redirect targets among them: each by one visit at a time. */
export class Claims {
	readonly #claimed = new Set<string>();
	readonly #ended = new Set<string>();
	readonly #attached = new Map<string, () => void>();
	/** Of those that are claimed: to which other one they have led. */
	readonly #leads = new Map<string, string>();
	readonly #onRelease: (url: string) => void;
	readonly #waiting = new Map<string, (() => void)[]>();

	constructor(onRelease: (url: string) => void) {
		this.#onRelease = onRelease;
	}

	/** Whether the URL is the caller's from now on. Nothing is awaited in between, so only one of several gets it. */
	take(url: string): boolean {
		if (this.#claimed.has(url)) return false;
		this.#claimed.add(url);
		return true;
	}

	/**
	 * Resolves when no worker has the URL, or after so many milliseconds: two visits may wait for each other.
	 *
	 * @returns whether it is free
	 */
	async free(url: string, patience: number): Promise<boolean> {
		if (!this.#claimed.has(url)) return true;
		const over = new AbortController();
		const released = new Promise<void>((resolve) => {
			this.#waiting.set(url, [...(this.#waiting.get(url) ?? []), resolve]);
		});
		await Promise.race([released, sleep(patience, undefined, { signal: over.signal }).catch(() => {})]);
		over.abort();
		return !this.#claimed.has(url);
	}

	/** What is to be let go together with the URL: nobody else may have the host before what was found there is safe. */
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
		this.#leads.delete(url);
		this.#attached.get(url)?.();
		this.#attached.delete(url);
		for (const resolve of this.#waiting.get(url) ?? []) resolve();
		this.#waiting.delete(url);
		this.#onRelease(url);
	}

	/** It was visited by way of a redirect; whoever has it in a list from before need not visit it again. */
	setEnded(url: string): void {
		this.#ended.add(url);
		if (this.#ended.size > remembered) this.#ended.delete(this.#ended.keys().next().value!);
	}

	hasEnded(url: string): boolean {
		return this.#ended.has(url);
	}
}
