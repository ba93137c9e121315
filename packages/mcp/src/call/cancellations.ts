/**
 * Calls in progress, for clients that send a cancellation as a separate request (streamable HTTP). Request ids count
 * from 0 in every client, so the session identifies a call too.
 */
export class Cancellations {
	readonly #calls = new Map<string, AbortController>();

	/** Runs work with a signal that a cancellation of the same session and id aborts. */
	async watch<Value>(
		session: string,
		id: string | number,
		work: (signal: AbortSignal) => Promise<Value>,
	): Promise<Value> {
		const key = keyOf(session, id);
		const controller = new AbortController();
		this.#calls.set(key, controller);
		try {
			return await work(controller.signal);
		} finally {
			if (this.#calls.get(key) === controller) this.#calls.delete(key);
		}
	}

	/** Aborts a call, if there is one. */
	cancel(session: string, id: string | number): void {
		this.#calls.get(keyOf(session, id))?.abort();
	}
}

const keyOf = (session: string, id: string | number): string => `${session} ${JSON.stringify(id)}`;
