import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
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

/** The key that the operator has entered; empty: none. It is kept for as long as the page is open. */
export const Key = createContext('');

/** @throws Refusal */
export async function call<Value>(path: string, key: string, init: RequestInit = {}): Promise<Value> {
	const headers = {
		accept: 'application/json',
		...(key !== '' && { authorization: `Bearer ${key}` }),
		...init.headers,
	};
	let response: Response;
	try {
		response = await fetch(`api/studio/${path}`, { ...init, headers });
	} catch (error) {
		if (init.signal?.aborted) throw error;
		throw new Refusal(0, 'the gateway cannot be reached: see that it is running, then try again');
	}
	const json = (await response.json().catch(() => ({}))) as { title?: string; current?: PolicyText };
	if (response.ok) return json as Value;
	throw new Refusal(response.status, json.title ?? `the gateway responded with ${response.status}`, json.current);
}

/** @throws Refusal */
export function send<Value>(path: string, key: string, body: unknown, signal?: AbortSignal): Promise<Value> {
	const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
	return call<Value>(path, key, signal === undefined ? init : { ...init, signal });
}

/** JSON of the studio, as far as it has arrived. */
export interface Found<Value> {
	readonly value: Value | undefined;
	readonly error: Refusal | undefined;
	readonly reload: () => void;
}

/** Reads JSON of the studio, and again when the key changes or `reload` is called. */
export function useStudio<Value>(path: string): Found<Value> {
	const key = useContext(Key);
	const [found, setFound] = useState<Omit<Found<Value>, 'reload'>>({ value: undefined, error: undefined });
	const [turn, setTurn] = useState(0);
	useEffect(() => {
		const stop = new AbortController();
		call<Value>(path, key, { signal: stop.signal }).then(
			(value) => setFound({ value, error: undefined }),
			(error: unknown) => {
				if (error instanceof Refusal) setFound((last) => ({ ...last, error }));
			},
		);
		return () => stop.abort();
	}, [path, key, turn]);
	return { ...found, reload: useCallback(() => setTurn((last) => last + 1), []) };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
