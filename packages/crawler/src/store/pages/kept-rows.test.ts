import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isKnownHash } from '../../model/body-hash.ts';
import { useStorePlaces } from '../../testing/stores.ts';
import { beginWithSeed, commit, content, home, visit } from '../contract/fixtures.ts';
import { openStore } from '../sql/open.ts';
import { packDate, unpackDate } from './validator-row.ts';

const { places } = useStorePlaces();

it.each([
	['Tue, 01 Dec 2026 08:00:00 GMT', 8],
	['Thu, 01 Jan 1970 00:00:00 GMT', 3],
	['Tue, 30 Sep 1969 00:00:00 GMT', 8],
	['Tuesday, 01-Dec-26 08:00:00 GMT', 31],
	['Tue, 1 Dec 2026 08:00:00 +0100', 30],
	['2026', 4],
])('the date %s is kept as at most %i characters and comes back as it was', (date, most) => {
	expect(packDate(date).length).toBeLessThanOrEqual(most);
	expect(unpackDate(packDate(date))).toBe(date);
});

const bytes = (first: number) => Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? first : at));

describe.each(Object.entries(places))('in %s', (_, place) => {
	it('a row has 16 bytes of the hash and a short date, and rows of earlier versions are read as they are', async () => {
		const url = await place();
		const store = await openStore(url);
		const { id } = await beginWithSeed(store);
		const lastModified = 'Tue, 01 Dec 2026 08:00:00 GMT';
		const check = { changed: false };
		await commit(store, [visit({ id }, { content: content('x', { lastModified, bodyHash: bytes(1) }), check })]);
		const db = openDatabase<unknown>(url);
		const { rows } = await sql<{ hash: Uint8Array; date: string; rate: number }>`
			select body_hash as hash, last_modified as date, rate from page join revisit on revisit.url = page.url`.execute(
			db,
		);
		expect(rows).toEqual([{ hash: Buffer.from(bytes(1).subarray(0, 16)), date: packDate(lastModified), rate: 0 }]);
		const known = await store.pages.snapshot(home);
		expect(known).toMatchObject({ lastModified });
		expect([bytes(1), bytes(2)].map((hash) => isKnownHash(known?.bodyHash ?? bytes(0), hash))).toEqual([true, false]);
		// Of a version that kept both whole.
		await sql`update page set last_modified = ${lastModified}, body_hash = ${Buffer.from(bytes(2))}`.execute(db);
		await db.destroy();
		const old = await store.pages.snapshot(home);
		expect(old).toMatchObject({ lastModified, bodyHash: Buffer.from(bytes(2)) });
		expect([bytes(1), bytes(2)].map((hash) => isKnownHash(old?.bodyHash ?? bytes(0), hash))).toEqual([false, true]);
		// The same body again is no version of its own, another one is.
		const again = (first: number, fetchedAt: number) => ({
			...content('y', { bodyHash: bytes(first) }),
			snapshot: { ...content('y').snapshot!, fetchedAt },
		});
		await commit(store, [visit({ id }, { content: again(2, Date.now() + 1000) })]);
		expect(await store.pages.versions(home)).toHaveLength(1);
		await commit(store, [visit({ id }, { content: again(3, Date.now() + 2000) })]);
		expect(await store.pages.versions(home)).toHaveLength(2);
		await store.close();
	});
});
