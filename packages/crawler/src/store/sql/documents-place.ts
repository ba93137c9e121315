import { randomUUID } from 'node:crypto';
import { type ObjectStore, openObjectStore } from '@wayleave/io/objects';
import { CrawlError } from '../../base/errors.ts';
import { inlineBodies, ObjectBodies, toCrawlError } from '../pages/document-bodies.ts';
import type { StoreOptions } from '../roles/store.ts';
import type { DocumentBodies } from '../schema/access.ts';
import { hasTable } from '../schema/has-table.ts';
import type { Db } from '../schema/tables.ts';

/** The object that says whose documents are at a place: another store must not collect them. */
const markerKey = 'wayleave-store.json';

/** Where a store keeps its documents. */
export interface Documents {
	readonly bodies: DocumentBodies;
	/** Undefined: in the database. */
	readonly objects?: ObjectStore;
	/** Whether the caller named no place, and the store remembers one. */
	readonly remembered: boolean;
}

interface PlaceRow {
	readonly store: string;
	readonly place: string;
}

const rememberedPlace = async (db: Db): Promise<PlaceRow | undefined> =>
	(await hasTable(db, 'document_place')) ? db.selectFrom('document_place').selectAll().executeTakeFirst() : undefined;

/**
 * Opens the place of the documents of a store: the one that is named, which the store then remembers, or the remembered
 * one. Checks that it can be read and that it is not that of another store.
 *
 * @throws CrawlError `bad-option` for a place that does not fit, `store-failed` for one that cannot be used
 */
export async function openDocuments(db: Db, options: StoreOptions): Promise<Documents> {
	const { documents: named, patience = 600_000, onTrouble } = options;
	const open = (place: string) => openObjectStore(place, { patience, ...(onTrouble && { onTrouble }) });
	let objects: ObjectStore | undefined;
	try {
		const known = await rememberedPlace(db);
		const place = named ?? known?.place;
		if (place === undefined) return { bodies: inlineBodies, remembered: false };
		const opened = await open(place);
		objects = opened;
		if (known === undefined) await claim(db, opened);
		else if (known.place === opened.place) await confirm(opened, known.store);
		else await move(db, known, opened);
		return { bodies: new ObjectBodies(async () => opened), objects: opened, remembered: named === undefined };
	} catch (error) {
		objects?.close();
		throw toCrawlError(error);
	}
}

/** The documents of a store that is only read; their place is opened when the first of them is needed. */
export function documentsForReading(db: Db): { readonly bodies: DocumentBodies; close(): void } {
	let opening: Promise<ObjectStore> | undefined;
	const open = async () => {
		const known = await rememberedPlace(db);
		if (known === undefined) throw new CrawlError('store-unreadable', 'the store does not say where its documents are');
		return openObjectStore(known.place, { patience: 30_000 });
	};
	return {
		bodies: new ObjectBodies(() => {
			opening ??= open();
			return opening;
		}),
		close: () => void opening?.then((objects) => objects.close()).catch(() => {}),
	};
}

/** The first crawl with a place makes it that of the store. */
async function claim(db: Db, objects: ObjectStore): Promise<void> {
	const owner = await ownerOf(objects);
	// Another worker of this store may have marked it since the row was looked for.
	if (owner !== undefined && owner !== (await rememberedPlace(db))?.store) throw ofAnother(objects.place);
	// Of several workers that come at the same time one makes the row.
	const own = { id: 1, store: randomUUID(), place: objects.place };
	await db
		.insertInto('document_place')
		.values(own)
		.onConflict((conflict) => conflict.doNothing())
		.execute();
	const row = await db.selectFrom('document_place').selectAll().executeTakeFirstOrThrow();
	if (row.place !== objects.place) throw elsewhere(row.place, objects.place);
	await objects.put(markerKey, markerOf(row.store));
}

const markerOf = (store: string): Buffer =>
	Buffer.from(`${JSON.stringify({ store, about: 'Documents of a Wayleave crawl. Its database names them.' })}\n`);

/** The store whose documents are at a place. */
async function ownerOf(objects: ObjectStore): Promise<string | undefined> {
	const marker = await objects.get(markerKey);
	if (marker === undefined) return undefined;
	try {
		return (JSON.parse(Buffer.from(marker).toString()) as { store: string }).store;
	} catch {
		return '';
	}
}

async function confirm(objects: ObjectStore, store: string): Promise<void> {
	const owner = await ownerOf(objects);
	if (owner === store) return;
	if (owner !== undefined) throw ofAnother(objects.place);
	// A worker that was killed may have remembered the place without marking it; then there is no document there yet.
	for await (const _ of objects.list('documents/')) throw lost(objects.place);
	await objects.put(markerKey, markerOf(store));
}

/** To a place to which the objects were copied. */
async function move(db: Db, known: PlaceRow, objects: ObjectStore): Promise<void> {
	if ((await ownerOf(objects)) !== known.store) throw elsewhere(known.place, objects.place);
	await db.updateTable('document_place').set({ place: objects.place }).execute();
}

const ofAnother = (place: string) =>
	new CrawlError('bad-option', `${place} holds the documents of another store: choose another prefix or folder`);

const lost = (place: string) =>
	new CrawlError('store-failed', `${place} has documents, but no ${markerKey} that says whose they are: restore it`);

const elsewhere = (known: string, named: string) =>
	new CrawlError(
		'bad-option',
		`this store keeps its documents in ${known}, not in ${named}: copy everything there first, ${markerKey} included, or name the old place`,
	);
