import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseKind, migrate, openDatabase } from '@wayleave/io/sql';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { type CountedAgent, countedOverviewOf, groupings, trafficOf } from '../report/counted.ts';
import type { RequestFilter } from '../report/filter.ts';
import { overviewOf } from '../report/overview.ts';
import { namedTimeframe, sliceStarts, type Timeframe } from '../report/timeframe.ts';
import { sampleEntry as sample } from '../testing/sample-entry.ts';
import { seededEntries, seedLedger } from '../testing/seeded-ledger.ts';
import { statementsOf } from '../testing/statements.ts';
import { otherAgents } from './counts.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { entryColumns, type LedgerSchema, ledgerMigrations } from './schema.ts';

const until = Date.UTC(2026, 10, 30, 12, 20);
const about = { site: 'https://harbour.example', observing: false };
const frames = ['24h', '7d', '30d'].map((name) => [name, namedTimeframe(name, until) as Timeframe] as const);
const newStore = {
	SQLite: async () => `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-counts-')), 'ledger.db')}`,
	PostgreSQL: newDatabase,
};

async function seeded(name: keyof typeof newStore, entries: number): Promise<Ledger> {
	const ledger = await openLedger(await newStore[name](), { retentionDays: 4000 });
	await seedLedger(ledger, entries, until);
	return ledger;
}

/** The evidence of an agent is that of its latest request, whatever the filter. */
const withoutWhy = ({ why, ...agent }: CountedAgent) => agent;

/** The figures of single requests: a filter by path has no counts, and every path begins with nothing. */
const single = { path: '' };

const whysOf = (agents: readonly CountedAgent[]) => agents.map(({ why }) => why).sort();

async function bothOf(db: Kysely<LedgerSchema>, frame: Timeframe, filter: RequestFilter) {
	const counted = await countedOverviewOf(db, frame, about, filter);
	const { agents, ...rest } = await overviewOf({ db, period: frame, filter }, about, sliceStarts(frame).length);
	const read = agents.map(({ clients, first, overfetched, ...agent }) => agent);
	if (Object.keys(filter).length === 0) expect(whysOf(counted.agents)).toEqual(whysOf(read));
	const sort = (list: readonly object[]) =>
		[...list].map((each) => JSON.stringify(each, Object.keys(each).sort())).sort();
	return [
		{ ...counted, agents: sort(counted.agents.map(withoutWhy)) },
		{ ...rest, agents: sort(read.map(withoutWhy)) },
	];
}

describe.each(['SQLite', 'PostgreSQL'] as const)('the counts of a ledger in %s', (name) => {
	it('give the same figures as the single requests, for each period and filter', async () => {
		const ledger = await seeded(name, 3000);
		const filters: RequestFilter[] = [
			{},
			{ agent: 'gptbot' },
			{ agent: null },
			{ outcome: 'spoofed' },
			{ status: 4 },
			{ denied: true },
			{ actions: ['som', 'represent'] },
			{ purpose: 'assistant' },
			{ operator: 'OpenAI' },
			{ operator: '' },
			{ category: 'data-harvester' },
		];
		for (const [, frame] of frames)
			for (const filter of filters) {
				const [counted, read] = await bothOf(ledger.db, frame, filter);
				expect(counted, JSON.stringify(filter)).toEqual(read);
			}
		for (const [, frame] of frames)
			for (const by of groupings)
				expect(await trafficOf(ledger.db, frame, by)).toEqual(await trafficOf(ledger.db, frame, by, single));
		const { totals } = await countedOverviewOf(ledger.db, frames[2]?.[1] as Timeframe, about);
		expect(totals.requests).toBeGreaterThan(2800);
		await ledger.close();
	});

	it('a ledger from before there were counts opens, and gives the same figures', async () => {
		const store = await newStore[name]();
		const old = openDatabase<LedgerSchema>(store);
		await migrate(old, ledgerMigrations.slice(0, 2), { component: 'gateway' });
		const columns = Object.entries(entryColumns);
		for (const entry of seededEntries(400, until)) {
			const row = Object.fromEntries(columns.map(([member, column]) => [column, entry[member as keyof typeof entry]]));
			await old
				.insertInto('gateway_request')
				.values(row as never)
				.execute();
		}
		await old.destroy();
		const [migrated, written] = [await openLedger(store), await seeded(name, 400)];
		const counts = async ({ db }: Ledger) =>
			(await db.selectFrom('gateway_count').selectAll().execute()).map((row) => JSON.stringify(row)).sort();
		expect(await counts(migrated)).toEqual(await counts(written));
		expect((await counts(migrated)).length).toBeGreaterThan(400);
		for (const [, frame] of frames) {
			const [counted, read] = await bothOf(migrated.db, frame, {});
			expect(counted).toEqual(read);
		}
		await Promise.all([migrated.close(), written.close()]);
	});

	it('are added to by several writers, and are gone with the requests', async () => {
		const store = await newStore[name]();
		const ledgers = [await openLedger(store), await openLedger(store, { retentionDays: 2, now: () => until })];
		for (const ledger of ledgers) for (let at = 0; at < 60; at++) ledger.record({ ...sample, at: until - at });
		for (const ledger of ledgers) await ledger.flush();
		const [first, second] = ledgers as [Ledger, Ledger];
		const rows = first.db.selectFrom('gateway_count').select(['length', 'requests']).orderBy('length');
		expect(await rows.execute()).toEqual([
			{ length: 3_600_000, requests: 120 },
			{ length: 86_400_000, requests: 120 },
		]);
		first.record({ ...sample, at: until - 9 * 86_400_000 });
		await first.flush();
		expect(await rows.execute()).toHaveLength(4);
		expect(await second.prune()).toBe(1);
		expect(await rows.execute()).toHaveLength(2);
		for (const ledger of ledgers) await ledger.close();
	});

	it('do not grow with each name that a client makes up', async () => {
		const ledger = await openLedger(await newStore[name]());
		for (let index = 0; index < 1200; index++) ledger.record({ ...sample, at: until, agent: `Bot${index}` });
		await ledger.flush();
		const rows = await ledger.db.selectFrom('gateway_count').select(['agent', 'requests']).execute();
		expect(rows).toHaveLength(2 * 1001);
		expect(rows.filter(({ agent }) => agent === otherAgents)).toEqual([
			{ agent: otherAgents, requests: 200 },
			{ agent: otherAgents, requests: 200 },
		]);
		await ledger.close();
	});
});

/** The first view: the overview, and its chart by agent. */
const firstView = (frame: Timeframe) => (db: Kysely<LedgerSchema>) =>
	Promise.all([countedOverviewOf(db, frame, about), trafficOf(db, frame, 'agent')]);

interface PlanNode {
	readonly 'Node Type': string;
	readonly 'Relation Name'?: string;
	readonly 'Actual Rows': number;
	readonly 'Actual Loops': number;
	readonly 'Rows Removed by Filter'?: number;
	readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Rows that PostgreSQL reads for the first view, by table. */
async function rowsRead(db: Kysely<LedgerSchema>, frame: Timeframe): Promise<Record<string, number>> {
	await sql`analyze gateway_request`.execute(db);
	await sql`analyze gateway_count`.execute(db);
	const read: Record<string, number> = {};
	for (const statement of await statementsOf(db, firstView(frame))) {
		const explain = CompiledQuery.raw(`explain (analyze, format json) ${statement.sql}`, [...statement.parameters]);
		const { rows: plans } = await db.executeQuery<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(explain);
		const plan = plans[0]?.['QUERY PLAN'][0]?.Plan;
		if (plan === undefined) throw new Error(`no plan for ${statement.sql}`);
		for (const node of nodesOf(plan)) {
			const table = node['Relation Name'];
			const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
			if (table !== undefined) read[table] = (read[table] ?? 0) + rows;
		}
	}
	return read;
}

describe('the first view', () => {
	it('reads no more rows from a ledger with twice as many requests of the same kinds', async () => {
		const [once, twice] = [await seeded('PostgreSQL', 5_000), await seeded('PostgreSQL', 5_000)];
		for (const entry of seededEntries(5_000, until)) twice.record(entry);
		await twice.flush();
		const sizeOf = async ({ db }: Ledger) => (await db.selectFrom('gateway_count').select('at').execute()).length;
		const kinds = await sizeOf(once);
		expect(await sizeOf(twice)).toBe(kinds);
		for (const [name, frame] of frames) {
			const [few, many] = [await rowsRead(once.db, frame), await rowsRead(twice.db, frame)];
			// Three statements read counts, each at most all of them: a small table PostgreSQL may read as a whole.
			for (const read of [few, many]) {
				expect(read.gateway_count, name).toBeGreaterThan(300);
				expect(read.gateway_count, name).toBeLessThanOrEqual(3 * kinds);
			}
			// The latest request of each of 14 agents, found by an index.
			expect(Math.max(few.gateway_request ?? 0, many.gateway_request ?? 0)).toBeLessThan(14 * 30);
		}
		await Promise.all([once.close(), twice.close()]);
	});

	it('reads single requests from SQLite only by index, one for each agent', async () => {
		const ledger = await seeded('SQLite', 500);
		expect(databaseKind(ledger.db)).toBe('sqlite');
		const plans = [];
		for (const [, frame] of frames)
			for (const statement of await statementsOf(ledger.db, firstView(frame))) {
				const explain = CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters]);
				const { rows } = await ledger.db.executeQuery<{ detail: string }>(explain);
				plans.push(...rows.map(({ detail }) => detail).filter((detail) => detail.includes('gateway_')));
			}
		expect([...new Set(plans)].sort()).toEqual([
			'SEARCH gateway_count USING INDEX sqlite_autoindex_gateway_count_1 (length=? AND at>? AND at<?)',
			'SEARCH gateway_request USING INDEX gateway_request_agent (agent=? AND outcome=?)',
		]);
		await ledger.close();
	});
});
