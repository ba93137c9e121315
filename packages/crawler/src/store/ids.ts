import type { Evidence } from '@wayleave/protocols';
import type { Kysely } from 'kysely';
import type { StoreSchema } from './schema.ts';

/** Names whose number is remembered. */
const remembered = 10_000;

/** The numbers under which hosts and evidence are stored, made where there is none yet. */
export class Ids {
	readonly #hosts = new Map<string, number>();
	readonly #evidence = new Map<string, number>();

	async host(tx: Kysely<StoreSchema>, name: string): Promise<number> {
		return this.#remember(this.#hosts, name, async () => {
			await tx
				.insertInto('host')
				.values({ name })
				.onConflict((conflict) => conflict.doNothing())
				.execute();
			return tx.selectFrom('host').select('id').where('name', '=', name).executeTakeFirstOrThrow();
		});
	}

	/** The same few lines decide about most of what is refused: each set of them is stored once. */
	async evidence(tx: Kysely<StoreSchema>, evidence: readonly Evidence[]): Promise<number> {
		const json = JSON.stringify(evidence);
		return this.#remember(this.#evidence, json, async () => {
			await tx
				.insertInto('evidence')
				.values({ json })
				.onConflict((conflict) => conflict.doNothing())
				.execute();
			return tx.selectFrom('evidence').select('id').where('json', '=', json).executeTakeFirstOrThrow();
		});
	}

	/** After a transaction that was rolled back: what it made does not exist. */
	forget(): void {
		this.#hosts.clear();
		this.#evidence.clear();
	}

	async #remember(known: Map<string, number>, name: string, make: () => Promise<{ id: number }>): Promise<number> {
		const found = known.get(name);
		if (found !== undefined) return found;
		const { id } = await make();
		if (known.size >= remembered) known.clear();
		known.set(name, id);
		return id;
	}
}
