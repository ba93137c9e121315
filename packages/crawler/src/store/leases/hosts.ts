import { compiledOnce } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import type { HostRecord } from '../roles/leases.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import { type HostRow, toHost } from './host-row.ts';

/**
 * A URL of this row of `host` waits for a visit. Not `exists`, which PostgreSQL would turn into a join with all URLs that
 * wait anywhere.
 */
const hasWaiting = sql<boolean>`(select 1 from url where url.host = host.id and url.state = 0 limit 1) is not null`;

/**
 * A worker has the host that was found by its number. Not `=`, for which databases may go through all hosts that the
 * worker has, up to a thousand, in search of that one.
 */
const isHeldBy = (worker: number) => sql<boolean>`holder is not distinct from ${worker}`;

/** The latest time that a column holds. */
const latest = 8.64e15;

/**
 * The hosts of a store, one worker at a time for each. Clocks go in and out relative to now: a worker whose own clock
 * is wrong keeps the pauses all the same.
 */
export class HostTable {
	readonly #dialect: StoreDialect;
	readonly #now: () => number;

	constructor(dialect: StoreDialect, now: () => number) {
		this.#dialect = dialect;
		this.#now = now;
	}

	/** Whether a host waits for a worker. */
	async anyWaits(db: Db, except: readonly number[]): Promise<boolean> {
		const others = except.length === 0 ? sql`` : sql`and id not in (${sql.join(except)})`;
		const { rows } = await sql`select 1 from host where ready_at is not null ${others}
			order by ready_at, id limit 1`.execute(db);
		return rows.length > 0;
	}

	/** Up to `limit` hosts that wait, those first that may be visited first. */
	async claim(tx: Db, worker: number, limit: number, except: readonly number[]): Promise<HostRecord[]> {
		const own = this.#now();
		const others = except.length === 0 ? sql`` : sql`and id not in (${sql.join(except)})`;
		const { rows } = await sql<HostRow>`
			with chosen as (
				select id from host where ready_at is not null ${others} order by ready_at, id limit ${limit} ${this.#dialect.skipLocked}
			)
			update host set holder = ${worker}, ready_at = null from chosen where host.id = chosen.id
			returning host.id, name, next_at, https, delay, ${this.#dialect.now(own)} as now`.execute(tx);
		return rows.map((row) => toHost(row, this.#after(own))).sort((a, b) => a.nextAt - b.nextAt || a.id - b.id);
	}

	/** One host; undefined if another worker holds it. */
	async claimOne(tx: Db, worker: number, id: number): Promise<HostRecord | undefined> {
		const own = this.#now();
		const { rows } = await sql<HostRow>`
			update host set holder = ${worker}, ready_at = null where id = ${id} and holder is null
			returning id, name, next_at, https, delay, ${this.#dialect.now(own)} as now`.execute(tx);
		return rows[0] && toHost(rows[0], this.#after(own));
	}

	/** The time of arrival of a response, for times that are relative to the time of its request. */
	#after(own: number): number {
		return this.#dialect.shared ? this.#now() : own;
	}

	/** Saves the clocks. */
	async save(tx: Db, worker: number, hosts: Iterable<HostRecord>): Promise<void> {
		const own = this.#now();
		const rows = [...hosts].map((host) => toRow(host, own));
		if (rows.length === 0) return;
		await saveClocks(tx, { own, worker, json: this.#dialect.json(rows) }, this.#dialect);
	}

	/** Gives a host back. */
	async release(tx: Db, worker: number, host: HostRecord): Promise<void> {
		const own = this.#now();
		const { i, w, s, d } = toRow(host, own);
		const nextAt = sql`${this.#dialect.now(own)} + ${w}`;
		await sql`update host set holder = null, next_at = ${nextAt}, https = ${s}, delay = ${d},
			ready_at = case when ${hasWaiting} then ${nextAt} end where id = ${i} and ${isHeldBy(worker)}`.execute(tx);
	}

	/** Lets the delays of hosts begin now, where they would end before. */
	async restart(tx: Db, hosts: readonly number[]): Promise<void> {
		if (hosts.length === 0) return;
		const rested = sql`${this.#dialect.now(this.#now())} + delay`;
		await sql`update host set next_at = ${rested}, ready_at = case when ready_at is not null then ${rested} end
			where id in (${sql.join(hosts)}) and next_at < ${rested}`.execute(tx);
	}

	/** Gives back all hosts of workers who leave or have died, with clocks that tell of requests until `askedUntil`. */
	async releaseAll(tx: Db, workers: readonly number[], askedUntil: RawBuilder<number>): Promise<void> {
		const ids = sql.join(workers);
		const rested = sql`${askedUntil} + delay`;
		await sql`update host set next_at = ${rested} from crawl_worker
			where holder in (${ids}) and crawl_worker.id = holder and next_at < ${rested}`.execute(tx);
		await sql`update host set holder = null, ready_at = case when ${hasWaiting} then next_at end
			where holder in (${ids})`.execute(tx);
	}

	/**
	 * URLs were added to hosts. They are committed first and checked then: a worker that gives such a host back at the
	 * same time does the same, so that one of the two sees the other.
	 */
	async wake(db: Db, hosts: readonly number[]): Promise<void> {
		if (hosts.length === 0) return;
		const json = this.#dialect.json(hosts.map((i) => ({ i })));
		const rows = sql`(select cast(row.value->>'i' as bigint) from ${this.#dialect.rows(json)})`;
		await sql`update host set ready_at = next_at
			where id in ${rows} and holder is null and ready_at is null and ${hasWaiting}`.execute(db);
	}

	/** The same for all hosts, for when anything may have happened. */
	async wakeAll(db: Db): Promise<void> {
		await sql`update host set ready_at = next_at where holder is null and ready_at is null and ${hasWaiting}`.execute(
			db,
		);
	}
}

const saveClocks = compiledOnce(
	(db: Db, { own, worker, json }: { own: number; worker: number; json: string }, dialect: StoreDialect) =>
		sql`update host set next_at = ${dialect.now(own)} + cast(row.value->>'w' as bigint),
				https = cast(row.value->>'s' as integer), delay = cast(row.value->>'d' as bigint)
			from ${dialect.rows(json)} where host.id = cast(row.value->>'i' as bigint) and ${isHeldBy(worker)}`.compile(db),
);

function toRow({ id, nextAt, https, delay = 0 }: HostRecord, own: number) {
	return { i: id, w: Math.round(Math.min(nextAt, latest) - own), s: https ? 1 : 0, d: Math.round(delay) };
}
