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
import type { Insertable, Kysely } from 'kysely';
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
			})),
		)
		.execute();
}

function isSame(a: PageRevision | undefined, b: PageRevision): boolean {
	return a?.rev === b.rev && a.fingerprint === b.fingerprint && a.digest === b.digest && a.listed === b.listed;
}
