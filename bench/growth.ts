// How far the database of a crawl grows where every URL is a page that was read and its document is an object: the worst
// case for the bytes of a URL. Addresses of 60 characters, ETag, Last-Modified, hash, signature and revisit record.
import { createHash, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@wayleave/crawler';
import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { showTable } from './measure.ts';

/** Pages that are committed together. */
const batch = 40;
/** Pages between two vacuums of PostgreSQL. */
const vacuumAfter = 400;
const host = 'www.growth.example';
const at = Date.parse('2026-12-01');

const urlOf = (page: number): string => {
	const hash = createHash('sha256').update(String(page)).digest('hex');
	return page === 0 ? `https://${host}/` : `https://${host}/articles/${hash}`.slice(0, 60);
};

const found = (page: number) => ({
	url: urlOf(page),
	kind: 'page' as const,
	host,
	depth: page === 0 ? 0 : 2,
	dates: 0,
});

const visitOf = (id: number, page: number, next: readonly number[]) => {
	const hash = createHash('sha256').update(`body ${page}`).digest();
	return {
		id,
		ending: { outcome: 'fetched' as const },
		attempts: 1,
		at: at + page,
		status: 200,
		found: next.map(found),
		document: true,
		check: { changed: false },
		content: {
			// As Apache makes them: size and time.
			etag: `"${hash.toString('hex').slice(0, 4)}-${hash.toString('hex').slice(4, 17)}"`,
			lastModified: 'Tue, 01 Dec 2026 08:00:00 GMT',
			bodyHash: hash,
			minHash: {
				value: [randomInt(2 ** 31), randomInt(2 ** 31), randomInt(2 ** 31), randomInt(2 ** 31)] as const,
				prose: randomInt(2 ** 31),
			},
			// Its words do not matter: the object has them.
			snapshot: { fetchedAt: at + page, document: { identity: { title: `Page ${page}` } } as never },
		},
	};
};

async function fill(url: string, documents: string, pages: number): Promise<void> {
	const store = await openStore(url, { documents });
	await store.leases.recover(at);
	const seeds = [{ ...found(0), seed: true }];
	await store.begin({ seeds, scope: 'host', refresh: false, at, reconsider: () => undefined });
	const record = await store.leases.claimHost(host);
	if (record === undefined) throw new Error(`${host} is held`);
	const numbers = Array.from({ length: pages }, (_, page) => page);
	for (let done = 0; done < pages; ) {
		const due = await store.frontier.pending(record.id, 'page', at + pages, batch);
		const last = done + due.length;
		const next = numbers.slice(Math.max(1, last), last + batch);
		const visits = due.map(({ id }, index) => visitOf(id, done + index, index === 0 ? next : []));
		await store.commit({ visits, hosts: [record], positions: new Map(), scopeExpansions: [] });
		done = last;
		if (done % vacuumAfter < due.length) await vacuum(url);
	}
	await store.end(true, at + pages);
	await store.close();
}

/** As autovacuum does it in a crawl of some hours, which this one is too short for. */
async function vacuum(url: string): Promise<void> {
	if (url.startsWith('sqlite:')) return;
	const db: Kysely<unknown> = openDatabase(url);
	await sql`vacuum analyze`.execute(db);
	await db.destroy();
}

/** Bytes of each table and index. */
async function sizesOf(url: string): Promise<ReadonlyMap<string, number>> {
	const db: Kysely<unknown> = openDatabase(url);
	const query = url.startsWith('sqlite:')
		? sql<{ name: string; bytes: number }>`select name, sum(pgsize) as bytes from dbstat group by name`
		: sql<{ name: string; bytes: number }>`select relname as name, pg_relation_size(oid) + case when relkind = 'r'
			then coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0) else 0 end as bytes
			from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;
	const { rows } = await query.execute(db);
	await db.destroy();
	return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/**
 * Prints the bytes of a URL by table and index, less those of a store without URLs.
 *
 * @param url of a database without a store
 */
export async function showGrowth(name: string, url: string, folder: string, pages: number): Promise<void> {
	const documents = mkdtempSync(join(folder, 'objects-'));
	await (await openStore(url)).close();
	const before = await sizesOf(url);
	await fill(url, `file:${documents}`, pages);
	const parts = [...(await sizesOf(url))]
		.map(([part, bytes]) => [part, (bytes - (before.get(part) ?? 0)) / pages] as const)
		.filter(([, bytes]) => bytes >= 0.5)
		.sort(([, a], [, b]) => b - a);
	const total = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
	console.log(`\n${name}, ${pages} pages of which each was read:\n`);
	console.log(
		showTable([
			['table or index', 'bytes a URL'],
			...parts.map(([part, bytes]) => [part, bytes.toFixed(1)]),
			['**all**', `**${total.toFixed(0)}**`],
		]),
	);
	rmSync(documents, { recursive: true });
}
