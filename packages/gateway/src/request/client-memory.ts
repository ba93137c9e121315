import type { PermissionName } from '@wayleave/protocols/robots2';
import { LRUCache } from 'lru-cache';

/** A permission granted to an agent that asked. */
export interface Grant {
	/** When; milliseconds since 1970. */
	readonly at: number;
	/** For one use. */
	readonly once: boolean;
	/** Names this answer among those of all gateways that share a store. */
	readonly id?: string;
}

/** The state of one client, kept as long as there is room. */
export interface ClientState {
	/** The version of the policy that it fetched last. */
	policy?: string;
	/** When; milliseconds since 1970. */
	policyAt?: number;
	/** It has fetched the manifest. */
	manifest?: boolean;
	/** Its permissions by directive: at most one each. */
	grants?: Map<PermissionName, Grant>;
	/** Directives that it has asked for. */
	asked?: Set<PermissionName>;
	/** When its last page request came. */
	lastPage?: number;
}

export interface ClientMemory {
	/** The state of a client, to read and change. */
	of(client: string): ClientState;
	/** The same where something is known. */
	find(client: string): ClientState | undefined;
	readonly size: number;
}

/** A bounded memory of clients: the ones that came longest ago are forgotten first. */
export function createClientMemory(max = 100_000): ClientMemory {
	// Not `max`, which allocates for all of them at once.
	const known = new LRUCache<string, ClientState>({ maxSize: max, sizeCalculation: () => 1 });
	return {
		of(client) {
			const found = known.get(client);
			if (found !== undefined) return found;
			const made: ClientState = {};
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
export function clientMemoryKey({
	name,
	client,
}: {
	readonly name?: string | undefined;
	readonly client: string;
}): string {
	// A name comes from a header, and may be as long as one.
	return name === undefined ? client : `${name.slice(0, 100)} ${client}`;
}
