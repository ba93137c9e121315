import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** JSON from the server, as far as it has arrived. */
export interface Resource<Value> {
	/** The last value that arrived; stays while a newer one loads, and when that fails. */
	readonly value: Value | undefined;
	/** Why the last request failed: a sentence. */
	readonly error: string | undefined;
	readonly isLoading: boolean;
	/** When the value arrived; milliseconds since 1970. */
	readonly at: number | undefined;
	readonly reload: () => void;
}

/** Headers of all requests: a key, where the server wants one. */
const requestHeaders: Record<string, string> = { accept: 'application/json' };

/** Names a key in all requests from now on. */
export function authorise(key: string): void {
	requestHeaders.authorization = `Bearer ${key}`;
}

/** Milliseconds until a failed request is repeated. */
const retryPause = 5000;

/**
 * Reads JSON from an address, and again when the address changes.
 *
 * @param address undefined: nothing is read
 * @param every milliseconds between two readings; undefined: one reading
 */
export function useResource<Value>(address: string | undefined, every?: number): Resource<Value> {
	const [state, setState] = useState<Omit<Resource<Value>, 'reload'>>({
		value: undefined,
		error: undefined,
		isLoading: address !== undefined,
		at: undefined,
	});
	const [turn, setTurn] = useState(0);
	const text = useRef('');
	const reload = useCallback(() => setTurn((last) => last + 1), []);
	useEffect(() => {
		if (address === undefined) return;
		const stop = new AbortController();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const read = async () => {
			setState((last) => ({ ...last, isLoading: true }));
			try {
				const next = await readText(address, stop.signal);
				const isSame = next === text.current;
				text.current = next;
				setState((last) => ({
					value: isSame ? last.value : (JSON.parse(next) as Value),
					error: undefined,
					isLoading: false,
					at: Date.now(),
				}));
			} catch (error) {
				if (stop.signal.aborted) return;
				setState((last) => ({ ...last, error: messageOf(error), isLoading: false }));
				timer = setTimeout(() => void read(), every ?? retryPause);
				return;
			}
			if (every !== undefined) timer = setTimeout(() => void read(), every);
		};
		void read();
		return () => {
			stop.abort();
			clearTimeout(timer);
		};
	}, [address, every, turn]);
	return { ...state, reload };
}

/** Sends JSON, and returns the JSON that comes back. Rejects with a sentence where the server refuses. */
export async function sendJson<Value>(
	address: string,
	body: unknown,
	init: Omit<RequestInit, 'body'> = {},
): Promise<Value> {
	const headers = { ...requestHeaders, 'content-type': 'application/json', ...init.headers };
	const response = await fetch(address, { method: 'POST', ...init, headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(await titleOf(response));
	return (await response.json()) as Value;
}

async function readText(address: string, signal: AbortSignal): Promise<string> {
	const response = await fetch(address, { signal, headers: requestHeaders });
	if (response.headers.get('x-sign-in') === 'needed') location.assign('sign-in');
	if (!response.ok) throw new Error(await titleOf(response));
	return response.text();
}

/** Reads JSON once. Rejects with a sentence where the server refuses or does not respond. */
export async function readJson<Value>(address: string, signal: AbortSignal): Promise<Value> {
	return JSON.parse(await readText(address, signal)) as Value;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The sentence of a problem (RFC 9457), or the status. */
async function titleOf(response: Response): Promise<string> {
	const given: unknown = await response.json().catch(() => undefined);
	const title = typeof given === 'object' && given !== null && 'title' in given ? given.title : undefined;
	return typeof title === 'string' ? title : `the server responded with ${response.status}`;
}
