import { migrate } from '@wayleave/io';
import type { Kysely } from 'kysely';
import { steadyClock, systemClock } from '../../base/clock.ts';
import type { MinHashSignature } from '../../model/minhash-signature.ts';
import type { Ending, Reason } from '../../model/outcome.ts';
import type { Result } from '../../model/result.ts';
import { SqlChangeStore } from '../changes/sql-changes.ts';
import { defaultLease, Membership, rowLease } from '../fleet/membership.ts';
import { Watch } from '../fleet/watch.ts';
import { WorkerTable } from '../fleet/workers.ts';
import { addFound } from '../frontier/add-found.ts';
import { Ids } from '../frontier/host-ids.ts';
import { findComparable, loadLearned, reopenAliasesOf, reopenLeftOut } from '../frontier/learned.ts';
import { hasUnjudged, reconsiderScope, widenedBy } from '../frontier/scope-expansions.ts';
import { tallyStore } from '../frontier/tally.ts';
import { countWaiting, dueUrls, endWaiting, findUrl, isWaiting, nextDue } from '../frontier/urls.ts';
import { HostTable } from '../leases/hosts.ts';
import { isForgotten } from '../pages/forgotten.ts';
import { findLookalikes } from '../pages/near-duplicates.ts';
import { givenResults, storedResults, unvisitedResults, withoutSpent } from '../pages/results.ts';
import { documentsSince, forgetPages, loadSnapshot, pagesOf } from '../pages/site-pages.ts';
import { loadAskAnswers, saveAskAnswer } from '../policies/ask-answers.ts';
import { forgetOutages, loadPolicyFile, savePolicyFile } from '../policies/policy-files.ts';
import type { Batch, Committed, Visit } from '../roles/commit.ts';
import type {
	Ended,
	EndWhere,
	FrontierUrl,
	KnownUrl,
	NewUrl,
	RunRequest,
	RunState,
	UrlKind,
} from '../roles/frontier.ts';
import type { HostRecord } from '../roles/leases.ts';
import type {
	Comparable,
	DocumentPlace,
	GivenOptions,
	KeptDocument,
	KeptPage,
	KnownLikeness,
	SiteOf,
	SitePage,
	Snapshot,
	StoredResultsOptions,
	UnvisitedOptions,
} from '../roles/pages.ts';
import type { KeptAnswer, PolicyFile } from '../roles/policies.ts';
import type { Store, StoreOptions } from '../roles/store.ts';
import type { Tally } from '../roles/tally.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { storeComponent, storeMigrations } from '../schema/migrations.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { beginRun, endRun } from './begin-run.ts';
import { keepPage, packPage, packVisits, saveVisits } from './commit-visits.ts';
import { Endurance } from './outage-retry.ts';
import { Transactions } from './transactions.ts';

type Db = Kysely<StoreSchema>;

/** A store in an SQL database: the same statements for all of them, but for what the dialect says. */
export class SqlStore implements Store {
	readonly shared: boolean;
	readonly changes: SqlChangeStore;
	readonly #db: Db;
	readonly #dialect: StoreDialect;
	readonly #now: () => number;
	/** For the times of hosts and workers, and for those at which something is tried again. */
	readonly #pace: () => number;
	readonly #release: () => void;
	readonly #ids = new Ids();
	readonly #endurance: Endurance;
	readonly #membership: Membership;
	readonly #transactions: Transactions;
	readonly #hosts: HostTable;
	readonly #workers: WorkerTable;
	readonly #watch: Watch;
	/** What we hold, as far as we know. */
	readonly #held = new Set<number>();
	/** 0: none has begun. */
	#run = 0;
	/** To be told when hosts of others may be free; undefined while nobody is to look after them. */
	#onFreed: (() => void) | undefined;

	private constructor(db: Db, dialect: StoreDialect, options: StoreOptions, release: () => void) {
		const { clock, patience = 600_000, onTrouble = () => {} } = options;
		const lease = rowLease(options.lease ?? defaultLease);
		const pace = () => (clock ?? steadyClock).now();
		this.shared = dialect.shared;
		this.#db = db;
		this.#dialect = dialect;
		this.#now = () => (clock ?? systemClock).now();
		this.#pace = pace;
		this.#release = release;
		this.#endurance = new Endurance(patience, lease, onTrouble);
		this.#membership = new Membership(db, dialect, lease, () => this.#beat());
		this.#transactions = new Transactions({
			db,
			dialect,
			endurance: this.#endurance,
			membership: this.#membership,
			// A run has to be told, by `recover`.
			mayRejoin: () => this.#held.size === 0 && this.#run === 0,
			onUndone: () => this.#ids.forget(),
		});
		this.#hosts = new HostTable(dialect, pace);
		this.#workers = new WorkerTable({ dialect, membership: this.#membership, hosts: this.#hosts, lease, now: pace });
		this.#watch = new Watch(lease, {
			look: () => this.#read((db) => this.#workers.look(db)),
			bury: () => this.#bury(pace()),
			onFreed: () => this.#onFreed?.(),
			wake: () => this.#wakeAll(),
		});
		this.changes = new SqlChangeStore(dialect, {
			read: (work) => this.#read(work),
			write: (work) => this.#write((tx) => work(tx)),
		});
	}

	static async open(db: Db, dialect: StoreDialect, options: StoreOptions = {}): Promise<SqlStore> {
		const release = await dialect.exclude(db);
		try {
			await migrate(db, storeMigrations(dialect), { component: storeComponent });
			return new SqlStore(db, dialect, options, release);
		} catch (error) {
			release();
			throw error;
		}
	}

	#read<Value>(work: (db: Db) => Promise<Value>): Promise<Value> {
		return this.#transactions.read(work);
	}

	#write<Value>(work: (tx: Db, worker: number) => Promise<Value>): Promise<Value> {
		return this.#transactions.write(work);
	}

	async recover(at: number, onFreed: () => void = () => {}): Promise<void> {
		this.#run = 0;
		if (await this.#bury(at)) await this.#wakeAll();
		await this.#write(async (tx) => {
			await this.#dialect.lookAtAll(tx);
			if ((await this.#workers.others(tx)) === 0) await forgetOutages(tx);
		});
		if (!this.shared) return;
		this.#onFreed = onFreed;
		await this.#beat();
	}

	/** Renews the lease, and looks when that of the others is over. */
	async #beat(): Promise<void> {
		const others = await this.#write((tx) => this.#workers.look(tx));
		if (this.#onFreed !== undefined) this.#watch.see(others);
	}

	#bury(at: number): Promise<boolean> {
		return this.#write((tx, worker) => this.#workers.bury(tx, worker, at));
	}

	/** Tells that URLs were found for these hosts. */
	#wake(hosts: readonly number[]): Promise<void> {
		return this.#transactions.insist(() => this.#read((db) => this.#hosts.wake(db, hosts)));
	}

	/** All hosts are looked at: whoever died may not have said that it had found something for somebody else. */
	#wakeAll(): Promise<void> {
		return this.#transactions.insist(() => this.#read((db) => this.#hosts.wakeAll(db)));
	}

	async assure(): Promise<AbortSignal | undefined> {
		if (!this.#membership.sure) await this.#write(async () => {});
		return this.#membership.holding;
	}

	async unfinished(): Promise<boolean> {
		const waits = await this.#read(isWaiting);
		if (!waits || !this.shared) return waits;
		if ((await this.#read((db) => this.#workers.others(db))) === 0) await this.#wakeAll();
		return true;
	}

	async wanted(): Promise<number> {
		return this.shared ? this.#read((db) => this.#workers.wanted(db)) : 0;
	}

	reserve(most: number, wanted: number): Promise<{ granted: number; exhausted: boolean }> {
		return this.#write((tx, worker) => this.#workers.reserve(tx, worker, { run: this.#run, most, wanted }));
	}

	async begin(request: RunRequest): Promise<RunState> {
		const state = await this.#write(async (tx, worker) => {
			const begun = await beginRun(tx, worker, request, this.#tools());
			this.#run = begun.run;
			return begun;
		});
		await this.#wakeAll();
		return state;
	}

	async reconsider(judge: RunRequest['reconsider']): Promise<number> {
		const count = await this.#write(async (tx) => {
			await this.#dialect.lookAtAll(tx);
			return reconsiderScope(tx, this.#ids, judge);
		});
		await this.#wakeAll();
		return count;
	}

	widened(): Promise<string[]> {
		return this.#read(widenedBy);
	}

	unjudged(): Promise<boolean> {
		return this.#read(hasUnjudged);
	}

	async claimHosts(limit: number, except: readonly number[] = []): Promise<HostRecord[]> {
		const claimed = await this.#write(async (tx, worker) => {
			const hosts = await this.#hosts.claim(tx, worker, limit, except);
			if (this.shared) await this.#workers.want(tx, worker, hosts.length === 0 ? limit : 0);
			return hosts;
		});
		for (const { id } of claimed) this.#held.add(id);
		return claimed;
	}

	async claimHost(name: string): Promise<HostRecord | undefined> {
		const id = await this.#read((db) => this.#ids.host(db, name));
		const host = await this.#write((tx, worker) => this.#hosts.claimOne(tx, worker, id));
		if (host !== undefined) this.#held.add(id);
		return host;
	}

	async releaseHost(host: HostRecord): Promise<void> {
		// Before the answer, by which it may have come back already.
		this.#held.delete(host.id);
		await this.#write((tx, worker) => this.#hosts.release(tx, worker, host));
		if (this.shared) await this.#wake([host.id]);
	}

	pending(
		host: number,
		kind: UrlKind,
		now: number,
		limit: number,
		last: readonly string[] = [],
	): Promise<FrontierUrl[]> {
		return this.#read((db) => dueUrls(db, host, { kind, now, limit, last }, this.#tools()));
	}

	nextDue(host: number): Promise<number | undefined> {
		return this.#read((db) => nextDue(db, host, this.#tools()));
	}

	waiting(host: number): Promise<number> {
		return this.#read((db) => countWaiting(db, host));
	}

	find(url: string, kind: UrlKind = 'page'): Promise<KnownUrl | undefined> {
		return this.#read((db) => findUrl(db, url, kind, this.#tools()));
	}

	isForgotten(url: string): Promise<boolean> {
		return this.#read((db) => isForgotten(db, url));
	}

	snapshot(url: string): Promise<Snapshot | undefined> {
		return this.#read((db) => loadSnapshot(db, url));
	}

	async commit(batch: Batch): Promise<Committed> {
		// Outside of the transaction, which others may wait for.
		const packed = packVisits(batch.visits);
		await this.#number(batch.visits);
		const { added, byVia, hosts } = await this.#write(async (tx, worker) => {
			await this.#workers.countDocuments(tx, worker, batch.visits);
			await this.#hosts.save(tx, worker, new Set(batch.hosts));
			return saveVisits(tx, batch, packed, this.#tools());
		});
		await this.#wake(hosts);
		return { added, newLinks: batch.visits.map(({ id }) => byVia.get(id) ?? 0) };
	}

	/** Makes what a transaction refers to beforehand, so that no other one has to wait for it. */
	async #number(visits: readonly Pick<Visit, 'found' | 'target' | 'evidence'>[]): Promise<void> {
		const found = visits.flatMap((visit) => visit.found.filter(({ ending }) => ending === undefined));
		const targets = visits.flatMap(({ target }) => target?.url ?? []);
		const names = new Set([...found, ...targets].map(({ host }) => host));
		await this.#read(async (db) => {
			for (const name of names) await this.#ids.host(db, name);
			for (const { evidence } of visits) if (evidence !== undefined) await this.#ids.evidence(db, evidence);
		});
	}

	async offer(urls: readonly NewUrl[]): Promise<Committed['added']> {
		await this.#number([{ found: urls }]);
		const found = urls.map((url) => ({ url }));
		const at = this.#now();
		const { added, hosts } = await this.#write((tx) => addFound(tx, found, { ...this.#tools(), at }));
		await this.#wake(hosts);
		return added;
	}

	async keep(page: KeptPage): Promise<void> {
		const packed = packPage(page);
		await this.#read((db) => this.#ids.host(db, page.url.host));
		await this.#write((tx) => keepPage(tx, page, packed, this.#tools()));
	}

	endPending(ending: Ending, at: number, where?: EndWhere): Promise<Ended> {
		return this.#write(async (tx) => {
			if (where === undefined) await this.#dialect.lookAtAll(tx);
			return endWaiting(tx, ending, { at, run: this.#run, where });
		});
	}

	#tools() {
		return { dialect: this.#dialect, ids: this.#ids, workers: this.#workers, run: this.#run, own: this.#pace() };
	}

	pagesOf(site: SiteOf, after: string, limit: number): Promise<SitePage[]> {
		return this.#read((db) => pagesOf(db, site, after, limit));
	}

	documentsSince(place: DocumentPlace, limit: number): Promise<KeptDocument[]> {
		return this.#read((db) => documentsSince(db, place, limit));
	}

	forgetPages(site: SiteOf, url: string | undefined, limit: number): Promise<string[]> {
		return this.#write((tx) => forgetPages(tx, site, url, limit));
	}

	policyFile(url: string): Promise<PolicyFile | undefined> {
		return this.#read((db) => loadPolicyFile(db, url));
	}

	savePolicyFile(file: PolicyFile): Promise<void> {
		return this.#read((db) => savePolicyFile(db, file));
	}

	lookalikes(likeness: MinHashSignature): Promise<KnownLikeness[]> {
		return this.#read((db) => findLookalikes(db, likeness));
	}

	learned(host: number): Promise<string | undefined> {
		return this.#read((db) => loadLearned(db, host));
	}

	comparable(names: readonly string[], urls: readonly string[]): Promise<Comparable[]> {
		return this.#read((db) => findComparable(db, names, urls));
	}

	async reopen(host: number, reasons: readonly Reason[]): Promise<number> {
		const count = await this.#write((tx) => reopenLeftOut(tx, host, reasons));
		await this.#wake([host]);
		return count;
	}

	async reopenAliases(pages: readonly string[]): Promise<number> {
		const count = await this.#write((tx) => reopenAliasesOf(tx, pages));
		if (count > 0) await this.#wakeAll();
		return count;
	}

	askAnswers(origin: string, identity: string, now: number): Promise<KeptAnswer[]> {
		return this.#read((db) => loadAskAnswers(db, origin, identity, now));
	}

	saveAskAnswer(answer: KeptAnswer): Promise<void> {
		return this.#read((db) => saveAskAnswer(db, answer));
	}

	async *results(options?: StoredResultsOptions): AsyncIterable<Result[]> {
		for await (const results of storedResults(this.#db, options)) yield results.map(withoutSpent);
	}

	given({ otherRuns, told, outcomes }: GivenOptions): AsyncIterable<Result[]> {
		return givenResults(this.#db, { run: otherRuns ? this.#run : undefined, told, outcomes });
	}

	unvisited(after: number, { thisRun, documents }: UnvisitedOptions) {
		return this.#read((db) => unvisitedResults(db, after, thisRun ? this.#run : undefined, documents));
	}

	tally(): Promise<Tally> {
		return this.#read((db) =>
			db.transaction().execute(async (tx) => {
				await this.#dialect.lookAtAll(tx);
				return tallyStore(tx, this.#tools());
			}),
		);
	}

	async end(complete: boolean, at: number): Promise<void> {
		await this.#write((tx, worker) => endRun(tx, worker, { complete, at }, this.#tools()));
		this.#held.clear();
	}

	/** Hosts that are still held are given back; whoever comes next leaves them alone for their delay. */
	async close(): Promise<void> {
		this.#endurance.close();
		await this.#membership.stop();
		await this.#watch.stop();
		await this.#resign().catch(() => {}); // then the lease runs out
		await this.#db.destroy();
		this.#release();
	}

	async #resign(): Promise<void> {
		if (!this.#membership.joined) return;
		const worker = await this.#membership.join();
		await this.#db.transaction().execute((tx) => this.#workers.resign(tx, worker));
	}
}
