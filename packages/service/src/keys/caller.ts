import type { StoredBucket } from './request-rates.ts';
import { type Scope, scopeNames } from './scopes.ts';

/** A caller: its id and its rights. It never leaves the service (AWI-80, AWI-81). */
export interface Caller {
	readonly id: string;
	readonly scopes: ReadonlySet<Scope>;
	/** Requests per minute. */
	readonly rate?: number;
	/** What all processes have left of the rate, as it was last read. */
	readonly bucket?: StoredBucket;
	/** Documents per day. */
	readonly quota?: number;
}

/** Everybody, where no key is needed. */
export const openCaller: Caller = { id: 'open', scopes: new Set(scopeNames) };
