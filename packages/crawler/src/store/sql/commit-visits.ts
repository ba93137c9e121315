import { compiledOnce } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { type Checked, historiesAfter, saveChecks, saveRevisions } from '../changes/sql-changes.ts';
import { saveSegments } from '../fleet/outputs.ts';
import { type Added, addFound } from '../frontier/add-found.ts';
import { saveLearned, saveNames } from '../frontier/learned.ts';
import { saveScopeExpansions } from '../frontier/scope-expansions.ts';
import { saveEnded, saveEndings, type UrlTools } from '../frontier/urls.ts';
import { dropFormer, keepFormer, type Replacement } from '../pages/former-pages.ts';
import { referencesOf, revoke, savePage } from '../pages/save-page.ts';
import type { Batch, Visit } from '../roles/commit.ts';
import type { Content, KeptPage } from '../roles/pages.ts';
import type { DocumentBodies } from '../schema/access.ts';
import type { Db } from '../schema/tables.ts';

/** The stored content of a page; null if nothing may be stored. */
type Packed = Uint8Array | null;

interface Tools extends UrlTools {
	/** Time by the clock of this worker. */
	readonly own: number;
}

export async function packPage({ content }: Pick<KeptPage, 'content'>, bodies: DocumentBodies): Promise<Packed> {
	return content?.snapshot === undefined ? null : bodies.pack(content.snapshot);
}

/** All at a time: a batch is small. */
export async function packVisits(
	visits: readonly Visit[],
	bodies: DocumentBodies,
): Promise<ReadonlyMap<Visit, Packed>> {
	return new Map(await Promise.all(visits.map(async (visit) => [visit, await packPage(visit, bodies)] as const)));
}

/** Writes everything that visits have changed, and how far the sinks have come. */
export async function saveVisits(
	tx: Db,
	{ visits, positions, segments = [], scopeExpansions, learned = new Map() }: Batch,
	packed: ReadonlyMap<Visit, Packed>,
	tools: Tools,
): Promise<Added & { readonly revoked: readonly Uint8Array[] }> {
	const own = visits.flatMap(({ id, at, check }) => (check === undefined ? [] : { id, at, check }));
	await saveEndings(tx, visits, await historiesAfter(tx, own), tools);
	const revoked = await revoke(
		tx,
		visits.flatMap(({ revokedUrls = [] }) => revokedUrls),
	);
	const checks: Checked[] = [];
	const saved: SavedPage[] = [];
	for (const visit of visits) {
		const { target, at, status, content } = visit;
		const ended = target && { ...target, at, ...(status !== undefined && { status }) };
		const id = ended === undefined ? visit.id : await saveEnded(tx, ended, { ...tools, via: visit.id });
		if (target?.check !== undefined) checks.push({ id, at, check: target.check });
		if (visit.names !== undefined) await saveNames(tx, id, visit.names);
		if (content !== undefined) saved.push({ id, at, content, packed: packed.get(visit) ?? null });
	}
	revoked.push(...(await savePages(tx, saved, tools)));
	await saveChecks(tx, checks, tools.dialect);
	await saveRevisions(
		tx,
		tools.dialect,
		visits.flatMap(({ listed = [] }) => listed),
	);
	const found = visits.flatMap((visit) => visit.found.map((url) => ({ url, via: visit.id })));
	const added = await addFound(tx, found, { ...tools, at: Math.max(0, ...visits.map(({ at }) => at)) });
	for (const [name, position] of positions) await savePosition(tx, { name, position });
	await saveSegments(tx, segments, tools.run);
	await saveScopeExpansions(tx, scopeExpansions);
	await saveLearned(tx, learned);
	return { ...added, revoked };
}

interface SavedPage {
	readonly id: number;
	readonly at: number;
	readonly content: Content;
	readonly packed: Packed;
}

/** @returns what named documents that may not be kept any more and are not in the database */
async function savePages(tx: Db, pages: readonly SavedPage[], { dialect }: Tools): Promise<Uint8Array[]> {
	const replaced = pages.flatMap(({ id, at, content: { snapshot, bodyHash }, packed }): Replacement[] =>
		snapshot === undefined || packed === null ? [] : [{ id, at, fetchedAt: snapshot.fetchedAt, bodyHash }],
	);
	await keepFormer(tx, replaced, dialect);
	const closed = pages.flatMap(({ id, content, packed }) =>
		content.snapshot !== undefined && packed === null ? id : [],
	);
	const references = closed.length === 0 ? [] : await referencesOf(tx, sql.join(closed));
	await dropFormer(tx, closed);
	for (const { id, at, content, packed } of pages) await savePage(tx, id, content, packed, at);
	return references;
}

/** A page that no run has visited. Returns what `savePages` does. */
export async function keepPage(tx: Db, page: KeptPage, packed: Packed, tools: Tools): Promise<Uint8Array[]> {
	const id = await saveEnded(tx, page, tools);
	const { content, at } = page;
	return content === undefined ? [] : savePages(tx, [{ id, at, content, packed }], tools);
}

const savePosition = compiledOnce((db: Db, { name, position }: { name: string; position: string }) =>
	db
		.insertInto('sink_position')
		.values({ name, position })
		.onConflict((conflict) => conflict.column('name').doUpdateSet({ position }))
		.compile(),
);
