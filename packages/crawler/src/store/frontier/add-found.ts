import { compiledOnce } from '@wayleave/io/sql';
import { sql } from 'kysely';
import type { NewUrl } from '../roles/frontier.ts';
import { knownAddress } from '../schema/addresses.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import { type Elsewhere, putElsewhere } from './outbox.ts';
import type { UrlTools } from './urls.ts';

/** A URL that was found, and the row of the page that led to it, where one has. */
export interface Found {
	readonly url: NewUrl;
	readonly via?: number;
}

/** URLs that wait now and did not before. */
export interface Added {
	/** How many, by the names of their hosts. */
	readonly added: ReadonlyMap<string, number>;
	/** How many, by the rows of the pages that led to them. */
	readonly byVia: ReadonlyMap<number, number>;
	/** The numbers of their hosts. */
	readonly hosts: readonly number[];
}

/** With its host resolved. */
interface FoundUrl extends NewUrl {
	readonly hostId: number | undefined;
	readonly via: number | undefined;
}

interface AddedRow {
	readonly host: number;
	readonly via: number | null;
}

interface Tools extends UrlTools {
	/** When those that are not to be visited ended so; milliseconds since 1970. */
	readonly at: number;
	readonly elsewhere?: Elsewhere | undefined;
}

/** Adds what was found and is not known; URLs of hosts that other databases have go into the outbox. */
export async function addFound(tx: Db, everything: readonly Found[], tools: Tools): Promise<Added> {
	const { elsewhere } = tools;
	const found = elsewhere === undefined ? everything : await putElsewhere(tx, everything, elsewhere);
	const names = new Map<number, string>();
	const rows: FoundUrl[] = [];
	for (const { url, via } of found) {
		const hostId = url.ending === undefined ? await tools.ids.host(tx, url.host) : undefined;
		if (hostId !== undefined) names.set(hostId, url.host);
		rows.push({ ...url, hostId, via });
	}
	const added = new Map<string, number>();
	const byVia = new Map<number, number>();
	for (const { host, via } of await insertFound(tx, rows, tools)) {
		const name = names.get(host);
		if (name !== undefined) added.set(name, (added.get(name) ?? 0) + 1);
		if (via !== null) byVia.set(via, (byVia.get(via) ?? 0) + 1);
	}
	return { added, byVia, hosts: [...names].filter(([, name]) => added.has(name)).map(([id]) => id) };
}

/**
 * Adds what is new in one statement, however many there are. What was known stays as it is, except that a URL out of
 * scope comes into it when it is found where it is in scope, and that the shortest way from the seeds counts.
 */
async function insertFound(tx: Db, found: readonly FoundUrl[], { dialect, run, at }: Tools): Promise<AddedRow[]> {
	if (found.length === 0) return [];
	const json = dialect.json([...oncePerKey(found).values()].map(toRow));
	const { rows } = await insertRows(tx, { json, run, at }, dialect);
	return rows.filter((row): row is AddedRow & { state: number } => row.state === 0 && row.host !== null);
}

const insertRows = compiledOnce(
	(db: Db, { json, run, at }: { json: string; run: number; at: number }, dialect: StoreDialect) =>
		sql<{ host: number | null; via: number | null; state: number }>`
		insert into url (id, key, kind, host, state, depth, dates, seed, via, run, outcome, reason, detail, redirect, at)
		select row.id, row.value->>'k', cast(row.value->>'t' as integer), cast(row.value->>'h' as integer),
			cast(row.value->>'s' as integer), cast(row.value->>'d' as integer), cast(row.value->>'y' as integer),
			cast(row.value->>'e' as integer), cast(row.value->>'v' as bigint), cast(${run} as integer),
			row.value->>'o', row.value->>'r', row.value->>'x', row.value->>'a',
			case when row.value->>'o' is not null then cast(${at} as bigint) end
		from ${dialect.foundRows(json)}
		where true
		on conflict ${knownAddress(db)} do update set
			state = 0, host = excluded.host, outcome = null, reason = null, detail = null, redirect = null, at = null,
			depth = case when excluded.depth < url.depth or excluded.seed = 1 then excluded.depth else url.depth end,
			dates = excluded.dates,
			seed = case when excluded.seed = 1 then 1 else url.seed end,
			via = case when url.state = 0 or excluded.via is null then url.via else excluded.via end
		where excluded.state = 0 and url.key = excluded.key
			and (url.outcome = 'out-of-scope' and url.host is null or url.state = 0 and excluded.depth < url.depth)
		returning host, via, state`.compile(db),
);

/** One statement cannot touch a row twice. Of several, one that waits counts, and the shortest way. */
function oncePerKey(found: readonly FoundUrl[]): Map<string, FoundUrl> {
	const byKey = new Map<string, FoundUrl>();
	for (const url of found) {
		const key = `${url.kind} ${url.url}`;
		const known = byKey.get(key);
		if (known === undefined || rank(url) < rank(known)) byKey.set(key, url);
	}
	return byKey;
}

const rank = ({ ending, depth }: FoundUrl): number => (ending === undefined ? depth : Number.MAX_SAFE_INTEGER);

/** Short names: this text is made and read for every link of every page. */
function toRow({ url, kind, hostId, depth, dates, seed, via, ending }: FoundUrl) {
	return {
		k: url,
		t: kind === 'page' ? 0 : 1,
		h: ending === undefined ? hostId : undefined,
		s: ending === undefined ? 0 : 1,
		d: depth,
		y: dates,
		e: seed ? 1 : 0,
		v: via,
		o: ending?.outcome,
		r: ending?.reason,
		x: ending?.detail,
		a: ending?.aliasOf,
	};
}
