import { useCallback, useEffect, useState } from 'preact/hooks';
import type { PolicyText } from './data.ts';

/** A refusal by the studio, with its sentence. */
export class Refusal extends Error {
	readonly status: number;
	/** The file on disk, where that is why. */
	readonly current: PolicyText | undefined;

	constructor(status: number, title: string, current?: PolicyText) {
		super(title);
		this.status = status;
		this.current = current;
	}
}

/** @throws Refusal */
export async function call<Value>(path: string, init: RequestInit = {}): Promise<Value> {
	let response: Response;
	try {
		response = await fetch(`api/studio/${path}`, { ...init, headers: { accept: 'application/json', ...init.headers } });
	} catch (error) {
		if (init.signal?.aborted) throw error;
		throw new Refusal(0, 'the gateway cannot be reached: see that it is running, then try again');
	}
	// A text that is not published must not be lost by going to the sign-in page.
	if (response.headers.get('x-sign-in') === 'needed')
		throw new Refusal(
			401,
			'you are no longer signed in: open the dashboard in another tab, sign in, and try again here',
		);
	const json = (await response.json().catch((error: unknown) => {
		// A body that breaks off is not an empty one: the request was given up, or the connection was lost.
		if (init.signal?.aborted) throw error;
		if (response.ok) throw new Refusal(0, 'the response of the gateway broke off: try again');
		return {};
	})) as { title?: string; current?: PolicyText };
	if (response.ok) return json as Value;
	throw new Refusal(response.status, json.title ?? `the gateway responded with ${response.status}`, json.current);
}

/** @throws Refusal */
export function send<Value>(path: string, body: unknown, init: Omit<RequestInit, 'body'> = {}): Promise<Value> {
	const headers = { 'content-type': 'application/json', ...init.headers };
	return call<Value>(path, { method: 'POST', ...init, headers, body: JSON.stringify(body) });
}

/** JSON of the studio, as far as it has arrived. */
export interface Found<Value> {
	readonly value: Value | undefined;
	readonly error: Refusal | undefined;
	readonly reload: () => void;
}

/** Reads JSON of the studio, and again when `reload` is called. */
export function useStudio<Value>(path: string): Found<Value> {
	const [found, setFound] = useState<Omit<Found<Value>, 'reload'>>({ value: undefined, error: undefined });
	const [turn, setTurn] = useState(0);
	useEffect(() => {
		const stop = new AbortController();
		call<Value>(path, { signal: stop.signal }).then(
			(value) => setFound({ value, error: undefined }),
			(error: unknown) => {
				if (error instanceof Refusal) setFound((last) => ({ ...last, error }));
			},
		);
		return () => stop.abort();
	}, [path, turn]);
	return { ...found, reload: useCallback(() => setTurn((last) => last + 1), []) };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
