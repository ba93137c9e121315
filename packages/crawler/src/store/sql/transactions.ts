import type { Kysely } from 'kysely';
import type { Membership } from '../fleet/membership.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { StoreSchema } from '../schema/tables.ts';
import type { Endurance } from './outage-retry.ts';

type Db = Kysely<StoreSchema>;

/** Times that a transaction is tried again when others were in its way. */
const maxConflicts = 10;

interface Tools {
	readonly db: Db;
	readonly dialect: StoreDialect;
	readonly endurance: Endurance;
	readonly membership: Membership;
	/** Whether a worker that was taken for dead may become another one: it has nothing that would be somebody else's now. */
	readonly mayRejoin: () => boolean;
	/** A transaction was undone, and rows that it made do not exist. */
	readonly onUndone: () => void;
}

/** How this worker reads and writes: it waits for a server that has gone away, and gives way to others. */
export class Transactions {
	readonly #tools: Tools;

	constructor(tools: Tools) {
		this.#tools = tools;
	}

	read<Value>(work: (db: Db) => Promise<Value>): Promise<Value> {
		return this.#tools.endurance.run(() => work(this.#tools.db));
	}

	/** All of it once, or nothing; and only as long as this worker has its lease. */
	async write<Value>(work: (tx: Db, worker: number) => Promise<Value>): Promise<Value> {
		const { db, endurance, membership, mayRejoin, onUndone } = this.#tools;
		const writes: number[] = [];
		// What the last try came to, which may have been committed although its answer got lost.
		let last: { readonly write: number; readonly value: Value } | undefined;
		const once = () =>
			endurance.run(async () => {
				if (membership.lost && mayRejoin()) membership.reset();
				const worker = await membership.join();
				try {
					const value = await db.transaction().execute(async (tx) => {
						const write = await membership.fence(tx);
						writes.push(write);
						if (last !== undefined && membership.tookPlace(last.write)) return last.value;
						const value = await work(tx, worker);
						last = { write, value };
						return value;
					});
					membership.committed(writes.at(-1)!);
					return value;
				} catch (error) {
					onUndone();
					throw error;
				}
			});
		try {
			return await this.insist(once);
		} finally {
			membership.settle(writes);
		}
	}

	/** Again and again while others are in its way. */
	async insist<Value>(work: () => Promise<Value>): Promise<Value> {
		for (let conflicts = 0; ; conflicts++) {
			try {
				return await work();
			} catch (error) {
				if (!this.#tools.dialect.isConflict(error) || conflicts >= maxConflicts) throw error;
			}
		}
	}
}
