import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { interceptConnections, openRaw } from '../../../../io/src/testing/raw-sqlite.ts';
import { openStoreView } from '../../inspect/store-view.ts';
import { readPage } from '../../read/read-page.ts';
import { useSites } from '../../testing/sites.ts';
import { useStorePlaces } from '../../testing/stores.ts';
import { htmlPage } from '../../testing/web.ts';
import { openStore } from './open.ts';

const { file, places } = useStorePlaces();
const sites = useSites();
afterEach(() => vi.restoreAllMocks());

/** Crawls hosts of four pages each, and looks at them again. */
async function crawlTwice(hosts: number, url: string, between = async () => {}): Promise<void> {
	const names = Array.from({ length: hosts }, (_, at) => `h${at}.test`);
	await sites.serve(
		Object.fromEntries(
			names.flatMap((name, at) => [
				[`${name}/`, () => htmlPage('Home', ['/1', '/2', '/3', sites.web.url(`h${at + 1}.test`)])],
				[`${name}/1`, htmlPage('One')],
				[`${name}/2`, htmlPage('Two', ['/1'])],
				[`${name}/3`, { status: 302, headers: { Location: '/1' } }],
			]),
		),
	);
	const seeds = names.map((name) => `${name}/`);
	const store = await openStore(url);
	await sites.crawl(seeds, { store }, readPage);
	await between();
	await sites.crawl(seeds, { store }, readPage);
	await store.close();
}

/** How often each statement of SQLite runs meanwhile. */
async function countStatements(work: () => Promise<unknown>): Promise<Map<string, number>> {
	const counts = new Map<string, number>();
	const restore = interceptConnections((connection) => ({
		prepare(text) {
			const statement = connection.prepare(text);
			const counted =
				<Result>(method: (values: readonly unknown[]) => Result) =>
				(values: readonly unknown[]) => {
					counts.set(text, (counts.get(text) ?? 0) + 1);
					return method.call(statement, values);
				};
			return {
				reader: statement.reader,
				get busy() {
					return statement.busy;
				},
				run: counted(statement.run),
				all: counted(statement.all),
				iterate: counted(statement.iterate),
			};
		},
		close: () => connection.close(),
	}));
	await work();
	restore();
	return counts;
}

/** Statements of SQLite that scan a table, or all hosts of a worker, each with these steps of its plan. */
function scansOf(name: string, statements: readonly string[]): [text: string, steps: string[]][] {
	const database = openRaw(file(name));
	const scans = statements.map((text): [string, string[]] => {
		const nothing = Array.from(text.matchAll(/\?/g), () => null);
		const steps = database.prepare(`explain query plan ${text}`).all(nothing);
		// What was given in JSON or chosen before is gone through row by row; all hosts of a worker are not.
		const isSlow = (step: string) => /^SCAN (?!row|given|chosen|CONSTANT)|host_holder/.test(step);
		return [text, steps.map(({ detail }) => String(detail)).filter(isSlow)];
	});
	database.close();
	return scans.filter(([, steps]) => steps.length > 0);
}

it('SQLite: an index finds all data that the crawler queries per page or host, however many there are', async () => {
	const few = await countStatements(() => crawlTwice(4, `sqlite:${file('few.db')}`));
	const many = await countStatements(() => crawlTwice(12, `sqlite:${file('many.db')}`));
	const repeated = [...many].filter(([text, count]) => count > (few.get(text) ?? 0) + 1).map(([text]) => text);
	expect(repeated.length).toBeGreaterThan(20);
	const statements = repeated.filter((one) => one !== 'begin' && one !== 'commit');
	expect(scansOf('many.db', statements)).toEqual([]);
});

it.each([
	['a host', { host: 'h1.test' }],
	['a page', { url: 'http://h1.test/1' }],
])('SQLite: forgetting %s goes through no address and no document of others', async (_, target) => {
	const url = `sqlite:${file('forget.db')}`;
	await crawlTwice(2, url);
	const ran = await countStatements(async () => {
		const view = await openStoreView(url);
		await view.forget(target);
		await view.close();
	});
	const statements = [...ran.keys()].filter((text) => /\bfrom (?:url|"?page_name"?)\b/.test(text));
	expect(statements.length).toBeGreaterThan(5);
	const scans = scansOf('forget.db', statements).flatMap(([, steps]) => steps);
	expect(scans).toEqual([]);
});

/** Connections report their counts when they end, which may be after the pool has closed. */
async function countOthers(db: Kysely<unknown>): Promise<number> {
	const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
	return Number(rows[0]?.count);
}

/** How often PostgreSQL went through a table, or the hosts of a worker, in a crawl. */
async function countScans(hosts: number, url: string): Promise<Record<string, number>> {
	const db = openDatabase<unknown>(url);
	// What the server knows of the tables is from a time when nobody held a host.
	await crawlTwice(hosts, url, () => sql`vacuum analyze`.execute(db).then(() => {}));
	await vi.waitFor(async () => expect(await countOthers(db)).toBe(0), 20_000);
	const { rows } = await sql<{ name: string; scans: number }>`
		select relname as name, seq_scan as scans from pg_stat_user_tables
		union all select indexrelname, idx_scan from pg_stat_user_indexes where indexrelname = 'host_holder'`.execute(db);
	await db.destroy();
	return Object.fromEntries(rows.map(({ name, scans }) => [name, Number(scans)]));
}

it('PostgreSQL: goes through no table for each page or host, nor through the hosts of a worker', async () => {
	const few = await countScans(4, await places.PostgreSQL());
	const many = await countScans(20, await places.PostgreSQL());
	// Some are gone through from time to time, whatever there is to do.
	const grown = Object.entries(many).filter(([name, scans]) => scans > few[name]! + 8);
	expect(Object.fromEntries(grown)).toEqual({});
	expect(many).toHaveProperty('host_holder');
});
