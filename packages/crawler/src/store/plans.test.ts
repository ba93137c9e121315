import { openDatabase } from '@wayleave/io';
import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { interceptConnections, openRaw } from '../../../io/src/testing/raw-sqlite.ts';
import { useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';
import { readPage } from '../visit/read-page.ts';
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

/** How often each statement of SQLite is run in a crawl. */
async function countStatements(hosts: number, url: string): Promise<Map<string, number>> {
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
	await crawlTwice(hosts, url);
	restore();
	return counts;
}

it('SQLite: what is asked of the store for each page or host is found by an index, however many there are', async () => {
	const few = await countStatements(4, `sqlite:${file('few.db')}`);
	const many = await countStatements(12, `sqlite:${file('many.db')}`);
	const repeated = [...many].filter(([text, count]) => count > (few.get(text) ?? 0) + 1).map(([text]) => text);
	expect(repeated.length).toBeGreaterThan(20);
	const database = openRaw(file('many.db'));
	for (const text of repeated.filter((one) => one !== 'begin' && one !== 'commit')) {
		const nothing = Array.from(text.matchAll(/\?/g), () => null);
		const plan = database.prepare(`explain query plan ${text}`).all(nothing);
		// What was given in JSON or chosen before is gone through row by row; all hosts of a worker are not.
		const slow = plan
			.map(({ detail }) => String(detail))
			.filter((step) => /^SCAN (?!row|given|chosen|CONSTANT)|host_holder/.test(step));
		expect(slow, text).toEqual([]);
	}
	database.close();
});

/** How often PostgreSQL went through a table, or the hosts of a worker, in a crawl. */
async function countScans(hosts: number, url: string): Promise<Record<string, number>> {
	const db = openDatabase(url);
	// What the server knows of the tables is from a time when nobody held a host.
	await crawlTwice(hosts, url, () => sql`vacuum analyze`.execute(db).then(() => {}));
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
