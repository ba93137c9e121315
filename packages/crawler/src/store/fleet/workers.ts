import { compiledOnce } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import { judgeAnew } from '../frontier/scope-expansions.ts';
import type { HostTable } from '../leases/hosts.ts';
import type { Visit } from '../roles/commit.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import { type Membership, silence } from './membership.ts';
import type { Others } from './watch.ts';

interface Tools {
	readonly dialect: StoreDialect;
	readonly membership: Membership;
	readonly hosts: HostTable;
	/** Milliseconds, what the row of a worker says. */
	readonly lease: number;
	readonly now: () => number;
}

/** Places for documents that a worker wants. */
export interface Reservation {
	readonly run: number;
	/** Documents that the run may bring. */
	readonly most: number;
	/** A negative number gives places back. */
	readonly wanted: number;
	/** Documents in other databases of the crawl. */
	readonly elsewhere?: (() => Promise<number>) | undefined;
}

/** The workers of a store: who is alive, what each has brought and wants, and what becomes of what one leaves. */
export class WorkerTable {
	readonly #tools: Tools;

	constructor(tools: Tools) {
		this.#tools = tools;
	}

	/** When the next of the others is to be taken for dead. */
	async observe(db: Db): Promise<Others> {
		const { dialect, membership, lease, now } = this.#tools;
		const worker = await membership.join();
		const left = sql`min(${dialect.diesAt(lease)}) - ${dialect.now(now())}`;
		const { rows } = await sql<{ left: number | null; before: number }>`select ${left} as left,
			count(case when id < ${worker} then 1 end) as before from crawl_worker where id <> ${worker}`.execute(db);
		const [others] = rows;
		if (others?.left == null) return { left: undefined, before: 0 };
		const { judgesIn } = membership;
		return { left: judgesIn > 0 ? Math.max(others.left, judgesIn) : others.left, before: Number(others.before) };
	}

	/** How many others are alive and work on a run. */
	async others(db: Db): Promise<number> {
		const { rows } = await sql<{ count: number }>`select count(*) as count ${await this.#fromOthers()}`.execute(db);
		return Number(rows[0]?.count ?? 0);
	}

	/** The same, and whether any URL waits, in one statement: workers without work ask for it again and again. */
	async unfinished(db: Db): Promise<{ waits: boolean; others: number }> {
		const { rows } = await sql<{ count: number; waits: number }>`select count(*) as count,
			(select 1 from url where state = 0 limit 1) as waits ${await this.#fromOthers()}`.execute(db);
		return { waits: rows[0]?.waits === 1, others: Number(rows[0]?.count ?? 0) };
	}

	async #fromOthers(): Promise<RawBuilder<unknown>> {
		const worker = await this.#tools.membership.join();
		return sql`from crawl_worker
			where id <> ${worker} and run is not null and not (${this.#isDead(this.#tools.now())})`;
	}

	/** Takes back what the dead have held; returns whether there were any. */
	async takeOver(tx: Db, worker: number, at: number): Promise<boolean> {
		const { dialect, lease } = this.#tools;
		const { rows } = await sql<{ id: number }>`select id from crawl_worker
			where id <> ${worker} and ${this.#isDead(at)} ${dialect.skipLocked}`.execute(tx);
		if (rows.length === 0) return false;
		const dead = rows.map(({ id }) => id);
		await this.#remove(tx, dead, dialect.askedUntil(at, Math.floor(lease * silence)));
		return true;
	}

	/** The worker leaves. */
	async resign(tx: Db, worker: number): Promise<void> {
		await this.#remove(tx, [worker], this.#tools.dialect.now(this.#tools.now()));
	}

	async joinRun(tx: Db, worker: number, run: number): Promise<void> {
		await tx.updateTable('crawl_worker').set({ run }).where('id', '=', worker).execute();
	}

	/** It has come to the end of its run, and has no hosts any more. */
	async leaveRun(tx: Db, worker: number, at: number): Promise<void> {
		await this.#tools.hosts.releaseAll(tx, [worker], this.#tools.dialect.now(at));
		await this.#addUp(tx, [worker]);
	}

	/** @param hosts how many it would visit now if it had them */
	async want(tx: Db, worker: number, hosts: number): Promise<void> {
		await sql`update crawl_worker set wants = ${hosts} where id = ${worker} and wants <> ${hosts}`.execute(tx);
	}

	/** Hosts that the others want. */
	async wanted(db: Db): Promise<number> {
		const { dialect, membership, now } = this.#tools;
		const worker = await membership.join();
		const { rows } = await sql<{ wanted: number | null }>`select sum(wants) as wanted from crawl_worker
			where id <> ${worker} and expires_at >= ${dialect.now(now())}`.execute(db);
		return Number(rows[0]?.wanted ?? 0);
	}

	/** Documents that a run has brought so far. */
	async brought(db: Db, run: number): Promise<number> {
		const { rows } = await sql<{ documents: number }>`select documents + coalesce((select sum(documents)
			from crawl_worker where run = ${run}), 0) as documents from crawl_run where id = ${run}`.execute(db);
		return Number(rows[0]?.documents ?? 0);
	}

	/** Takes places for `wanted` of the `most` documents that a run may bring; a negative number gives places back. */
	async reserve(
		tx: Db,
		worker: number,
		{ run, most, wanted, elsewhere }: Reservation,
	): Promise<{ granted: number; exhausted: boolean }> {
		// One worker at a time counts.
		await sql`update crawl_run set documents = documents where id = ${run}`.execute(tx);
		const { rows } = await sql<{ brought: number; reserved: number }>`
			select run.documents + coalesce(sum(crawl_worker.documents), 0) as brought,
				coalesce(sum(crawl_worker.reserved), 0) as reserved
			from crawl_run as run left join crawl_worker on crawl_worker.run = run.id
			where run.id = ${run} group by run.id, run.documents`.execute(tx);
		const [{ brought, reserved } = { brought: most, reserved: 0 }] = rows;
		// After the reservations: a document that others have just brought counts twice rather than not at all.
		const all = brought + ((await elsewhere?.()) ?? 0);
		const granted = Math.min(wanted, Math.max(0, most - all - reserved));
		// A worker that returns more places than its row has lost an earlier row with its places.
		await sql`update crawl_worker
			set reserved = case when reserved > ${-granted} then reserved + ${granted} else 0 end where id = ${worker}`.execute(
			tx,
		);
		return { granted, exhausted: all >= most };
	}

	/** In the row of the worker, so that no other worker waits for a lock; added up when the worker leaves. */
	async countDocuments(tx: Db, worker: number, visits: readonly Visit[]): Promise<void> {
		const count = visits.filter(({ document }) => document).length;
		if (count === 0) return;
		await addDocuments(tx, { worker, count });
	}

	/** Whether the worker of a row of `crawl_worker` is to be taken for dead. */
	#isDead(at: number): RawBuilder<boolean> {
		const { dialect, membership, lease } = this.#tools;
		if (membership.judgesIn > 0) return sql`false`;
		return sql`${dialect.diesAt(lease)} < ${dialect.now(at)}`;
	}

	/**
	 * A worker that leaves early may have committed links that a wider scope includes: the others check these
	 * again.
	 *
	 * @param askedUntil when they may have asked for something last
	 */
	async #remove(tx: Db, workers: readonly number[], askedUntil: RawBuilder<number>): Promise<void> {
		const working = await tx
			.selectFrom('crawl_worker')
			.select('id')
			.where('id', 'in', workers)
			.where('run', 'is not', null)
			.limit(1)
			.executeTakeFirst();
		if (working !== undefined) await judgeAnew(tx);
		await this.#addUp(tx, workers);
		await this.#tools.hosts.releaseAll(tx, workers, askedUntil);
		await tx.deleteFrom('crawl_worker').where('id', 'in', workers).execute();
	}

	/** Adds the counts of leaving workers to their runs. */
	async #addUp(tx: Db, workers: readonly number[]): Promise<void> {
		const their = sql`from crawl_worker where crawl_worker.run = crawl_run.id and crawl_worker.id in (${sql.join(workers)})`;
		await sql`update crawl_run set documents = documents + (select sum(crawl_worker.documents) ${their})
			where exists (select 1 ${their})`.execute(tx);
		await tx
			.updateTable('crawl_worker')
			.set({ run: null, documents: 0, wants: 0, reserved: 0 })
			.where('id', 'in', workers)
			.execute();
	}
}

const addDocuments = compiledOnce((db: Db, { worker, count }: { worker: number; count: number }) =>
	sql`update crawl_worker set documents = documents + ${count},
		reserved = case when reserved > ${count} then reserved - ${count} else 0 end where id = ${worker}`.compile(db),
);
