import type { StoredBucket } from './request-rates.ts';
import { type Scope, scopeNames } from './scopes.ts';

/** A caller: its id and its rights. It never leaves the service (AWI-80, AWI-81). */
export interface Caller {
	readonly id: string;
	readonly scopes: ReadonlySet<Scope>;
	/** Requests per minute. */
	readonly rate?: number;
	/** Requests that are left to the key in all processes, as last read from the database. */
	readonly bucket?: StoredBucket;
	/** Documents per day. */
	readonly quota?: number;
}

/** Everybody, where no key is needed. */
export const openCaller: Caller = { id: 'open', scopes: new Set(scopeNames) };
