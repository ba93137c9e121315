import type { Evidence } from '@wayleave/protocols';
import type { Db } from '../schema/tables.ts';

/** Finds or creates the row of a name; another process may create it at the same time. */
interface Row {
	readonly find: () => Promise<{ readonly id: number } | undefined>;
	readonly make: () => Promise<unknown>;
}

/** Names whose number is remembered. */
const maxRemembered = 10_000;

/** The numbers under which hosts and evidence are stored, made where there is none yet. */
export class Ids {
	readonly #hosts = new Map<string, number>();
	readonly #evidence = new Map<string, number>();

	host(tx: Db, name: string): Promise<number> {
		return this.#number(this.#hosts, name, {
			find: () => tx.selectFrom('host').select('id').where('name', '=', name).executeTakeFirst(),
			make: () =>
				tx
					.insertInto('host')
					.values({ name })
					.onConflict((conflict) => conflict.doNothing())
					.execute(),
		});
	}

	/** The same few lines decide about most of what is refused: each set of them is stored once. */
	evidence(tx: Db, evidence: readonly Evidence[]): Promise<number> {
		const json = JSON.stringify(evidence);
		return this.#number(this.#evidence, json, {
			find: () => tx.selectFrom('evidence').select('id').where('json', '=', json).executeTakeFirst(),
			make: () =>
				tx
					.insertInto('evidence')
					.values({ json })
					.onConflict((conflict) => conflict.doNothing())
					.execute(),
		});
	}

	/** After a transaction that was rolled back: what it made does not exist. */
	forget(): void {
		this.#hosts.clear();
		this.#evidence.clear();
	}

	async #number(known: Map<string, number>, name: string, { find, make }: Row): Promise<number> {
		const remembered = known.get(name);
		if (remembered !== undefined) return remembered;
		let row = await find();
		if (row === undefined) {
			// Not before it is missed: in PostgreSQL an insertion that conflicts uses up a number all the same, and a column holds
			// two thousand million of them.
			await make();
			row = await find();
		}
		if (known.size >= maxRemembered) known.clear();
		if (row === undefined) throw new Error(`no number for ${name}`);
		known.set(name, row.id);
		return row.id;
	}
}
