/**
 * Calls that are under way, for clients whose cancellation comes in a request of its own (streamable HTTP). Ids of
 * requests count from 0 in every client, so that a call is known by its session too.
 */
export class Cancellations {
	readonly #calls = new Map<string, AbortController>();

	/** Does work with a signal that a cancellation of the same session and id aborts. */
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

	/** Aborts a call; nothing happens where there is none. */
	cancel(session: string, id: string | number): void {
		this.#calls.get(keyOf(session, id))?.abort();
	}
}

const keyOf = (session: string, id: string | number): string => `${session} ${JSON.stringify(id)}`;
