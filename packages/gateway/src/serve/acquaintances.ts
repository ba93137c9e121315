import type { PermissionName } from '@wayleave/protocols/robots2';
import { LRUCache } from 'lru-cache';

/** An allow that was given to somebody who asked. */
export interface Grant {
	/** When; milliseconds since 1970. */
	readonly at: number;
	/** For one use. */
	readonly once: boolean;
}

/** What is remembered about one client, for as long as there is room. */
export interface Acquaintance {
	/** The version of the policy that it fetched last. */
	policy?: string;
	/** When; milliseconds since 1970. */
	policyAt?: number;
	/** It has fetched the manifest. */
	manifest?: boolean;
	/** What it was allowed when it asked, by directive: at most one each. */
	grants?: Map<PermissionName, Grant>;
	/** Directives that it has asked for. */
	asked?: Set<PermissionName>;
	/** When its last page request came. */
	lastPage?: number;
}

export interface Acquaintances {
	/** What is known about a client, to be read and written. */
	of(client: string): Acquaintance;
	/** The same where something is known. */
	find(client: string): Acquaintance | undefined;
	readonly size: number;
}

/** A bounded memory of clients: the ones that came longest ago are forgotten first. */
export function createAcquaintances(max = 100_000): Acquaintances {
	const known = new LRUCache<string, Acquaintance>({ max });
	return {
		of(client) {
			const found = known.get(client);
			if (found !== undefined) return found;
			const made: Acquaintance = {};
			known.set(client, made);
			return made;
		},
		find: (client) => known.get(client),
		get size() {
			return known.size;
		},
	};
}

/** Several agents may come from one address, and each reads the terms for itself. */
export function acquaintanceKey({
	name,
	client,
}: {
	readonly name?: string | undefined;
	readonly client: string;
}): string {
	// A name comes from a header, and may be as long as one.
	return name === undefined ? client : `${name.slice(0, 100)} ${client}`;
}
