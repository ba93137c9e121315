import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { compiledOnce, isUnreachable } from '@wayleave/io/sql';
import { type RawBuilder, sql } from 'kysely';
import { CrawlError } from '../../base/errors.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { workerSchema } from '../schema/migrations.ts';
import type { Db } from '../schema/tables.ts';
import { type DatabasePosition, type Fenced, Lineage } from './lineage.ts';

/**
 * The part of a lease in a worker's row; the rest is for workers that take over, so that its hosts continue within
 * the lease, and is not only freed at its end.
 */
export const rowLease = (lease: number): number => Math.round((lease * 4) / 5);
/** Parts of that without a renewal: after the first no request begins, after the second none is in flight. */
const begins = 1 / 2;
const goesOn = 3 / 4;
/** The rest: a worker declared dead has sent nothing in this last part of its lease. */
export const silence = 1 - goesOn;
/** Renewals within a lease, when nothing else renews it. */
const renewals = 4;

/** As many requests as are in flight listen to it: that is no leak. */
function endsMany(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}

/**
 * This process among those that crawl with the store. All its hosts hang on one lease, its row in `crawl_worker`, which
 * every transaction renews: it writes only while the row is there, and a worker that takes its hosts away removes the
 * row first.
 */
export class Membership {
	readonly #db: Db;
	readonly #dialect: StoreDialect;
	readonly #lease: number;
	readonly #onBeat: () => Promise<void>;
	#joining: Promise<number> | undefined;
	#timer: NodeJS.Timeout | undefined;
	#beating: Promise<void> | undefined;
	/** When the last renewal that was committed began, by the steady clock of the process. */
	#renewedAt = Number.NEGATIVE_INFINITY;
	/** Since when others may be taken for dead, by the same clock. */
	#judgesFrom = 0;
	#lost = false;
	#lastWrite = 0;
	/** Writes under way: when they began, and whether a later one has found that they took place. */
	readonly #writes = new Map<number, { readonly began: number; readonly commits: number; tookPlace: boolean }>();
	/** Of its row: no other worker has it, not even after a backup was restored, when numbers are given again. */
	readonly #name = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`;
	readonly #lineage = new Lineage();
	/** Columns of a fence that tell the position of the database; undefined where the server does not tell. */
	#position: RawBuilder<unknown> | undefined;
	#wentBack = false;
	#holding = endsMany();
	#ending: NodeJS.Timeout | undefined;
	#asleep: NodeJS.Immediate | undefined;

	/**
	 * @param lease milliseconds, what the row says
	 * @param onBeat renews the lease and looks after those who have died
	 */
	constructor(db: Db, dialect: StoreDialect, lease: number, onBeat: () => Promise<void>) {
		this.#db = db;
		this.#dialect = dialect;
		this.#lease = lease;
		this.#onBeat = onBeat;
	}

	/** The number of this worker, which it gets when it first needs one. */
	join(): Promise<number> {
		this.#joining ??= this.#join();
		// A worker that cannot join now may try again.
		this.#joining.catch(() => {
			this.#joining = undefined;
		});
		return this.#joining;
	}

	/** Whether there is time for another request before others could think that we have died. */
	get sure(): boolean {
		return !this.#dialect.shared || this.#within(begins) > 0;
	}

	/** Aborted when no request may be in flight any more; undefined if no other worker can take this one for dead. */
	get holding(): AbortSignal | undefined {
		if (!this.#dialect.shared) return undefined;
		if (this.#ending === undefined) this.#endInTime();
		return this.#holding.signal;
	}

	/** Milliseconds until this worker may take others for dead. */
	get judgesIn(): number {
		return Math.max(0, this.#judgesFrom - performance.now());
	}

	/** Whether it has been taken for dead. */
	get lost(): boolean {
		return this.#lost;
	}

	/** Whether it has found that the database lost commits; until it is reset. */
	get wentBack(): boolean {
		return this.#wentBack;
	}

	/** It is another worker from now on. */
	reset(): void {
		this.#stopTimers();
		this.#joining = undefined;
		this.#lost = false;
		this.#wentBack = false;
	}

	/** Whether this process is one of the workers. */
	get joined(): boolean {
		return this.#joining !== undefined;
	}

	/**
	 * The first statement of a transaction: the worker still has what it holds, and keeps it until the end of it. One at a
	 * time is behind it, so that each finds the number of the last one that was committed. That tells of a commit whose
	 * answer got lost whether it took place; PostgreSQL itself cannot, since after a crash it gives numbers of
	 * transactions that were lost to others.
	 *
	 * @returns the number of the write, which is to be settled at last
	 * @throws CrawlError `lease-lost`, or `store-in-use` where no two may share the store
	 */
	async fence(tx: Db): Promise<number> {
		const id = await this.join();
		const write = ++this.#lastWrite;
		if (!this.#dialect.shared) {
			await this.#alone(tx, id);
			return write;
		}
		const began = performance.now();
		const position = this.#position === undefined ? sql`` : sql`, ${this.#position}`;
		const { rows } = await sql<Fenced & { before: number | null }>`update crawl_worker
			set expires_at = ${this.#dialect.now(Date.now())} + ${sql.lit(this.#lease)}, write_before = write, write = ${write},
				commits = commits + 1
			where id = ${id} and name = ${this.#name} returning write_before as before, commits${position}`.execute(tx);
		const [row] = rows;
		const wentBack = row === undefined ? await this.#withoutRow(tx) : this.#lineage.compare(row);
		if (row === undefined || wentBack !== undefined) throw this.#lose(wentBack);
		// A worker that was away cannot judge others: the same outage may have kept them from renewing, so
		// they get a whole lease to come back.
		if (began - this.#renewedAt > this.#lease * begins) this.#judgesFrom = performance.now() + this.#lease;
		this.#writes.set(write, { began, commits: row.commits, tookPlace: false });
		const last = row.before === null ? undefined : this.#writes.get(row.before);
		if (last !== undefined) last.tookPlace = true;
		return write;
	}

	async #withoutRow(tx: Db): Promise<string | undefined> {
		if (this.#position === undefined) return undefined;
		const { rows } = await sql<DatabasePosition>`select ${this.#position}`.execute(tx);
		return this.#lineage.compareWithoutRow(rows[0]);
	}

	#lose(wentBack: string | undefined): CrawlError {
		this.#lost = true;
		this.#wentBack = wentBack !== undefined;
		this.#endAll();
		const expired = 'the lease of this worker expired, and other workers took its hosts';
		return new CrawlError('lease-lost', wentBack ?? expired);
	}

	/**
	 * If the lock file was deleted and another process begins, it deletes all rows.
	 * An update, which changes nothing: a transaction that began by reading could not write any more after one of theirs.
	 */
	async #alone(tx: Db, id: number): Promise<void> {
		const { numAffectedRows = 0n } = await touchWorker(tx, { id });
		if (numAffectedRows > 0n) return;
		throw new CrawlError(
			'store-in-use',
			'the lock file of the store was deleted, and another crawl started with the store: this crawl stops',
		);
	}

	/** The transaction behind the fence was committed: only now the lease is renewed. */
	committed(write: number): void {
		const done = this.#writes.get(write);
		if (done === undefined) return;
		this.#renewedAt = Math.max(this.#renewedAt, done.began);
		this.#lineage.confirm(done.commits);
	}

	/** Whether a write took place; to be asked behind the fence of a later one. */
	tookPlace(write: number): boolean {
		return this.#writes.get(write)?.tookPlace === true;
	}

	/** Forgets writes that no retry needs any more. */
	forgetWrites(writes: readonly number[]): void {
		for (const write of writes) this.#writes.delete(write);
	}

	/** Nothing renews the lease any more; resolves when nothing is about to. */
	async stop(): Promise<void> {
		this.#stopTimers();
		await this.#beating;
	}

	async #join(): Promise<number> {
		const began = performance.now();
		this.#lineage.begin(await this.#findPosition());
		const { id } = await this.#db
			.insertInto('crawl_worker')
			.values({
				name: this.#name,
				run: null,
				schema: workerSchema,
				expires_at: sql`${this.#dialect.now(Date.now())} + ${sql.lit(this.#lease)}`,
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		this.#renewedAt = began;
		if (this.#dialect.shared) {
			this.#timer = setInterval(() => this.#beat(), this.#lease / renewals);
			this.#timer.unref();
		}
		return id;
	}

	/** Servers that only speak the protocol of PostgreSQL may not tell. */
	async #findPosition(): Promise<DatabasePosition | undefined> {
		const { position } = this.#dialect;
		if (position === undefined) return undefined;
		try {
			const { rows } = await sql<DatabasePosition>`select ${position}`.execute(this.#db);
			this.#position = position;
			return rows[0];
		} catch (error) {
			if (isUnreachable(error)) throw error;
			this.#position = undefined;
			return undefined;
		}
	}

	/** One at a time: while the server is away, each of them waits for it. */
	#beat(): void {
		this.#beating ??= this.#onBeat()
			.catch(() => {}) // the next write reports it
			.finally(() => {
				this.#beating = undefined;
			});
	}

	/** Milliseconds that are left of a part of the lease. */
	#within(part: number): number {
		return this.#renewedAt + this.#lease * part - performance.now();
	}

	/** Ends what is in flight when it has to; one timer, however often the lease is renewed meanwhile. */
	#endInTime(): void {
		const left = this.#within(goesOn);
		if (left > 0) {
			this.#ending = setTimeout(() => this.#endInTime(), left);
			this.#ending.unref();
			return;
		}
		// A process that was itself asleep first takes what has come meanwhile: those answers are no requests in flight.
		this.#asleep = setImmediate(() => {
			if (this.#within(goesOn) > 0) return this.#endInTime();
			this.#ending = undefined;
			this.#endAll();
		});
	}

	#endAll(): void {
		this.#holding.abort();
		this.#holding = endsMany();
	}

	#stopTimers(): void {
		clearInterval(this.#timer);
		clearTimeout(this.#ending);
		clearImmediate(this.#asleep);
		this.#ending = undefined;
	}
}

/** Milliseconds. */
export const defaultLease = 20_000;

const touchWorker = compiledOnce((db: Db, { id }: { id: number }) =>
	db.updateTable('crawl_worker').set({ run: sql`run` }).where('id', '=', id).compile(),
);
