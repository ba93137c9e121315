import { setTimeout as sleep } from 'node:timers/promises';
import { steadyClock, systemClock } from '../../base/clock.ts';
import { defaultLease, Membership, rowLease, silence } from '../fleet/membership.ts';
import { WorkerTable } from '../fleet/workers.ts';
import { Ids } from '../frontier/host-ids.ts';
import type { Neighbours } from '../frontier/outbox.ts';
import { HostTable } from '../leases/hosts.ts';
import { inlineBodies } from '../pages/document-bodies.ts';
import type { Visit } from '../roles/commit.ts';
import type { StoreOptions } from '../roles/store.ts';
import type { DocumentBodies } from '../schema/access.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import type { Db } from '../schema/tables.ts';
import { OutageRetry } from './outage-retry.ts';
import { Transactions } from './transactions.ts';

export interface SessionOptions extends StoreOptions {
	readonly neighbours?: Neighbours;
	/** The caller opens the place of the documents, which it does not know yet. */
	readonly documentsLater?: boolean;
	/** Workers of the version before use the store: what only they need is still there. */
	readonly isUpgrading?: boolean;
}

/** State shared by the roles of one open store: its connections, this worker, and its run. */
export class StoreSession {
	readonly db: Db;
	/** Where several databases share the hosts. */
	readonly neighbours: Neighbours | undefined;
	readonly dialect: StoreDialect;
	/** Changes once, before the first use, when the place of the documents is opened. */
	bodies: DocumentBodies = inlineBodies;
	/** Milliseconds that the row of a worker says. */
	readonly lease: number;
	readonly now: () => number;
	/** For the times of hosts and workers, and for retries. */
	readonly pace: () => number;
	readonly ids = new Ids();
	readonly hosts: HostTable;
	readonly workers: WorkerTable;
	/** Hosts that this worker holds, as far as it knows. */
	readonly held = new Set<number>();
	/** 0 before the first run. */
	run = 0;
	/** Whether the store has watched pages: what is removed of a page is then removed there too. */
	isWatched: boolean | undefined;
	readonly #outageRetry: OutageRetry;
	readonly #membership: Membership;
	readonly #transactions: Transactions;
	/** Hosts that this worker held when the database went back in time. */
	readonly #visitedLast = new Set<number>();

	/** @param onBeat renews the lease, and looks for workers that died */
	constructor(db: Db, dialect: StoreDialect, options: SessionOptions, onBeat: () => Promise<void>) {
		const { clock, patience = 600_000, onTrouble = () => {} } = options;
		const lease = rowLease(options.lease ?? defaultLease);
		const pace = () => (clock ?? steadyClock).now();
		this.db = db;
		this.neighbours = options.neighbours;
		this.dialect = dialect;
		this.lease = lease;
		this.now = () => (clock ?? systemClock).now();
		this.pace = pace;
		this.#outageRetry = new OutageRetry(patience, lease, onTrouble);
		this.#membership = new Membership(db, dialect, lease, onBeat);
		this.#transactions = new Transactions({
			db,
			dialect,
			outageRetry: this.#outageRetry,
			membership: this.#membership,
			// A run has to be told, by `recover`.
			mayRejoin: () => this.held.size === 0 && this.run === 0,
			onUndone: () => this.#onUndone(),
		});
		this.hosts = new HostTable(dialect, pace);
		this.workers = new WorkerTable({ dialect, membership: this.#membership, hosts: this.hosts, lease, now: pace });
	}

	/** Whether this worker was taken for dead: its next write says so. */
	get isLost(): boolean {
		return this.#membership.lost;
	}

	/** Whether there is a watched page; looked up once. */
	async watches(): Promise<boolean> {
		this.isWatched ??= (await this.read((db) => db.selectFrom('watched').select('url').limit(1).execute())).length > 0;
		return this.isWatched;
	}

	/** Rows may have other numbers now; hosts that were held may have been asked for something after the last commit. */
	#onUndone(): void {
		this.ids.forget();
		if (!this.#membership.wentBack) return;
		this.isWatched = undefined;
		for (const host of this.held) this.#visitedLast.add(host);
	}

	/**
	 * After the database went back in time: waits until every other worker has noticed it or has no request in flight, and
	 * lets the delays of the hosts of this worker begin again.
	 */
	async awaitOthers(): Promise<void> {
		if (!this.#membership.wentBack) return;
		await sleep(this.lease * (1 - silence));
		const hosts = [...this.#visitedLast];
		this.#visitedLast.clear();
		await this.write((tx) => this.hosts.restart(tx, hosts));
	}

	/** For single statements. */
	read<Value>(work: (db: Db) => Promise<Value>): Promise<Value> {
		return this.#transactions.read(work);
	}

	/** For a transaction: all of it or nothing. */
	write<Value>(work: (tx: Db, worker: number) => Promise<Value>): Promise<Value> {
		return this.#transactions.write(work);
	}

	/** Tools for functions on tables, besides the database. */
	tools() {
		const { dialect, ids, workers, run, neighbours } = this;
		return { dialect, ids, workers, run, elsewhere: neighbours?.elsewhere, own: this.pace() };
	}

	/** Marks hosts as ready to be claimed, after URLs were found for them. */
	wake(hosts: readonly number[]): Promise<void> {
		return this.#transactions.insist(() => this.read((db) => this.hosts.wake(db, hosts)));
	}

	/** The same for all hosts: a worker that died may have found URLs without waking their hosts. */
	wakeAll(): Promise<void> {
		return this.#transactions.insist(() => this.read((db) => this.hosts.wakeAll(db)));
	}

	/** Creates the rows that a transaction refers to beforehand, so that no other transaction waits for it. */
	async number(visits: readonly Pick<Visit, 'found' | 'target' | 'evidence'>[]): Promise<void> {
		const found = visits.flatMap((visit) => visit.found.filter(({ ending }) => ending === undefined));
		const targets = visits.flatMap(({ target }) => target?.url ?? []);
		const hosts = [...found, ...targets].map(({ host }) => host);
		const names = new Set(hosts.filter((host) => this.neighbours?.elsewhere(host) === undefined));
		await this.read(async (db) => {
			for (const name of names) await this.ids.host(db, name);
			for (const { evidence } of visits) if (evidence !== undefined) await this.ids.evidence(db, evidence);
		});
	}

	/** See `Leases.assure`. */
	async assure(): Promise<AbortSignal | undefined> {
		if (!this.#membership.sure) await this.write(async () => {});
		return this.#membership.holding;
	}

	/** A single statement that does not wait for a server that is away. @throws DatabaseError */
	readAtOnce<Value>(work: (db: Db) => Promise<Value>): Promise<Value> {
		return work(this.db);
	}

	/** The number of this worker; undefined if it has none yet. */
	async worker(): Promise<number | undefined> {
		return this.#membership.joined ? this.#membership.join() : undefined;
	}

	/** Stops renewing the lease, and waiting for a server that is away. */
	async stop(): Promise<void> {
		this.#outageRetry.close();
		await this.#membership.stop();
	}

	/** Gives back hosts that are still held; the next worker leaves them alone for their delay. */
	async resign(): Promise<void> {
		const worker = await this.worker();
		if (worker !== undefined) await this.db.transaction().execute((tx) => this.workers.resign(tx, worker));
	}
}
