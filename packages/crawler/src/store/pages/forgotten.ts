import { compiledOnce } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import { withoutRoute } from '../../addresses/routes.ts';
import type { ForgetTarget, Forgotten } from '../roles/pages.ts';
import type { DocumentBodies } from '../schema/access.ts';
import { isAddress, isOfHost, placeOf } from '../schema/addresses.ts';
import { noHistory } from '../schema/history-columns.ts';
import type { Db } from '../schema/tables.ts';
import { mapAtOnce, readReference } from './document-bodies.ts';

const nameOf = (target: ForgetTarget): string => ('url' in target ? target.url : `host ${target.host}`);

/** Whether a URL or its host was removed. */
export async function isForgotten(db: Db, url: string): Promise<boolean> {
	const { rows } = await findForgotten(db, { url, page: withoutRoute(url), host: `host ${new URL(url).hostname}` });
	return rows.length > 0;
}

const findForgotten = compiledOnce((db: Db, { url, page, host }: { url: string; page: string; host: string }) =>
	db.selectFrom('forgotten').select('name').where('name', 'in', [url, page, host]).limit(1).compile(),
);

/** Removes the stored content of a URL or a host, and keeps later crawls from requesting it. */
export async function forget(db: Db, target: ForgetTarget, at: number, bodies: DocumentBodies): Promise<Forgotten> {
	const keys = keysOf(db, target);
	const which = sql`select id from url where ${sql.join(keys, sql` or `)}`;
	const contents: Uint8Array[] = [];
	const forgotten = await db.transaction().execute(async (tx) => {
		await tx
			.insertInto('forgotten')
			.values({ name: nameOf(target), at })
			.onConflict((conflict) => conflict.column('name').doNothing())
			.execute();
		const archives = await archivesOf(tx, keys, bodies, contents);
		const { rows } = await sql<{ urls: number; documents: number }>`
			select count(*) as urls, count(page.content) as documents
			from url left join page on page.url = url.id where url.id in (${which})`.execute(tx);
		await sql`delete from notice where change in (select id from page_change where url in (${which}))`.execute(tx);
		const watched = ['page_version', 'watched', 'page_change'];
		for (const table of ['page', 'former_page', 'page_name', ...watched])
			await sql`delete from ${sql.table(table)} where url in (${which})`.execute(tx);
		await sql`update url set state = 1, due = 0, outcome = 'out-of-scope', reason = 'forgotten', detail = null,
			evidence = null, redirect = null, at = ${at}, ${noHistory} where id in (${which})`.execute(tx);
		return { documents: Number(rows[0]?.documents ?? 0), urls: Number(rows[0]?.urls ?? 0), archives };
	});
	// A document names its URL: no row of another one shares its object.
	await bodies.discard(contents);
	return forgotten;
}

/** Allows requests again from the next crawl on. Returns whether the target was removed before. */
export async function remember(db: Db, target: ForgetTarget): Promise<boolean> {
	const { numDeletedRows } = await db.deleteFrom('forgotten').where('name', '=', nameOf(target)).executeTakeFirst();
	return Number(numDeletedRows) > 0;
}

/**
 * Conditions for the rows of `url`, split so that its index finds them. The addresses of a host differ in scheme and
 * port.
 */
function keysOf(db: Db, target: ForgetTarget): RawBuilder<unknown>[] {
	// The routes of a page are of the same page: up to the next character, these begin with `#`.
	if ('url' in target)
		return [
			sql`(${isAddress(db, target.url)} or ${isAddress(db, target.url, sql.lit(1))})`,
			sql`(${isOfHost(db, new URL(target.url).hostname)} and key >= ${`${target.url}#`} and key < ${`${target.url}$`})`,
		];
	return ['http', 'https'].flatMap((scheme) => {
		const origin = `${scheme}://${target.host}`;
		// Up to the next character: these are the prefixes `/` and `:`.
		return [
			sql`(${isOfHost(db, target.host)} and key >= ${`${origin}/`} and key < ${`${origin}0`})`,
			sql`(${isOfHost(db, target.host)} and key >= ${`${origin}:`} and key < ${`${origin};`})`,
		];
	});
}

/** Documents searched at a time. */
const batch = 500;

/** @param contents gets the references to the documents */
async function archivesOf(
	tx: Db,
	keys: readonly RawBuilder<unknown>[],
	bodies: DocumentBodies,
	contents: Uint8Array[],
): Promise<string[]> {
	const archives = new Set<string>();
	const parts = keys.flatMap((part) => [{ part, table: 'page' } as const, { part, table: 'former_page' } as const]);
	for (const { part, table } of parts) {
		const { column, first, type } = placeOf(tx);
		for (let after = first; ; ) {
			const { rows } = await sql<{ place: string; content: Uint8Array }>`
				select ${column} as place, content from url join ${sql.table(table)} as kept on kept.url = url.id
				where ${part} and ${column} > cast(${after} as ${type}) and kind = 0 and content is not null
				order by ${column} limit ${batch}`.execute(tx);
			const found = await mapAtOnce(rows, ({ content }) => bodies.unpackIfThere(content));
			for (const { capture } of found.flatMap((each) => each ?? []))
				if (capture !== undefined) archives.add(capture.archive);
			contents.push(...rows.flatMap(({ content }) => (readReference(content) === undefined ? [] : content)));
			const last = rows.at(-1);
			if (last === undefined || rows.length < batch) break;
			after = last.place;
		}
	}
	return [...archives];
}
