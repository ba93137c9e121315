import type { Clock } from '@wayleave/crawler';
import { readRetryAfter } from '@wayleave/io/http';

/** Between two requests to one host; milliseconds. */
const pause = 2000;
/** Longest wait for a host that asks for a pause; milliseconds. */
const maxWait = 15_000;
/** A server that is busy and names no time. */
const usualRest = 60_000;
const maxHosts = 10_000;

/** A turn at a host. It ends when the answer is there, with the `Retry-After` of one that is busy. */
export type EndTurn = (busy?: { readonly retryAfter: string | undefined }) => void;

/**
 * One request at a time to each host, and a pause between the end of one and the start of the next; a host
 * that is busy is left alone for as long as it says.
 */
export class Pace {
	readonly #clock: Clock;
	readonly #signal: AbortSignal;
	/** When each host may be asked again; a promise while it is being asked. */
	readonly #ready = new Map<string, Promise<number>>();

	constructor(clock: Clock, signal: AbortSignal) {
		this.#clock = clock;
		this.#signal = signal;
	}

	/** Resolves when the host may be asked; undefined where that is too far off. */
	async turn(host: string): Promise<EndTurn | undefined> {
		const before = this.#ready.get(host);
		let end = (_: number): void => {};
		const ended = new Promise<number>((resolve) => {
			end = resolve;
		});
		this.#ready.delete(host);
		this.#ready.set(host, ended);
		const [oldest = host] = this.#ready.keys();
		if (this.#ready.size > maxHosts) this.#ready.delete(oldest);
		const readyAt = (await before) ?? 0;
		const wait = readyAt - this.#clock.now();
		if (wait > maxWait) {
			end(readyAt);
			return undefined;
		}
		if (wait > 0) await this.#clock.sleep(wait, this.#signal);
		return (busy) => end(this.#clock.now() + Math.max(pause, busy === undefined ? 0 : this.#restOf(busy.retryAfter)));
	}

	#restOf(retryAfter: string | undefined): number {
		return readRetryAfter(retryAfter, this.#clock.now()) ?? usualRest;
	}
}
