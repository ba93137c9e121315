import { LRUCache } from 'lru-cache';
import type { Fetcher, FetchResult } from '../http/types.ts';
import {
	isPrintedKey,
	keyDirectoryPath,
	keyDirectoryType,
	type PublicJwk,
	readKeyDirectory,
	type Verifier,
	verifierOf,
} from './keys.ts';

/** `missing`: the directory was read and has no such key; `unavailable`: it could not be read, which revokes nothing. */
export type KeyResult =
	| { readonly result: 'found'; readonly verifier: Verifier; readonly isPrinted?: boolean }
	| { readonly result: 'missing'; readonly detail: string }
	| { readonly result: 'unavailable'; readonly detail: string };

export interface KeyDirectoriesOptions {
	/** Guarded: the origins are what strangers write into a header. */
	readonly fetcher: Pick<Fetcher, 'get'>;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
	/** Directories that are kept. Default 1000. */
	readonly maxKept?: number;
	/** Requests under way at a time, over all origins. Default 8. */
	readonly maxPending?: number;
}

interface Key {
	readonly jwk: PublicJwk;
	readonly verifier: Verifier;
	/** Its private half is printed in a standard. */
	readonly isPrinted: boolean;
}

interface Directory {
	/** Of the last good answer. */
	readonly keys?: ReadonlyMap<string, Key>;
	readonly readAt: number;
	readonly freshUntil: number;
	/** When it was last asked for, and what came of that where nothing did. */
	readonly askedAt: number;
	readonly fault?: string;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const limits = {
	bytes: 64 << 10,
	keys: 32,
	time: 2000,
	/** Between two requests for one directory: how long a missing key or a failure is believed. */
	pause: minute,
	shortest: 5 * minute,
	usual: 60 * minute,
	longest: day,
	/** For how long keys outlive a directory that cannot be read. */
	outage: 7 * day,
} as const;

/** The keys of agents, from the directories that they publish (HTTP Message Signatures Directory draft). */
export class KeyDirectories {
	readonly #options: KeyDirectoriesOptions;
	readonly #now: () => number;
	readonly #kept: LRUCache<string, Directory>;
	readonly #pending = new Map<string, Promise<Directory>>();

	constructor(options: KeyDirectoriesOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
		this.#kept = new LRUCache({ max: options.maxKept ?? 1000 });
	}

	/** The key of an https origin; never rejects. Asks the origin when that is due, at most once a minute. */
	async find(origin: string, keyId: string): Promise<KeyResult> {
		const kept = this.#kept.get(origin);
		const isFresh = kept !== undefined && !this.#isDue(kept, keyId);
		return this.#findIn(isFresh ? kept : await this.#ask(origin, kept), keyId);
	}

	#isDue(directory: Directory, keyId: string): boolean {
		if (this.#now() < directory.askedAt + limits.pause) return false;
		return this.#now() >= directory.freshUntil || directory.keys?.has(keyId) !== true;
	}

	#findIn({ keys, readAt, fault = '' }: Directory, keyId: string): KeyResult {
		const now = this.#now();
		if (keys === undefined || now > readAt + limits.outage) return { result: 'unavailable', detail: fault };
		const key = keys.get(keyId);
		// An outage may hide the very rotation that brought this key.
		if (key === undefined && fault !== '') return { result: 'unavailable', detail: fault };
		if (key === undefined) return { result: 'missing', detail: `the directory has no key ${excerpt(keyId)}` };
		const { nbf = 0, exp = Number.POSITIVE_INFINITY } = key.jwk;
		const valid = now >= nbf * 1000 && now < exp * 1000;
		return valid
			? { result: 'found', verifier: key.verifier, isPrinted: key.isPrinted }
			: { result: 'missing', detail: 'the key is expired or not valid yet' };
	}

	async #ask(origin: string, before: Directory | undefined): Promise<Directory> {
		const pending = this.#pending.get(origin);
		if (pending !== undefined) return pending;
		if (this.#pending.size >= (this.#options.maxPending ?? 8)) {
			return {
				...(before ?? { readAt: 0, freshUntil: 0, askedAt: 0 }),
				fault: 'too many key directories are being fetched',
			};
		}
		const asked = this.#fetch(origin, before).finally(() => this.#pending.delete(origin));
		this.#pending.set(origin, asked);
		return asked;
	}

	async #fetch(origin: string, before: Directory | undefined): Promise<Directory> {
		const response = await this.#options.fetcher.get(origin + keyDirectoryPath, {
			headers: { accept: keyDirectoryType },
			maxBytes: limits.bytes,
			timeouts: { total: limits.time },
		});
		const directory = readResponse(response, before, this.#now());
		this.#kept.set(origin, directory);
		return directory;
	}
}

function readResponse(response: FetchResult, before: Directory | undefined, now: number): Directory {
	const kept = { ...(before ?? { readAt: 0, freshUntil: 0 }), askedAt: now };
	if (!response.ok) return { ...kept, fault: `${response.reason}: ${response.detail}` };
	// No redirects: the key is the word of the origin that was named.
	if (response.status !== 200) return { ...kept, fault: `http-${response.status}` };
	const type = /^[^;\s]*/.exec(response.headers.get('content-type') ?? '')?.[0].toLowerCase();
	if (type !== keyDirectoryType) return { ...kept, fault: `the content type is ${excerpt(type || 'missing')}` };
	const keys = readKeyDirectory(new TextDecoder().decode(response.body), limits.keys);
	if (keys === undefined) return { ...kept, fault: 'not a key directory' };
	const entries = Array.from(
		keys,
		([id, jwk]) => [id, { jwk, verifier: verifierOf(jwk), isPrinted: isPrintedKey(jwk) }] as const,
	);
	const freshUntil = now + lifetime(response.headers.get('cache-control') ?? '');
	return { keys: new Map(entries), readAt: now, freshUntil, askedAt: now };
}

function lifetime(control: string): number {
	const seconds = /(?:^|[,\s])max-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
	if (seconds === undefined) return limits.usual;
	return Math.min(Math.max(Number(seconds) * 1000, limits.shortest), limits.longest);
}

function excerpt(text: string): string {
	return text.slice(0, 100);
}
