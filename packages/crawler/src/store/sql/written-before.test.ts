import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { driverOf } from '../../../../io/src/sql/drivers/choose.ts';
import { openStoreView } from '../../inspect/store-view.ts';
import { openStore } from './open.ts';

/** A site of two pages, crawled by better-sqlite3 before there were other drivers. */
const written = gunzipSync(readFileSync(new URL('../../testing/written/store-2026-11.db.gz', import.meta.url)));

const drivers = (['node', 'better-sqlite3'] as const).filter((name) => {
	try {
		return driverOf(name).name === name;
	} catch {
		return false;
	}
});

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-written-'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, { recursive: true });
});

it.each(drivers)('U2-10: a store of the last version is read, and gone on with, by %s', async (driver) => {
	vi.stubEnv('WAYLEAVE_SQLITE', driver);
	const file = join(folder, 'store.db');
	writeFileSync(file, written);
	const view = await openStoreView(`sqlite:${file}`);
	expect(await view.status()).toMatchObject({ urls: 2, pages: { documents: 2 } });
	const titles: unknown[] = [];
	for await (const results of view.results({})) titles.push(...results.map(({ document }) => document?.identity.title));
	expect(titles).toEqual(['Start', 'Second']);
	await view.close();
	const store = await openStore(`sqlite:${file}`);
	await store.leases.recover(Date.now());
	const seeds = [
		{ url: 'http://127.0.0.1:4998/', kind: 'page' as const, host: '127.0.0.1', depth: 0, dates: 0, seed: true },
	];
	const state = await store.begin({ seeds, scope: 'x', refresh: true, at: Date.now(), reconsider: () => undefined });
	// Two pages, and two files that could have listed more.
	expect(state).toMatchObject({ mode: 'refresh', known: 4 });
	await store.close();
	// The index by page of the names of pages came later.
	const db = openDatabase<unknown>(`sqlite:${file}`);
	const { rows } = await sql`select name from sqlite_master where name = 'page_name_url'`.execute(db);
	await db.destroy();
	expect(rows).toHaveLength(1);
	const after = await openStoreView(`sqlite:${file}`);
	expect(await after.forget({ url: 'http://127.0.0.1:4998/' })).toMatchObject({ documents: 1 });
	await after.close();
});
