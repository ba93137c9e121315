import type { PermissionName } from '@wayleave/protocols/robots2';
import type { ClientMemory, ClientState } from '../request/client-memory.ts';
import type { SharedAnswer } from '../request/sharing.ts';
import type { ClientRow, GrantRow, ReadRows } from './shared-rows.ts';

/** Rows to write. */
export interface Changes {
	readonly clients: readonly ClientRow[];
	readonly grants: readonly GrantRow[];
	/** The states from which the rows were made. */
	readonly states: ReadonlyMap<string, ClientState>;
}

/** Rows of each kind in one write. */
const maxTaken = 2000;
/** How long a no is kept, so that other gateways learn of it; milliseconds. */
const keptNo = 86_400_000;

/**
 * What is known of clients, on its way to the store and back. Times here are those of this machine; in the store those
 * of the database.
 */
export class PendingRows {
	/** Milliseconds that the clock of the database is ahead. */
	clockAhead = 0;
	readonly #max: number;
	readonly #states = new Map<string, ClientState>();
	/** By client and directive. */
	readonly #grants = new Map<string, GrantRow>();

	/** Rows that a write may have on its way. */
	readonly #dropped = new WeakSet<GrantRow>();

	/** @param max clients, at most; of more, the first are left out */
	constructor(max: number) {
		this.#max = max;
	}

	get size(): number {
		return this.#states.size + this.#grants.size;
	}

	changed(client: string, state: ClientState): void {
		put(this.#states, client, state, this.#max);
	}

	answered(client: string, { directive, grant, holds }: SharedAnswer, now: number): GrantRow {
		const at = now + this.clockAhead;
		const row: GrantRow = {
			id: grant?.id ?? '',
			client,
			directive,
			kind: grant === undefined ? 'none' : grant.once ? 'once' : 'allow',
			at,
			spent: 0,
			until: at + (grant === undefined ? keptNo : holds * 1000),
		};
		put(this.#grants, keyOf(row), row, this.#max);
		return row;
	}

	/** A row is not to be written after all, unless it is written already. */
	drop(row: GrantRow): void {
		this.#dropped.add(row);
		if (this.#grants.get(keyOf(row)) === row) this.#grants.delete(keyOf(row));
	}

	take(): Changes {
		const states = new Map(takeFirst(this.#states, maxTaken));
		const grants = takeFirst(this.#grants, maxTaken).map(([, row]) => row);
		return { clients: [...states].map(([client, state]) => this.#rowOf(client, state)), grants, states };
	}

	/** They could not be written. Newer changes stay. */
	giveBack({ states, grants }: Changes): void {
		for (const [client, state] of states) if (!this.#states.has(client)) this.changed(client, state);
		for (const row of grants)
			if (!this.#grants.has(keyOf(row)) && !this.#dropped.has(row)) put(this.#grants, keyOf(row), row, this.#max);
	}

	#rowOf(client: string, { policy, policyAt, manifest, lastPage }: ClientState): ClientRow {
		return {
			client,
			policy: policy ?? null,
			policy_at: policyAt === undefined ? null : policyAt + this.clockAhead,
			manifest: manifest === true ? 1 : 0,
			last_page: lastPage === undefined ? null : lastPage + this.clockAhead,
		};
	}

	/** Takes over what the store has. @param spending permissions that are being spent here */
	apply({ clients, grants }: ReadRows, memory: ClientMemory, spending: ReadonlySet<string>): void {
		// The latest come first; of more than fit into the memory, they are to stay.
		for (const row of [...clients].reverse()) this.#applyClient(row, memory.of(row.client));
		for (const row of [...grants].reverse())
			if (!this.#grants.has(keyOf(row)) && !spending.has(row.id)) this.#applyGrant(row, memory.of(row.client));
	}

	#applyClient({ policy, policy_at, manifest, last_page }: ClientRow, state: ClientState): void {
		const policyAt = (policy_at ?? 0) - this.clockAhead;
		if (policy !== null && policyAt > (state.policyAt ?? 0)) Object.assign(state, { policy, policyAt });
		if (manifest === 1) state.manifest = true;
		if (last_page !== null) state.lastPage = Math.max(state.lastPage ?? 0, last_page - this.clockAhead);
	}

	#applyGrant({ id, directive, kind, at, spent }: GrantRow, state: ClientState): void {
		const name = directive as PermissionName;
		state.asked ??= new Set();
		state.asked.add(name);
		state.grants ??= new Map();
		if (kind === 'none' || spent === 1) state.grants.delete(name);
		else state.grants.set(name, { at: at - this.clockAhead, once: kind === 'once', id });
	}
}

const keyOf = ({ client, directive }: Pick<GrantRow, 'client' | 'directive'>): string => `${client}\n${directive}`;

function takeFirst<Value>(map: Map<string, Value>, max: number): [string, Value][] {
	const taken: [string, Value][] = [];
	for (const entry of map) {
		if (taken.length >= max) break;
		map.delete(entry[0]);
		taken.push(entry);
	}
	return taken;
}

function put<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
	map.delete(key);
	map.set(key, value);
	const [oldest = key] = map.keys();
	if (map.size > max) map.delete(oldest);
}
