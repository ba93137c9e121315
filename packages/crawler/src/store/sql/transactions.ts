import type { Membership } from '../fleet/membership.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import type { OutageRetry } from './outage-retry.ts';

/** Times that a transaction is tried again when others were in its way. */
const maxConflicts = 10;

interface Tools {
	readonly db: Db;
	readonly dialect: StoreDialect;
	readonly outageRetry: OutageRetry;
	readonly membership: Membership;
	/** Whether a worker declared dead may join again: it holds nothing that another worker could have now. */
	readonly mayRejoin: () => boolean;
	/** A transaction was undone, and rows that it made do not exist. */
	readonly onUndone: () => void;
}

/** Reads and writes of this worker: they wait for a server that is away, and yield to other workers. */
export class Transactions {
	readonly #tools: Tools;

	constructor(tools: Tools) {
		this.#tools = tools;
	}

	read<Value>(work: (db: Db) => Promise<Value>): Promise<Value> {
		const { db, outageRetry } = this.#tools;
		return outageRetry.run(async () => {
			if (outageRetry.isLost) await this.#lookAgain();
			return work(db);
		});
	}

	/** After an outage the database may be another copy, in which rows have other numbers. */
	async #lookAgain(): Promise<void> {
		const { db, dialect, membership, onUndone } = this.#tools;
		if (!dialect.shared || !membership.joined || membership.lost) return;
		try {
			const write = await db.transaction().execute((tx) => membership.fence(tx));
			membership.committed(write);
			membership.forgetWrites([write]);
		} catch (error) {
			onUndone();
			throw error;
		}
	}

	/** All of it once, or nothing; and only as long as this worker has its lease. */
	async write<Value>(work: (tx: Db, worker: number) => Promise<Value>): Promise<Value> {
		const { db, outageRetry, membership, mayRejoin, onUndone } = this.#tools;
		const writes: number[] = [];
		// The result of the last try, which may have been committed although its reply got lost.
		let last: { readonly write: number; readonly value: Value } | undefined;
		const once = () =>
			outageRetry.run(async () => {
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
					const write = writes.at(-1);
					if (write !== undefined) membership.committed(write);
					return value;
				} catch (error) {
					onUndone();
					throw error;
				}
			});
		try {
			return await this.insist(once);
		} finally {
			membership.forgetWrites(writes);
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
