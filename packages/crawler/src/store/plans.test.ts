import Sqlite from 'better-sqlite3';
import { afterEach, expect, it, vi } from 'vitest';
import { useSites } from '../testing/sites.ts';
import { useStorePlaces } from '../testing/stores.ts';
import { htmlPage } from '../testing/web.ts';
import { readPage } from '../visit/read-page.ts';
import { openStore } from './open.ts';

const { file } = useStorePlaces();
const sites = useSites();
afterEach(() => vi.restoreAllMocks());

/** How often each statement was run while hosts of four pages each were crawled, and then looked at again. */
async function countStatements(hosts: number, store: string): Promise<Map<string, number>> {
	const counts = new Map<string, number>();
	const { prepare } = Sqlite.prototype;
	const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, text) {
		const statement = prepare.call(this, text);
		for (const method of ['run', 'all', 'iterate'] as const) {
			const original = statement[method].bind(statement) as (...values: unknown[]) => never;
			statement[method] = (...values: unknown[]) => {
				counts.set(text, (counts.get(text) ?? 0) + 1);
				return original(...values);
			};
		}
		return statement;
	});
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
	const opened = await openStore(store);
	for (let times = 0; times < 2; times++)
		await sites.crawl(
			names.map((name) => `${name}/`),
			{ store: opened },
			readPage,
		);
	await opened.close();
	spy.mockRestore();
	return counts;
}

it('what is asked of the store for each page or host is found by an index, however many there are', async () => {
	const few = await countStatements(4, `sqlite:${file('few.db')}`);
	const many = await countStatements(12, `sqlite:${file('many.db')}`);
	const repeated = [...many].filter(([text, count]) => count > (few.get(text) ?? 0) + 1).map(([text]) => text);
	expect(repeated.length).toBeGreaterThan(20);
	const database = new Sqlite(file('many.db'), { readonly: true });
	for (const text of repeated.filter((one) => one !== 'begin' && one !== 'commit')) {
		const nothing = Array.from(text.matchAll(/\?/g), () => null);
		const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${text}`).all(nothing);
		// What was given in JSON or chosen before is gone through row by row; all hosts of a worker are not.
		const slow = plan
			.map(({ detail }) => detail)
			.filter((step) => /^SCAN (?!row|given|chosen|CONSTANT)|host_holder/.test(step));
		expect(slow, text).toEqual([]);
	}
	database.close();
});
