import { type RawBuilder, sql } from 'kysely';
import type { DuplicateTally } from '../../model/events.ts';
import type { MinHashSignature } from '../../model/minhash-signature.ts';
import type { Content, KnownMinHash } from '../roles/pages.ts';
import { isAddress } from '../schema/addresses.ts';
import type { Db } from '../schema/tables.ts';

/** Pages that are compared for one number of a signature. */
const maxCandidates = 50;

/** Pages that may be near duplicates. */
export async function findLookalikes(db: Db, minHash: MinHashSignature): Promise<KnownMinHash[]> {
	const one = (at: 0 | 1) => {
		const name = sql.raw(`b${at}`);
		return sql`select * from (select url, b0, b1, b2, b3, prose from likeness
			where twin is null and ${name} = ${minHash[at]} limit ${sql.lit(maxCandidates)}) as ${sql.raw(`by${at}`)}`;
	};
	const { rows } = await sql<{ key: string; b0: number; b1: number; b2: number; b3: number; prose: number | null }>`
		select url.key, found.b0, found.b1, found.b2, found.b3, found.prose
		from (${one(0)} union ${one(1)}) as found
		join url on url.id = found.url
		order by url.id`.execute(db);
	return rows.map(({ key, b0, b1, b2, b3, prose }) => ({
		url: key,
		minHash: [b0, b1, b2, b3],
		...(prose !== null && { prose }),
	}));
}

/** Columns of `page`; `twin` is an address. */
export interface MinHashColumns {
	readonly b0: number | null;
	readonly b1: number | null;
	readonly b2: number | null;
	readonly b3: number | null;
	readonly prose: number | null;
	readonly twin: string | null;
}

const none: MinHashColumns = { b0: null, b1: null, b2: null, b3: null, prose: null, twin: null };

/** For an update of `page`. */
export const noMinHash = sql.raw(
	Object.keys(none)
		.map((name) => `${name} = null`)
		.join(', '),
);

/** The signature of a newly read text; undefined if that of before stays. */
export function minHashColumns({ minHash, snapshot }: Content): MinHashColumns | undefined {
	// Pages that may not be stored leave no signature either.
	if (minHash === null || (snapshot !== undefined && snapshot.document === undefined)) return none;
	if (minHash === undefined) return undefined;
	const [b0, b1, b2, b3] = minHash.value;
	return { b0, b1, b2, b3, prose: minHash.prose ?? null, twin: minHash.twin ?? null };
}

/** The number of the page that another one is like. */
export const twinOf = (db: Db, twin: string | null): RawBuilder<number | null> =>
	sql`(select id from url where ${isAddress(db, sql`cast(${twin} as text)`)})`;

/** How many pages are like others, with a few of them, and which hosts are two names of one. */
export async function tallyDuplicates(db: Db): Promise<DuplicateTally> {
	const { rows } = await sql<{ count: number; first: number | null; last: number | null }>`
		select count(*) as count, min(url) as first, max(url) as last from likeness where twin is not null`.execute(db);
	const [{ count, first, last } = { count: 0, first: null, last: null }] = rows;
	if (Number(count) === 0) return { pages: 0, examples: [], aliases: [] };
	const { rows: examples } = await sql<{ url: string; twin: string }>`
		select url.key as url, other.key as twin from likeness
		join url on url.id = likeness.url join url as other on other.id = likeness.twin
		where likeness.url in (${first}, ${last}) order by likeness.url`.execute(db);
	// A site that answers with and without `www.`, the commonest of all aliases.
	const { rows: pairs } = await sql<{ host: string; other: string; count: number }>`
		select host.name as host, twin.name as other, count(*) as count from likeness
		join url on url.id = likeness.url join host on host.id = url.host
		join url as original on original.id = likeness.twin join host as twin on twin.id = original.host
		where twin.name = 'www.' || host.name or host.name = 'www.' || twin.name
		group by host.name, twin.name order by count(*) desc limit 20`.execute(db);
	return { pages: Number(count), examples, aliases: mergePairs(pairs) };
}

/** Joins pairs in either order: the order of reading says nothing about the hosts. */
function mergePairs(pairs: readonly { host: string; other: string; count: number }[]): DuplicateTally['aliases'] {
	const merged = new Map<string, number>();
	for (const { host, other, count } of pairs) {
		const bare = host.length < other.length ? host : other;
		merged.set(bare, (merged.get(bare) ?? 0) + Number(count));
	}
	return [...merged].map(([bare, pages]) => ({ hosts: [bare, `www.${bare}`], pages }));
}
