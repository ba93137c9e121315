import { compiledOnce } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import type { Outcome, Reason } from '../../model/outcome.ts';
import type { DocumentPlace, KeptDocument, SiteOf, SitePage, Snapshot } from '../roles/pages.ts';
import type { DocumentBodies } from '../schema/access.ts';
import { isAddress, isOfHosts } from '../schema/addresses.ts';
import { isKept } from '../schema/fragments.ts';
import type { Db } from '../schema/tables.ts';
import { mapAtOnce } from './document-bodies.ts';
import { referencesOf } from './save-page.ts';
import { toValidators } from './validator-row.ts';

/** Documents that stand, in the order in which they were fetched, behind a place. @param limit documents at most */
export async function documentsSince(
	db: Db,
	{ fetchedAt, id }: DocumentPlace,
	limit: number,
	bodies: DocumentBodies,
): Promise<KeptDocument[]> {
	const { rows } = await sql<{ id: number; key: string; fetched_at: number; content: Uint8Array }>`
		select page.url as id, url.key, page.fetched_at, page.content from page join url on url.id = page.url
		where page.content is not null and page.stands = 1 and url.kind = 0
			and (page.fetched_at > ${fetchedAt} or (page.fetched_at = ${fetchedAt} and page.url > ${id}))
		order by page.fetched_at, page.url limit ${limit}`.execute(db);
	return mapAtOnce(rows, async (row) => {
		const { document, policy } = await bodies.unpack(row.content);
		const place = { fetchedAt: Number(row.fetched_at), id: row.id };
		return { place, url: row.key, document, ...(policy && { policy }) };
	});
}

/** By address, behind `after`. @param limit pages at most */
export async function pagesOf(db: Db, site: SiteOf, after: string, limit: number): Promise<SitePage[]> {
	const { rows } = await sql<{
		key: string;
		outcome: Outcome;
		reason: Reason | null;
		at: number;
		checked_at: number | null;
		fetched_at: number | null;
		kept: number;
	}>`
		select url.key, url.outcome, url.reason, url.at, page.checked_at, page.fetched_at,
			${isKept} as kept
		from url left join page on page.url = url.id
		where ${isOfHosts(db, hostsOf(site))} and url.kind = 0 and url.outcome is not null and url.key > ${after}
		order by url.key limit ${limit}`.execute(db);
	return rows.map(({ key, outcome, reason, at, checked_at, fetched_at, kept }) => ({
		url: key,
		outcome,
		...(reason !== null && { reason }),
		checkedAt: Number(checked_at ?? at),
		...(kept === 1 && fetched_at !== null && { fetchedAt: Number(fetched_at) }),
	}));
}

/** Removes what is kept of pages, what tells a change too; returns the addresses of up to `limit` of them, and what named their documents. */
export async function forgetPages(
	tx: Db,
	site: SiteOf,
	url: string | undefined,
	limit: number,
): Promise<{ urls: string[]; references: Uint8Array[] }> {
	const one = url === undefined ? sql`` : sql`and ${isAddress(tx, url)}`;
	const { rows } = await sql<{ id: number; key: string }>`
		select url.id, url.key from url join page on page.url = url.id
		where ${isOfHosts(tx, hostsOf(site))} and url.kind = 0 ${one} limit ${limit}`.execute(tx);
	const ids = rows.map(({ id }) => id);
	const references = ids.length === 0 ? [] : await referencesOf(tx, sql.join(ids));
	for (const table of ['page', 'former_page'] as const)
		if (ids.length > 0) await tx.deleteFrom(table).where('url', 'in', ids).execute();
	return { urls: rows.map(({ key }) => key), references };
}

function hostsOf({ host, below }: SiteOf): RawBuilder<unknown> {
	if (!below) return sql`select id, name from host where name = ${host}`;
	// No host name has a letter that means something to LIKE, but for the underscore.
	const pattern = `%.${host.replaceAll('_', '!_')}`;
	return sql`select id, name from host where name = ${host} or name like ${pattern} escape '!'`;
}

/** The bytes from which a snapshot was unpacked. */
const packed = new WeakMap<Snapshot, Uint8Array>();

const selectSnapshot = compiledOnce((db: Db, { url }: { url: string }) =>
	db
		.selectFrom('page')
		.innerJoin('url', 'url.id', 'page.url')
		.select([
			'page.content',
			'page.fetched_at',
			'page.checked_at',
			'page.etag',
			'page.last_modified',
			'page.body_hash',
			'page.stands',
		])
		.where(isAddress(db, url))
		.compile(),
);

/** The snapshot of a page that is kept. @param known returned itself if the store still has the same */
export async function loadSnapshot(
	db: Db,
	url: string,
	bodies: DocumentBodies,
	known?: Snapshot,
): Promise<Snapshot | undefined> {
	const { rows } = await selectSnapshot(db, { url });
	const row = rows[0];
	if (row?.content == null) return undefined;
	const times = { url, fetchedAt: row.fetched_at, checkedAt: row.checked_at, isCurrent: row.stands === 1 };
	const before = known && packed.get(known);
	if (before !== undefined && hasSame(known, times) && Buffer.compare(before, row.content) === 0) return known;
	// Without its document a page is fetched in full.
	const content = await bodies.unpackIfThere(row.content);
	if (content === undefined) return undefined;
	const snapshot = { ...times, ...toValidators(row), ...content };
	packed.set(snapshot, row.content);
	return snapshot;
}

const hasSame = <Part extends object>(whole: Part | undefined, part: Part): whole is Part =>
	whole !== undefined && Object.entries(part).every(([name, value]) => whole[name as keyof Part] === value);
