import { migrate } from '@wayleave/io/sql';
import {
	type BuildManifestOptions,
	type BuiltManifest,
	buildManifest,
	type Coverage,
	type Digest,
	type PageRevision,
	type PublishedPage,
	type RevisionState,
} from '@wayleave/protocols/pagedigest';
import type { Insertable, Kysely, Selectable } from 'kysely';
import type { ChangedPage, SharedRevisions } from './learned-pages.ts';
import { type RevisionSchema, revisionMigrations } from './schema.ts';

type Db = Kysely<RevisionSchema>;

/** Rows in one statement: SQLite takes 32,766 variables. */
const batch = 1000;

/** Brings a database to the schema of the revision store. */
export async function prepareRevisions(db: Db): Promise<void> {
	await migrate(db, revisionMigrations, { component: 'pagedigest' });
}

/**
 * Makes the next manifest of a site from its stored revisions, and stores the revisions that it announces, in one
 * transaction: whatever fails afterwards, no revision is ever given twice to different content.
 */
export async function nextManifest(
	db: Db,
	origin: string,
	pages: Iterable<PublishedPage>,
	options: BuildManifestOptions,
): Promise<BuiltManifest> {
	return await db.transaction().execute(async (transaction) => {
		const previous = await loadRevisions(transaction, origin);
		const built = buildManifest(previous, pages, options);
		if (built.manifest !== undefined) await saveRevisions(transaction, origin, previous, built.state);
		return built;
	});
}

/** The revisions of a site; undefined for one that was never published from here. */
export async function loadRevisions(db: Db, origin: string): Promise<RevisionState | undefined> {
	const site = await db.selectFrom('digest_site').selectAll().where('origin', '=', origin).executeTakeFirst();
	if (site === undefined) return undefined;
	const rows = await db.selectFrom('digest_page').selectAll().where('origin', '=', origin).execute();
	const pages = rows.map(({ key, rev, fingerprint, digest, listed }): [string, PageRevision] => [
		key,
		{ rev, fingerprint, ...(digest !== null && { digest: digest as Digest }), listed: listed === 1 },
	]);
	return {
		siteRev: site.site_rev,
		floor: site.floor,
		...(site.coverage !== null && { coverage: JSON.parse(site.coverage) as Coverage }),
		pages: new Map(pages),
	};
}

async function saveRevisions(
	db: Db,
	origin: string,
	previous: RevisionState | undefined,
	next: RevisionState,
): Promise<void> {
	const pages = [...next.pages]
		.filter(([key, page]) => !isSame(previous?.pages.get(key), page))
		.map(([key, page]) => ({ key, ...page }));
	await writeRows(db, origin, next, pages, 0);
	// After a jump nothing that was remembered before counts any more.
	const forgotten = [...(previous?.pages.keys() ?? [])].filter((key) => !next.pages.has(key));
	await deleteRows(db, origin, forgotten);
}

async function deleteRows(db: Db, origin: string, keys: readonly string[]): Promise<void> {
	for (let at = 0; at < keys.length; at += batch) {
		const some = keys.slice(at, at + batch);
		await db.deleteFrom('digest_page').where('origin', '=', origin).where('key', 'in', some).execute();
	}
}

type SiteRevision = Omit<RevisionState, 'pages'>;

/** Stores revisions of pages that the site names, and that of the site, and lets go of others, in one transaction. */
export async function saveChanges(
	db: Db,
	origin: string,
	site: SiteRevision,
	pages: readonly (PageRevision & { readonly key: string })[],
	forgotten: readonly string[] = [],
): Promise<void> {
	await db.transaction().execute(async (transaction) => {
		await writeRows(transaction, origin, site, pages, 1);
		await deleteRows(transaction, origin, forgotten);
	});
}

/** The pages of a site that it has named before. */
export async function loadNamed(db: Db, origin: string): Promise<string[]> {
	const named = db.selectFrom('digest_page').select('key').where('origin', '=', origin).where('named', '=', 1);
	return (await named.execute()).map(({ key }) => key);
}

async function writeRows(
	db: Db,
	origin: string,
	{ siteRev, floor, coverage }: SiteRevision,
	pages: readonly (PageRevision & { readonly key: string })[],
	named: 0 | 1,
): Promise<void> {
	const site = { site_rev: siteRev, floor, coverage: coverage === undefined ? null : JSON.stringify(coverage) };
	await db
		.insertInto('digest_site')
		.values({ origin, ...site })
		.onConflict((conflict) => conflict.column('origin').doUpdateSet(site))
		.execute();
	const rows = pages.map(({ key, rev, fingerprint, digest, listed }) => {
		return { origin, key, rev, fingerprint, digest: digest ?? null, listed: listed ? 1 : 0, named };
	});
	for (let at = 0; at < rows.length; at += batch) await upsert(db, rows.slice(at, at + batch));
}

async function upsert(db: Db, rows: Insertable<RevisionSchema['digest_page']>[]): Promise<void> {
	await db
		.insertInto('digest_page')
		.values(rows)
		.onConflict((conflict) =>
			conflict.columns(['origin', 'key']).doUpdateSet((eb) => ({
				rev: eb.ref('excluded.rev'),
				fingerprint: eb.ref('excluded.fingerprint'),
				digest: eb.ref('excluded.digest'),
				listed: eb.ref('excluded.listed'),
				named: eb.ref('excluded.named'),
				version: eb.ref('excluded.version'),
				seen_at: eb.ref('excluded.seen_at'),
			})),
		)
		.execute();
}

function isSame(a: PageRevision | undefined, b: PageRevision): boolean {
	return a?.rev === b.rev && a.fingerprint === b.fingerprint && a.digest === b.digest && a.listed === b.listed;
}

/** What one gateway brings to the revisions of several. */
export interface LocalChanges {
	readonly floor: number;
	readonly pages: readonly ChangedPage[];
	readonly removed: readonly string[];
	/** The last write that it knows. */
	readonly since: number;
	/** No other gateway watches the site: what happened since its pages were stored is not known. */
	readonly startsAlone: boolean;
	/** Revisions that this gateway announced when it shared none. */
	readonly earlier?: RevisionState | undefined;
}

/**
 * Stores changes of one gateway among those of others, one after the other: a page that two gateways saw change in the
 * same way has one new revision, in different ways a higher one.
 *
 * @returns the revisions of the site, the last write, and the pages that were written since
 */
export async function mergeChanges(
	db: Db,
	origin: string,
	local: LocalChanges,
): Promise<SharedRevisions & { readonly version: number }> {
	return await db.transaction().execute(async (tx) => {
		const none = { origin, site_rev: 0, floor: 1, coverage: null };
		await tx
			.insertInto('digest_site')
			.values(none)
			.onConflict((conflict) => conflict.column('origin').doNothing())
			.execute();
		const sites = tx.selectFrom('digest_site').selectAll().where('origin', '=', origin).forUpdate();
		const found = await sites.executeTakeFirstOrThrow();
		const version = found.version + 1;
		const { earlier } = local;
		if (earlier !== undefined) await addEarlier(tx, origin, version, earlier);
		const site = {
			...found,
			site_rev: Math.max(found.site_rev, earlier?.siteRev ?? 0),
			floor: Math.max(found.floor, earlier?.floor ?? 0),
		};
		const gone = local.startsAlone ? await unlist(tx, origin, version) : 0;
		const { rows, raised } = await mergeRows(tx, origin, site.floor, local.pages);
		await deleteRows(tx, origin, local.removed);
		const written = rows.map((row) => ({ ...row, origin, version, named: 1 }));
		for (let at = 0; at < written.length; at += batch) await upsert(tx, written.slice(at, at + batch));
		const isChanged = raised || gone > 0 || local.removed.length > 0;
		const next = {
			site_rev: site.site_rev + (isChanged ? 1 : 0),
			floor: Math.max(site.floor, local.floor),
			version: isChanged || rows.length > 0 || earlier !== undefined ? version : site.version,
		};
		await tx.updateTable('digest_site').set(next).where('origin', '=', origin).execute();
		const pages = tx.selectFrom('digest_page').selectAll().where('origin', '=', origin);
		const changed = await pages.where('version', '>', local.since).execute();
		return { siteRev: next.site_rev, floor: next.floor, version: next.version, pages: changed.map(toChangedPage) };
	});
}

/** The last write of several gateways. */
export async function lastVersion(db: Db, origin: string): Promise<number> {
	const site = db.selectFrom('digest_site').select('version').where('origin', '=', origin);
	return (await site.executeTakeFirst())?.version ?? 0;
}

/** No page gets a lower revision than it was announced with before (pagedigest §4.1.1). */
async function addEarlier(db: Db, origin: string, version: number, { pages }: RevisionState): Promise<void> {
	const rows = [...pages].map(([key, { rev, fingerprint }]) => {
		return { origin, key, rev, fingerprint, digest: null, listed: 0, named: 1, version };
	});
	for (let at = 0; at < rows.length; at += batch)
		await db
			.insertInto('digest_page')
			.values(rows.slice(at, at + batch))
			.onConflict((conflict) =>
				conflict
					.columns(['origin', 'key'])
					.doUpdateSet((eb) => ({ rev: eb.ref('excluded.rev'), version }))
					.whereRef('digest_page.rev', '<', 'excluded.rev'),
			)
			.execute();
}

async function unlist(db: Db, origin: string, version: number): Promise<number> {
	const listed = db.updateTable('digest_page').set({ listed: 0, version }).where('origin', '=', origin);
	return Number((await listed.where('listed', '=', 1).executeTakeFirst()).numUpdatedRows);
}

async function mergeRows(db: Db, origin: string, floor: number, pages: readonly ChangedPage[]) {
	const stored = new Map<string, Selectable<RevisionSchema['digest_page']>>();
	for (let at = 0; at < pages.length; at += batch) {
		const keys = pages.slice(at, at + batch).map(({ key }) => key);
		const rows = db.selectFrom('digest_page').selectAll().where('origin', '=', origin).where('key', 'in', keys);
		for (const row of await rows.execute()) stored.set(row.key, row);
	}
	let raised = false;
	const rows = pages.map(({ key, rev, fingerprint, digest, listed, agreed, seen }) => {
		const known = stored.get(key);
		const row = {
			key,
			rev: mergedRevision(known, { rev, fingerprint }, floor),
			fingerprint,
			// Others list it: so only one that everybody gets.
			digest: agreed === true ? (digest ?? null) : null,
			listed: listed ? 1 : 0,
			seen_at: seen ?? known?.seen_at ?? null,
		};
		raised ||= known?.rev !== row.rev || known.listed !== row.listed;
		return row;
	});
	return { rows, raised };
}

function mergedRevision(
	known: { readonly rev: number; readonly fingerprint: string } | undefined,
	{ rev, fingerprint }: { readonly rev: number; readonly fingerprint: string },
	floor: number,
): number {
	if (known === undefined) return Math.max(rev, floor);
	return Math.max(rev, known.fingerprint === fingerprint ? known.rev : known.rev + 1);
}

function toChangedPage({ key, rev, fingerprint, digest, listed, seen_at }: Selectable<RevisionSchema['digest_page']>) {
	return {
		key,
		rev,
		fingerprint,
		...(digest !== null && { digest: digest as Digest }),
		listed: listed === 1,
		agreed: digest !== null,
		seen: seen_at ?? 0,
	};
}
