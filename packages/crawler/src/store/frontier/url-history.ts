import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema/tables.ts';

export async function chainOf(db: Kysely<StoreSchema>, via: number | null): Promise<string[]> {
	const chain: string[] = [];
	for (let id = via; id !== null && chain.length < maxChain; ) {
		const row = await db.selectFrom('url').select(['key', 'via']).where('id', '=', id).executeTakeFirst();
		if (row === undefined) break;
		chain.push(row.key);
		id = row.via;
	}
	return chain;
}

/** Further back nobody looks; a chain has no loops, but a store may be damaged. */
const maxChain = 100;
