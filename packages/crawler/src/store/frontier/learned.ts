import { compiledOnce } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import type { Outcome, Reason } from '../../model/outcome.ts';
import type { Comparable } from '../roles/pages.ts';
import { isOneOf } from '../schema/addresses.ts';
import type { Db } from '../schema/tables.ts';

export async function loadLearned(db: Db, host: number): Promise<string | undefined> {
	const row = await db.selectFrom('learned').select('json').where('host', '=', host).executeTakeFirst();
	return row?.json;
}

export async function saveLearned(tx: Db, learned: ReadonlyMap<number, string>): Promise<void> {
	for (const [host, json] of learned) await insertLearned(tx, { host, json });
}

const insertLearned = compiledOnce((db: Db, { host, json }: { host: number; json: string }) =>
	db
		.insertInto('learned')
		.values({ host, json })
		.onConflict((conflict) => conflict.column('host').doUpdateSet({ json }))
		.compile(),
);

/** The first page with a name keeps it. */
export async function saveNames(tx: Db, url: number, names: readonly string[]): Promise<void> {
	if (names.length === 0) return;
	await tx
		.insertInto('page_name')
		.values(names.map((name) => ({ name, url })))
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

/** Pages by name and by address. */
export async function findComparable(db: Db, names: readonly string[], urls: readonly string[]): Promise<Comparable[]> {
	if (names.length + urls.length === 0) return [];
	const columns = sql`url.key, url.state, url.outcome, page.body_hash,
		page.b0, page.b1, page.b2, page.b3, page.prose`;
	const joined = sql`left join page on page.url = url.id`;
	const byName = sql`select page_name.name as name, ${columns} from page_name join url on url.id = page_name.url ${joined}
		where page_name.name in (${sql.join(names)})`;
	const byUrl = sql`select url.key as name, ${columns} from url ${joined}
		where ${isOneOf(db, urls)}`;
	const parts = [...(names.length > 0 ? [byName] : []), ...(urls.length > 0 ? [byUrl] : [])];
	const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db);
	return rows.map(({ name, key, state, outcome, body_hash, b0, b1, b2, b3, prose }) => ({
		key: name,
		url: key,
		...(state === 1 && outcome !== null && { outcome }),
		...(body_hash !== null && { bodyHash: body_hash }),
		...(b0 !== null && { minHash: [b0, b1, b2, b3] as const }),
		...(prose !== null && { prose }),
	}));
}

interface Row {
	name: string;
	key: string;
	state: number;
	outcome: Outcome | null;
	body_hash: Uint8Array | null;
	b0: number | null;
	b1: number;
	b2: number;
	b3: number;
	prose: number | null;
}

/** URLs skipped without a request may be visited after all. */
export async function reopenLeftOut(tx: Db, host: number, reasons: readonly Reason[]): Promise<number> {
	// A URL that was only recorded as found has no host; the page it was found on identifies it.
	const found = sql`url.host is null and url.via in (select id from url as page where page.host = ${host})`;
	return reopen(
		tx,
		sql`outcome = 'out-of-scope' and reason in (${sql.join(reasons)}) and status is null
		and (url.host = ${host} or ${found})`,
		host,
	);
}

/** Visited URLs that were aliases of a page that has since changed or gone. */
export async function reopenAliasesOf(tx: Db, pages: readonly string[]): Promise<number> {
	if (pages.length === 0) return 0;
	return reopen(tx, sql`reason = 'alias' and redirect in (${sql.join(pages)}) and status is not null`);
}

async function reopen(tx: Db, which: RawBuilder<unknown>, host?: number): Promise<number> {
	const withHost = host === undefined ? sql`` : sql`, host = ${host}`;
	const { numAffectedRows } = await sql`update url set state = 0, attempts = 0, due = 0, outcome = null, reason = null,
		detail = null, redirect = null ${withHost} where state = 1 and ${which}`.execute(tx);
	return Number(numAffectedRows ?? 0);
}
