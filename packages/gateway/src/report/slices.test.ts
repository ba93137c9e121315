import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { KeptFigures } from '../dashboard/kept-figures.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { LedgerSchema } from '../ledger/schema.ts';
import { sampleEntry } from '../testing/sample-entry.ts';
import { seedLedger } from '../testing/seeded-ledger.ts';
import { statementsOf } from '../testing/statements.ts';
import { asksOf } from './asks.ts';
import { brokenRulesOf } from './broken-rules.ts';
import { complianceOf } from './compliance.ts';
import { countedOverviewOf, trafficOf } from './counted.ts';
import { pathsOf } from './paths.ts';
import { referralsOf } from './referrals.ts';
import { savingsOf } from './savings.ts';
import { maxSliceRows, slicesOf } from './slices.ts';
import { namedTimeframe, type Timeframe } from './timeframe.ts';
import { requestsOf } from './violations.ts';

type Db = Kysely<LedgerSchema>;

const until = Date.UTC(2026, 10, 30, 12, 20);
const frame = namedTimeframe('30d', until) as Timeframe;
const all = { period: frame, filter: {} };
const about = { site: 'https://harbour.example', observing: false };
const members = { path: '/members/' };

/** Each list of the dashboard and the report that reads single requests. */
const views: Readonly<Record<string, (db: Db, signal?: AbortSignal) => Promise<unknown>>> = {
	'the agents': (db, signal) => complianceOf({ ...all, db, signal }),
	'the paths': (db, signal) => pathsOf({ ...all, db, signal }, 50),
	'the savings': (db, signal) => savingsOf({ ...all, db, signal }),
	'the referrals': (db, signal) => referralsOf(db, frame, signal),
	'the rules': (db, signal) => brokenRulesOf({ ...all, db, signal }, 'last'),
	'the asks': (db, signal) => asksOf({ ...all, db, signal }),
	'the figures of some paths': (db, signal) => countedOverviewOf(db, frame, about, members, signal),
	'the traffic of some paths': (db, signal) => trafficOf(db, frame, 'agent', members, signal),
	'the requests of some paths': (db, signal) =>
		requestsOf({ db, period: frame, filter: { path: '/members/list-1' }, signal }, 10_000),
	'the broken rules of an agent': (db, signal) =>
		requestsOf({ db, period: frame, filter: { agent: 'bytespider', broken: true }, signal }, 10_000),
	'the requests that asked': (db, signal) =>
		requestsOf({ db, period: frame, filter: { answer: 'allow' }, signal }, 10_000),
};

async function seeded(store: string, entries: number): Promise<Ledger> {
	const ledger = await openLedger(store, { retentionDays: 4000 });
	await seedLedger(ledger, entries, until);
	return ledger;
}
const sqliteFile = () => `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-slices-')), 'ledger.db')}`;

/** How many rows of the requests SQLite reads for a statement, at most, by its plan and its bounds in time. */
async function rowsRead(db: Db, statement: CompiledQuery): Promise<number> {
	const { sql: text, parameters } = statement;
	const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
	const { rows: plan } = await db.executeQuery<{ detail: string }>(explain);
	const details = plan.map(({ detail }) => detail).filter((detail) => detail.includes('gateway_request'));
	if (details.length === 0) return 0;
	const limit = /order by at (?:desc )?limit 1 offset (\d+)$/.exec(text.trim())?.[1];
	if (limit !== undefined && details.every((detail) => /USING COVERING INDEX \w+ \(at>/.test(detail)))
		return Number(limit) + 1;
	if (details.every((detail) => detail.includes('(rowid=?)'))) return parameters.length;
	const index = details.map((detail) => /USING (?:COVERING )?INDEX (\w+) \(at>\? AND at<\?\)/.exec(detail)?.[1]);
	if (index.length !== 1 || index[0] === undefined) throw new Error(`${details}: ${text}`);
	const place = text.slice(0, text.indexOf('at >= ?')).split('?').length - 1;
	const only = { gateway_request_violation: sql`violation = 1`, gateway_request_asked: sql`asked is not null` }[
		index[0]
	];
	const { rows } = await sql<{ count: number }>`
		select count(*) as count from gateway_request
		where at >= ${parameters[place]} and at < ${parameters[place + 1]} and ${only ?? sql`1 = 1`}`.execute(db);
	return rows[0]?.count ?? Number.NaN;
}

it('U2-46: no statement reads more requests from SQLite when the ledger has twice as many', async () => {
	const ledgers = [await seeded(sqliteFile(), 12_000), await seeded(sqliteFile(), 24_000)];
	for (const [name, read] of Object.entries(views)) {
		const most: number[] = [];
		const counts: number[] = [];
		for (const { db } of ledgers) {
			let turns = 0;
			let isReading = true;
			const others = (async () => {
				for (; isReading; await setImmediate()) turns++;
			})();
			const statements = await statementsOf(db, read);
			isReading = false;
			await others;
			const cuts = statements.filter(({ sql: text }) => /limit 1 offset/.test(text));
			// Another task of the process runs between two slices.
			expect(turns, name).toBeGreaterThanOrEqual(cuts.length);
			const rows = [];
			for (const statement of statements) rows.push(await rowsRead(db, statement));
			most.push(Math.max(...rows));
			counts.push(statements.length);
		}
		expect(Math.max(...most), name).toBeGreaterThan(0);
		expect(Math.max(...most), name).toBeLessThanOrEqual(maxSliceRows + 1);
		if (!/rules|ask/.test(name)) expect(counts[1], name).toBeGreaterThan((counts[0] as number) + 4);
	}
	for (const ledger of ledgers) await ledger.close();
});

/** In an order that does not depend on the database, where rows have the same place in a list. */
const sorted = (value: unknown): unknown =>
	Array.isArray(value)
		? value.map((each) => JSON.stringify(sorted(each))).sort()
		: typeof value === 'object' && value !== null
			? Object.fromEntries(
					Object.entries(value)
						.sort(([a], [b]) => (a < b ? -1 : 1))
						.map(([name, each]) => [name, sorted(each)]),
				)
			: value;

it('U2-46: slices of SQLite add up to the figures of the single statements of PostgreSQL', async () => {
	const [sliced, whole] = [await seeded(sqliteFile(), 12_000), await seeded(await newDatabase(), 12_000)];
	for (const [name, read] of Object.entries(views)) {
		const figures = sorted(await read(sliced.db));
		expect(figures, name).toEqual(sorted(await read(whole.db)));
		expect(JSON.stringify(figures).length, name).toBeGreaterThan(150);
	}
	expect((await statementsOf(whole.db, views['the paths'] as (typeof views)[string])).length).toBe(2);
	await Promise.all([sliced.close(), whole.close()]);
});

it('the event loop turns between two slices, also of two lists that are read at once', async () => {
	const ledger = await seeded('sqlite::memory:', 7000);
	const order: string[] = [];
	let isReading = true;
	const others = (async () => {
		for (; isReading; await setImmediate()) order.push('other');
	})();
	const read = async () => {
		for await (const slice of slicesOf(ledger.db, frame)) order.push(slice.until > slice.since ? 'slice' : 'empty');
	};
	await Promise.all([read(), read()]);
	isReading = false;
	await others;
	expect(order.filter((each) => each === 'slice')).toHaveLength(8);
	for (const [at, each] of order.entries()) if (each === 'slice') expect(order[at + 1] ?? 'other').toBe('other');
	await ledger.close();
});

it('slices hold each request once, forward and backward, and those of one millisecond stay together', async () => {
	const ledger = await openLedger('sqlite::memory:', { retentionDays: 4000 });
	const times = Array.from({ length: 2 * maxSliceRows }, (_, index) => until - 1000 + (index % 4));
	for (const at of [...times, until - 1, frame.since]) ledger.record({ ...sampleEntry, at });
	await ledger.flush();
	for (const isBackward of [false, true]) {
		const counts: number[] = [];
		for await (const { since, until: end } of slicesOf(ledger.db, frame, { isBackward })) {
			const requests = ledger.db.selectFrom('gateway_request').where('at', '>=', since).where('at', '<', end);
			counts.push((await requests.select('id').execute()).length);
		}
		expect(counts.reduce((all, count) => all + count, 0)).toBe(times.length + 2);
		expect(Math.max(...counts)).toBeLessThanOrEqual(maxSliceRows);
	}
	await ledger.close();
});

it('a list ends at the next slice when all who wait for it have left, and is read once for all', async () => {
	const ledger = await seeded('sqlite::memory:', 9000);
	const kept = new KeptFigures(2000, () => until);
	let slices = 0;
	let readings = 0;
	const read = async (signal: AbortSignal) => {
		readings++;
		for await (const _ of slicesOf(ledger.db, frame, { signal })) slices++;
		return slices;
	};
	const [one, other] = [new AbortController(), new AbortController()];
	const both = [one, other].map(({ signal }) => kept.of(['list'], read, signal));
	one.abort();
	expect(await Promise.all(both)).toEqual([5, 5]);
	expect(await kept.of(['list'], read)).toBe(5);
	expect(readings).toBe(1);
	const leaving = new AbortController();
	const left = kept.of(['another list'], read, leaving.signal);
	leaving.abort();
	await expect(left).rejects.toThrow('aborted');
	expect(slices).toBe(5);
	expect(await kept.of(['another list'], read)).toBe(10);
	await ledger.close();
});
