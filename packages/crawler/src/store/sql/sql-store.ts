import type { ObjectStore } from '@wayleave/io/objects';
import { migrate } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { SqlChanges } from '../changes/sql-changes.ts';
import { collectObjects } from '../pages/collect-objects.ts';
import { forget, remember } from '../pages/forgotten.ts';
import type { Batch, Committed } from '../roles/commit.ts';
import type { Frontier, RunRequest, RunState } from '../roles/frontier.ts';
import type { Outputs } from '../roles/outputs.ts';
import type { ForgetTarget, Forgotten, Pages, Pruned, PruneOptions } from '../roles/pages.ts';
import type { PolicyCache } from '../roles/policies.ts';
import type { Store, StoreOptions } from '../roles/store.ts';
import type { Watch } from '../roles/watch.ts';
import type { StoreDialect } from '../schema/dialect.ts';
import { compactStep, storeComponent, storeMigrations } from '../schema/migrations.ts';
import type { Db } from '../schema/tables.ts';
import { contract } from '../upgrade/contract.ts';
import { waitsForLock } from '../upgrade/upgrade.ts';
import { saveWatch } from '../watch/changes.ts';
import { retryNotices } from '../watch/outbox.ts';
import { revokeVersions } from '../watch/remove.ts';
import { beginRun, endRun } from './begin-run.ts';
import { packVisits, saveVisits } from './commit-visits.ts';
import { openDocuments } from './documents-place.ts';
import { GroupMember, refuseMember } from './group-member.ts';
import { pruneStore } from './prune.ts';
import { refuseChange, refuseInUse } from './refuse-in-use.ts';
import { type SessionOptions, StoreSession } from './session.ts';
import { sqlFrontier } from './sql-frontier.ts';
import { SqlLeases } from './sql-leases.ts';
import { sqlOutputs } from './sql-outputs.ts';
import { sqlPages } from './sql-pages.ts';
import { sqlPolicies } from './sql-policies.ts';
import { sqlWatch } from './sql-watch.ts';

/** Milliseconds in which a crawl certainly names what it has written. */
const defaultGrace = 24 * 3_600_000;
/** Milliseconds between two tries to end an upgrade. */
const contractPause = 20_000;

/** A store in an SQL database. The dialect has all that differs between databases. */
export class SqlStore implements Store {
	readonly frontier: Frontier;
	readonly pages: Pages;
	readonly policies: PolicyCache;
	readonly changes: SqlChanges;
	readonly leases: SqlLeases;
	readonly watch: Watch;
	readonly outputs: Outputs;
	documents?: { readonly place: string; readonly remembered: boolean };
	/** Its part among several databases of one crawl. */
	readonly member: GroupMember;
	readonly #session: StoreSession;
	#objects: ObjectStore | undefined;
	readonly #release: () => void;
	/** Whether the upgrade waits for workers of the version before. */
	#isUpgrading: boolean;
	#contractsAt = 0;
	readonly #onTrouble: StoreOptions['onTrouble'];

	private constructor(db: Db, dialect: StoreDialect, options: SessionOptions, release: () => void) {
		this.#isUpgrading = options.isUpgrading === true;
		this.#onTrouble = options.onTrouble;
		const session = new StoreSession(db, dialect, options, () => this.#beat());
		this.frontier = sqlFrontier(session);
		this.pages = sqlPages(session);
		this.policies = sqlPolicies(session);
		this.changes = new SqlChanges(session);
		this.leases = new SqlLeases(session);
		this.watch = sqlWatch(session);
		this.outputs = sqlOutputs(session);
		this.member = new GroupMember(session);
		this.#session = session;
		this.#release = release;
	}

	static async open(db: Db, dialect: StoreDialect, options: SessionOptions = {}): Promise<SqlStore> {
		const release = await dialect.exclude(db);
		try {
			const tell = (detail: string) => options.onTrouble?.({ state: 'upgrade', detail });
			await migrate(db, storeMigrations(dialect, tell), {
				except: options.isUpgrading ? compactStep : undefined,
				component: storeComponent,
				beforeChange: (tx) => refuseChange(tx as Db, dialect),
				onWait: () => tell(waitsForLock),
			});
			if (options.neighbours === undefined) await refuseMember(db);
			const store = new SqlStore(db, dialect, options, release);
			if (options.documentsLater !== true) await store.openDocuments(options);
			return store;
		} catch (error) {
			release();
			throw error;
		}
	}

	/**
	 * Opens the place of the documents, before anything else is done with the store.
	 *
	 * @throws CrawlError `bad-option` for a place that does not fit, `store-failed` for one that cannot be used
	 */
	async openDocuments(options: StoreOptions): Promise<void> {
		const { bodies, objects, remembered } = await openDocuments(this.#session.db, options);
		this.#session.bodies = bodies;
		this.#objects = objects;
		if (objects !== undefined) this.documents = { place: objects.place, remembered };
	}

	/** Renews the lease, and ends an upgrade that waited for others. */
	async #beat(): Promise<void> {
		await this.leases.beat();
		if (!this.#isUpgrading || performance.now() < this.#contractsAt) return;
		// All workers try, and each try may keep the others waiting for a moment.
		this.#contractsAt = performance.now() + contractPause;
		if (!(await contract(this.#session.db))) return;
		this.#isUpgrading = false;
		this.#onTrouble?.({ state: 'upgrade', detail: 'done' });
	}

	async begin(request: RunRequest): Promise<RunState> {
		const state = await this.#session.write(async (tx, worker) => {
			const begun = await beginRun(tx, worker, request, this.#session.tools());
			this.#session.run = begun.run;
			return begun;
		});
		await this.#session.wakeAll();
		return state;
	}

	async commit(batch: Batch): Promise<Committed> {
		const { hosts, workers } = this.#session;
		// Outside of the transaction, which others may wait for.
		const { bodies } = this.#session;
		const packed = await packVisits(batch.visits, bodies);
		await this.#session.number(batch.visits);
		const revoked = batch.visits.flatMap(({ revokedUrls = [] }) => revokedUrls);
		const revokesVersions = revoked.length > 0 && (await this.#session.watches());
		const added = await this.#session.write(async (tx, worker) => {
			await workers.countDocuments(tx, worker, batch.visits);
			await hosts.save(tx, worker, new Set(batch.hosts));
			await this.member.tell(tx, batch.scopeExpansions);
			const saved = await saveVisits(tx, batch, packed, this.#session.tools());
			if (revokesVersions) await revokeVersions(tx, revoked);
			if (batch.watch !== undefined) await saveWatch(tx, batch.watch, this.#session.dialect);
			return saved;
		});
		if ((batch.watch?.pages.length ?? 0) > 0) this.#session.isWatched = true;
		// A document that this commit has kept again is the same object.
		const kept = new Set([...packed.values()].map((each) => each && Buffer.from(each).toString('latin1')));
		const dropped = added.revoked.filter((each) => !kept.has(Buffer.from(each).toString('latin1')));
		if (dropped.length > 0) await bodies.discard(dropped);
		await this.#session.wake(added.hosts);
		return { added: added.added, newLinks: batch.visits.map(({ id }) => added.byVia.get(id) ?? 0) };
	}

	async end(complete: boolean, at: number): Promise<void> {
		await this.#session.write((tx, worker) => endRun(tx, worker, { complete, at }, this.#session.tools()));
		this.#session.held.clear();
	}

	async prune(options: PruneOptions): Promise<Pruned> {
		if (options.dryRun !== true) await this.#refuseInUse();
		const pruned = await pruneStore(this.#session.db, this.#session.dialect, options);
		if (this.#objects === undefined) return pruned;
		const { grace = defaultGrace, dryRun = false } = options;
		const { db, dialect, now } = this.#session;
		const { objects, bytes } = await collectObjects(db, dialect, this.#objects, { grace, now: now(), dryRun });
		return { ...pruned, objects: { count: objects, bytes } };
	}

	async forget(target: ForgetTarget): Promise<Forgotten> {
		await this.#refuseInUse();
		return forget(this.#session.db, target, this.#session.now(), this.#session.bodies);
	}

	async remember(target: ForgetTarget): Promise<boolean> {
		await this.#refuseInUse();
		return remember(this.#session.db, target);
	}

	async retryNotices(): Promise<number> {
		await this.#refuseInUse();
		return retryNotices(this.#session.db);
	}

	/** Where only one process may open the store, the runs of others have ended, by a kill perhaps. */
	async #refuseInUse(): Promise<void> {
		const { db, dialect } = this.#session;
		if (dialect.shared) return refuseInUse(db, dialect);
		const own = (await this.#session.worker()) ?? 0;
		return refuseInUse(db, dialect, sql`id = ${own}`);
	}

	async close(): Promise<void> {
		await this.#session.stop();
		await this.leases.stop();
		await this.#session.resign().catch(() => {}); // then the lease runs out
		await this.#session.db.destroy();
		this.#objects?.close();
		this.#release();
	}
}
