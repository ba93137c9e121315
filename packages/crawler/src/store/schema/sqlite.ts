import { existsSync } from 'node:fs';
import { DatabaseError, lockFile } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { CrawlError } from '../../base/errors.ts';
import type { StoreDialect } from './dialect.ts';
import { addHistories } from './history-columns.ts';

/** The only place with SQL that SQLite alone understands. */
export function sqliteDialect(url: string): StoreDialect {
	return {
		name: 'sqlite',
		shared: false,
		bytes: 'blob',
		id: 'integer',
		key: 'text',
		numbered: 'primary key autoincrement',
		json: (values) => JSON.stringify(values),
		rows: (json) => sql`json_each(${json}) as row`,
		// Known URLs are left out beforehand, which takes less than half of the time that an upsert of them would.
		foundRows: (json) => sql`(
			select null as id, given.value as value from json_each(${json}) as given
			left join url as known on known.key = given.value->>'k' and known.kind = cast(given.value->>'t' as integer)
			where known.id is null or given.value->>'s' = 0
				and (known.host is null or known.state = 0 and cast(given.value->>'d' as integer) < known.depth)
		) as row`,
		now: (own) => sql`${own}`,
		skipLocked: sql``,
		// The holder of the lock is the only process; all others have ended.
		diesAt: () => sql`0`,
		lives: async () => (isLocked(url) ? sql`true` : sql`false`),
		askedUntil: (own) => sql`${own}`,
		position: undefined,
		isConflict: () => false,
		async lookAtAll() {},
		async lockRuns() {},
		async tune() {},
		async coverKnown() {},
		compactUrls: addHistories,
		async nameKnown() {},
		documentBytes: (content) =>
			sql`case when length(${content}) < 60 and substr(${content}, 1, 1) = x'ff'
				then cast(cast(substr(${content}, 34) as text) as integer) else length(${content}) end`,
		fromHex: (digits) => sql`unhex(${digits})`,
		exclude: async () => lockStore(url),
	};
}

/** The file of a store; undefined where it has none. */
export const storeFile = (url: string): string | undefined =>
	/^sqlite:(.+)$/is.exec(url)?.[1]?.replace(/^\/\/(?=\/)/, '');

/** Milliseconds that a crawl waits for the lock, which `isLocked` takes for a moment. */
const lookTime = 100;

/** Whether a crawl is working with the file, as far as this can be found out. */
function isLocked(url: string): boolean {
	if (!existsSync(`${storeFile(url)}-lock`)) return false;
	try {
		lockStore(url)();
		return false;
	} catch {
		return true;
	}
}

/**
 * One crawl at a time works on an SQLite file. The lock is on a file beside it: the store itself stays readable for
 * others.
 */
function lockStore(url: string): () => void {
	if (url === 'sqlite::memory:') return () => {};
	try {
		return lockFile(`${storeFile(url)}-lock`, lookTime);
	} catch (error) {
		if (error instanceof DatabaseError && error.code === 'locked')
			throw new CrawlError('store-in-use', `another crawl is using ${url}`);
		throw error;
	}
}
