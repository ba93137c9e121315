import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectStoreError, type ObjectStoreTrouble } from './types.ts';

/** Milliseconds between two tries: the first, and the longest. */
const firstPause = 100;
const maxPause = 10_000;
/** Tries that fail before the server counts as away: a single 503 is nothing to report. */
const quietTries = 3;

/** Retries requests while the server is away or overloaded, with growing pauses of random length. */
export class Retry {
	readonly #patience: number;
	readonly #tell: (trouble: ObjectStoreTrouble) => void;
	#lostAt: number | undefined;
	#closed = false;

	/** @param patience milliseconds */
	constructor(patience: number, tell: (trouble: ObjectStoreTrouble) => void) {
		this.#patience = patience;
		this.#tell = tell;
	}

	/**
	 * @param isTemporary whether a later try may succeed
	 * @throws ObjectStoreError `unreachable` after the patience
	 */
	async run<Value>(place: string, work: () => Promise<Value>, isTemporary: (error: unknown) => string | undefined) {
		const begin = performance.now();
		for (let tries = 1; ; tries++) {
			try {
				const value = await work();
				this.#back();
				return value;
			} catch (error) {
				const detail = isTemporary(error);
				if (detail === undefined || this.#closed) throw error;
				const waited = performance.now() - begin;
				if (waited > this.#patience) throw unreachable(place, detail, waited, error);
				if (tries >= quietTries) this.#lost(`${place}: ${detail}`);
			}
			const pause = Math.min(maxPause, firstPause * 2 ** Math.min(tries - 1, 10));
			await sleep(pause * (0.5 + Math.random() / 2));
		}
	}

	/** Ends all retries. */
	close(): void {
		this.#closed = true;
	}

	#lost(detail: string): void {
		if (this.#lostAt !== undefined) return;
		this.#lostAt = performance.now();
		this.#tell({ state: 'lost', detail });
	}

	#back(): void {
		if (this.#lostAt === undefined) return;
		const seconds = Math.round((performance.now() - this.#lostAt) / 1000);
		this.#lostAt = undefined;
		this.#tell({ state: 'back', detail: `after ${seconds} seconds` });
	}
}

function unreachable(place: string, detail: string, waited: number, cause: unknown): ObjectStoreError {
	const seconds = Math.round(waited / 1000);
	return new ObjectStoreError(
		'unreachable',
		`${place}: ${detail}, for ${seconds} seconds: check the endpoint and the server, then run the same command again`,
		{ cause },
	);
}
