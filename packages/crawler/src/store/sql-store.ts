import { migrate } from '@wayleave/io';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { systemClock } from '../clock.ts';
import type { Likeness } from '../discover/likeness.ts';
import { CrawlError } from '../errors.ts';
import {
	givenResults,
	type StoredResultsOptions,
	storedResults,
	unvisitedResults,
	withoutSpent,
} from '../inspect/results.ts';
import type { Ending, Outcome, Reason } from '../outcome.ts';
import type { Result } from '../result.ts';
import { loadAskAnswers, saveAskAnswer } from './ask-answers.ts';
import { chooseRun, hasUnjudged, joinRun, lastRun, reconsiderScope } from './begin-run.ts';
import { SqlChangeStore, saveLooks, saveRevisions } from './change-store.ts';
import { packContent, unpackContent } from './content.ts';
import type { StoreDialect } from './dialect.ts';
import { Endurance } from './endurance.ts';
import { type FoundUrl, insertFound } from './found.ts';
import { HostTable } from './hosts.ts';
import { Ids } from './ids.ts';
import { findLookalikes } from './likeness.ts';
import { Membership, rowLease, silence } from './membership.ts';
import { forgetOutages, loadPolicyFile, savePolicyFile } from './policy-file.ts';
import { type FrontierRow, lastOf, toFrontierUrl, toValidators } from './rows.ts';
import { savePage } from './save-page.ts';
import { type StoreSchema, storeComponent, storeMigrations } from './schema.ts';
import {
	type DocumentPlace,
	documentsSince,
	forgetPages,
	type KeptDocument,
	pagesOf,
	type SiteOf,
	type SitePage,
} from './site-pages.ts';
import { letFall, makesFall } from './standing.ts';
import { tallyStore } from './tally.ts';
import type {
	Batch,
	Committed,
	Ended,
	EndWhere,
	FrontierUrl,
	GivenOptions,
	HostRecord,
	KeptAnswer,
	KeptPage,
	KnownLikeness,
	KnownUrl,
	NewUrl,
	PolicyFile,
	RunRequest,
	RunState,
	Snapshot,
	Store,
	StoreOptions,
	Tally,
	UnvisitedOptions,
	UrlKind,
	Visit,
} from './types.ts';
import { type Others, Watch } from './watch.ts';

type Db = Kysely<StoreSchema>;

/** Times that a transaction is tried again when others were in its way. */
const mostConflicts = 10;
/** Milliseconds. */
export const defaultLease = 20_000;

/** A store in an SQL database: the same statements for all of them, but for what the dialect says. */
export class SqlStore implements Store {
	readonly shared: boolean;
	readonly #db: Db;
	readonly #dialect: StoreDialect;
	readonly #lease: number;
	readonly #now: () => number;
	readonly #release: () => Promise<void>;
	readonly #ids = new Ids();
	readonly #endurance: Endurance;
	readonly #membership: Membership;
	readonly #hosts: HostTable;
	readonly changes: SqlChangeStore;
	/** What we hold, as far as we know. */
	readonly #held = new Set<number>();
	readonly #watch: Watch;
	/** 0: none has begun. */
	#run = 0;
	/** To be told when hosts of others may be free; undefined while nobody is to look after them. */
	#onFreed: (() => void) | undefined;

	private constructor(db: Db, dialect: StoreDialect, options: StoreOptions, release: () => Promise<void>) {
		const { clock = systemClock, patience = 600_000, onTrouble = () => {} } = options;
		const lease = rowLease(options.lease ?? defaultLease);
		this.shared = dialect.shared;
		this.changes = new SqlChangeStore(dialect, {
			read: (work) => this.#read(work),
			write: (work) => this.#write((tx) => work(tx)),
		});
		this.#db = db;
		this.#dialect = dialect;
		this.#lease = lease;
		this.#now = () => clock.now();
		this.#release = release;
		this.#endurance = new Endurance(patience, lease, onTrouble);
		this.#membership = new Membership(db, dialect, lease, () => this.#beat());
		this.#watch = new Watch(lease, {
			look: () => this.#read((db) => this.#look(db)),
			bury: () => this.#bury(this.#now()),
			onFreed: () => this.#onFreed?.(),
			wake: () => this.#wakeAll(),
		});
		this.#hosts = new HostTable(dialect, this.#now);
	}

	static async open(db: Db, dialect: StoreDialect, options: StoreOptions = {}): Promise<SqlStore> {
		const release = await dialect.exclude(db);
		try {
			await migrate(db, storeMigrations(dialect), { component: storeComponent });
			return new SqlStore(db, dialect, options, release);
		} catch (error) {
			await release();
			throw error;
		}
	}

	/** Waits for a server that has gone away. */
	#read<Value>(work: (db: Db) => Promise<Value>): Promise<Value> {
		return this.#endurance.run(() => work(this.#db));
	}

	/** All of it once, or nothing; and only as long as this worker has its lease. */
	async #write<Value>(work: (tx: Db, worker: number) => Promise<Value>): Promise<Value> {
		const writes: number[] = [];
		// What the last try came to, which may have been committed although its answer got lost.
		let last: { readonly write: number; readonly value: Value } | undefined;
		const once = () =>
			this.#endurance.run(async () => {
				// After the lease was lost, somebody else may have what we held: only who holds nothing begins again, and a run,
				// which has to be told, by `recover`.
				if (this.#membership.lost && this.#held.size === 0 && this.#run === 0) this.#membership.reset();
				const worker = await this.#membership.join();
				try {
					const value = await this.#db.transaction().execute(async (tx) => {
						const write = await this.#membership.fence(tx);
						writes.push(write);
						if (last !== undefined && this.#membership.tookPlace(last.write)) return last.value;
						const value = await work(tx, worker);
						last = { write, value };
						return value;
					});
					this.#membership.committed(writes.at(-1)!);
					return value;
				} catch (error) {
					// The next try must not rely on rows that this one made and that are gone.
					this.#ids.forget();
					throw error;
				}
			});
		try {
			return await this.#insist(once);
		} finally {
			this.#membership.settle(writes);
		}
	}

	/** Again and again while others are in its way. */
	async #insist<Value>(work: () => Promise<Value>): Promise<Value> {
		for (let conflicts = 0; ; conflicts++) {
			try {
				return await work();
			} catch (error) {
				if (!this.#dialect.isConflict(error) || conflicts >= mostConflicts) throw error;
			}
		}
	}

	async recover(at: number, onFreed: () => void = () => {}): Promise<void> {
		this.#run = 0;
		if (await this.#bury(at)) await this.#wakeAll();
		await this.#write(async (tx) => {
			await this.#dialect.lookAtAll(tx);
			if ((await this.#others(tx)) === 0) await forgetOutages(tx);
		});
		if (!this.shared) return;
		this.#onFreed = onFreed;
		await this.#beat();
	}

	/** Renews the lease, and looks when that of the others is over. */
	async #beat(): Promise<void> {
		const others = await this.#write((tx) => this.#look(tx));
		if (this.#onFreed !== undefined) this.#watch.see(others);
	}

	async #look(db: Db): Promise<Others> {
		const worker = await this.#membership.join();
		const left = sql`min(${this.#dialect.diesAt(this.#lease)}) - ${this.#dialect.now(this.#now())}`;
		const { rows } = await sql<{ left: number | null; before: number }>`select ${left} as left,
			count(case when id < ${worker} then 1 end) as before from crawl_worker where id <> ${worker}`.execute(db);
		const [others] = rows;
		if (others?.left == null) return { left: undefined, before: 0 };
		const { judgesIn } = this.#membership;
		return { left: judgesIn > 0 ? Math.max(others.left, judgesIn) : others.left, before: Number(others.before) };
	}

	/** Whether the worker of a row of `crawl_worker` is to be taken for dead. */
	#isDead(at: number): RawBuilder<boolean> {
		if (this.#membership.judgesIn > 0) return sql`false`;
		return sql`${this.#dialect.diesAt(this.#lease)} < ${this.#dialect.now(at)}`;
	}

	/** Takes back what the dead have held; returns whether there were any. */
	#bury(at: number): Promise<boolean> {
		return this.#write(async (tx, worker) => {
			const { rows } = await sql<{ id: number }>`select id from crawl_worker
				where id <> ${worker} and ${this.#isDead(at)} ${this.#dialect.skipLocked}`.execute(tx);
			if (rows.length === 0) return false;
			const dead = rows.map(({ id }) => id);
			await this.#remove(tx, dead, this.#dialect.askedUntil(at, Math.floor(this.#lease * silence)));
			return true;
		});
	}

	/** Tells that URLs were found for these hosts. */
	#wake(hosts: readonly number[]): Promise<void> {
		return this.#insist(() => this.#read((db) => this.#hosts.wake(db, hosts)));
	}

	/** All hosts are looked at: whoever died may not have said that it had found something for somebody else. */
	#wakeAll(): Promise<void> {
		return this.#insist(() => this.#read((db) => this.#hosts.wakeAll(db)));
	}

	async assure(): Promise<AbortSignal | undefined> {
		if (!this.#membership.sure) await this.#write(async () => {});
		return this.#membership.holding;
	}

	async unfinished(): Promise<boolean> {
		const waits = await this.#read((db) =>
			sql`select 1 from url where state = 0 limit 1`.execute(db).then(({ rows }) => rows.length > 0),
		);
		if (!waits || !this.shared) return waits;
		if ((await this.#read((db) => this.#others(db))) === 0) await this.#wakeAll();
		return true;
	}

	async wanted(): Promise<number> {
		if (!this.shared) return 0;
		const worker = await this.#membership.join();
		const { rows } = await this.#read((db) =>
			sql<{ wanted: number | null }>`select sum(wants) as wanted from crawl_worker
				where id <> ${worker} and expires_at >= ${this.#dialect.now(this.#now())}`.execute(db),
		);
		return Number(rows[0]?.wanted ?? 0);
	}

	async reserve(most: number, wanted: number): Promise<{ granted: number; exhausted: boolean }> {
		return this.#write(async (tx, worker) => {
			// One worker at a time counts.
			await sql`update crawl_run set documents = documents where id = ${this.#run}`.execute(tx);
			const { rows } = await sql<{ brought: number; reserved: number }>`
				select run.documents + coalesce(sum(crawl_worker.documents), 0) as brought,
					coalesce(sum(crawl_worker.reserved), 0) as reserved
				from crawl_run as run left join crawl_worker on crawl_worker.run = run.id
				where run.id = ${this.#run} group by run.id, run.documents`.execute(tx);
			const { brought, reserved } = rows[0]!;
			const granted = Math.min(wanted, Math.max(0, most - brought - reserved));
			// Who gives back more than its row has had another one before, which is gone with its places.
			await sql`update crawl_worker
				set reserved = case when reserved > ${-granted} then reserved + ${granted} else 0 end where id = ${worker}`.execute(
				tx,
			);
			return { granted, exhausted: brought >= most };
		});
	}

	/** How many other workers are alive and work on a run. */
	async #others(db: Db): Promise<number> {
		const worker = await this.#membership.join();
		const { rows } = await sql<{ count: number }>`select count(*) as count from crawl_worker
			where id <> ${worker} and run is not null and not (${this.#isDead(this.#now())})`.execute(db);
		return Number(rows[0]!.count);
	}

	async begin(request: RunRequest): Promise<RunState> {
		const state = await this.#write(async (tx, worker) => {
			await this.#dialect.lockRuns(tx);
			await this.#dialect.lookAtAll(tx);
			const last = await lastRun(tx);
			const workers = last?.complete === null ? await this.#others(tx) : 0;
			const sameScope = last === undefined || last.scope === request.scope;
			if (workers > 0 && !sameScope) {
				const message =
					'others are crawling with this store in another scope: give the same addresses, scope and depth';
				throw new CrawlError('store-in-use', message);
			}
			if (!sameScope || (await hasUnjudged(tx)))
				await reconsiderScope(tx, request.reconsider, (name) => this.#ids.host(tx, name));
			if (workers === 0) await tx.updateTable('url').set({ seed: 0 }).where('seed', '=', sql.lit(1)).execute();
			const seeds = request.seeds.map((seed) => ({ seed, via: undefined }));
			await this.#insertFound(tx, seeds, request.at);
			await this.#markSeeds(
				tx,
				request.seeds.map(({ url }) => url),
			);
			const { run, mode } = workers > 0 ? joinRun(last!) : await chooseRun(tx, request, this.shared);
			this.#run = run;
			await tx.updateTable('crawl_worker').set({ run }).where('id', '=', worker).execute();
			const positions = await tx.selectFrom('sink_position').selectAll().execute();
			const { rows } = await sql<{ documents: number }>`select documents + coalesce((select sum(documents)
				from crawl_worker where run = ${run}), 0) as documents from crawl_run where id = ${run}`.execute(tx);
			return {
				run,
				mode,
				workers,
				...(await this.#counts(tx)),
				documents: Number(rows[0]!.documents),
				widened: await widenedBy(tx),
				positions: new Map(positions.map(({ name, position }) => [name, position])),
			};
		});
		await this.#wakeAll();
		return state;
	}

	async #markSeeds(tx: Db, seeds: readonly string[]): Promise<void> {
		await sql`update url set seed = 1 where kind = 0 and key in (
			select row.value->>'k' from ${this.#dialect.rows(JSON.stringify(seeds.map((k) => ({ k }))))})`.execute(tx);
	}

	async #counts(tx: Db): Promise<Pick<RunState, 'pending' | 'known'>> {
		const { rows } = await sql<{ pending: number; known: number }>`select
			(select count(*) from url where state = 0) as pending,
			(select count(*) from url) as known`.execute(tx);
		return { pending: Number(rows[0]!.pending), known: Number(rows[0]!.known) };
	}

	async reconsider(judge: RunRequest['reconsider']): Promise<number> {
		const count = await this.#write(async (tx) => {
			await this.#dialect.lookAtAll(tx);
			return reconsiderScope(tx, judge, (name) => this.#ids.host(tx, name));
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
			const wants = hosts.length === 0 ? limit : 0;
			if (this.shared)
				await sql`update crawl_worker set wants = ${wants} where id = ${worker} and wants <> ${wants}`.execute(tx);
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

	async pending(host: number, kind: UrlKind, now: number, limit: number): Promise<FrontierUrl[]> {
		const query = sql<FrontierRow>`
			select url.id, url.key, url.depth, url.dates, url.attempts, url.seed, found.key as found_on,
				page.etag, page.last_modified, page.body_hash
			from url left join page on page.url = url.id left join url as found on found.id = url.via
			where url.host = ${host} and url.kind = ${kind === 'page' ? 0 : 1} and url.state = 0 and url.due <= ${now}
			order by url.depth, url.id limit ${limit}`;
		const { rows } = await this.#read((db) => query.execute(db));
		return rows.map((row) => toFrontierUrl(row, kind));
	}

	async nextDue(host: number): Promise<number | undefined> {
		const query = sql<{ due: number | null }>`select min(due) as due from url where host = ${host} and state = 0`;
		const { rows } = await this.#read((db) => query.execute(db));
		return rows[0]?.due ?? undefined;
	}

	async waiting(host: number): Promise<number> {
		const query = sql<{ count: number }>`select count(*) as count from url where host = ${host} and state = 0`;
		const { rows } = await this.#read((db) => query.execute(db));
		return Number(rows[0]!.count);
	}

	async find(url: string, kind: UrlKind = 'page'): Promise<KnownUrl | undefined> {
		const row = await this.#read((db) =>
			db
				.selectFrom('url')
				.leftJoin('page', 'page.url', 'url.id')
				.select(['url.id', 'state', 'due', 'outcome', 'reason', 'redirect', 'etag', 'last_modified', 'body_hash'])
				.where('key', '=', url)
				.where('kind', '=', kind === 'page' ? 0 : 1)
				.executeTakeFirst(),
		);
		if (row === undefined) return undefined;
		return {
			id: row.id,
			url,
			...(row.state === 0 && row.due > 0 && { due: row.due }),
			...(row.state === 1 && row.outcome !== null && { outcome: row.outcome as Outcome }),
			...(row.state === 1 && row.reason !== null && { reason: row.reason as Reason }),
			...(row.state === 1 && row.redirect !== null && { redirectedTo: row.redirect }),
			...lastOf(row),
		};
	}

	async snapshot(url: string): Promise<Snapshot | undefined> {
		const row = await this.#read((db) =>
			db
				.selectFrom('page')
				.innerJoin('url', 'url.id', 'page.url')
				.select([
					'page.content',
					'page.fetched_at',
					'page.checked_at',
					'page.etag',
					'page.last_modified',
					'page.body_hash',
					'page.stands',
				])
				.where('url.key', '=', url)
				.where('url.kind', '=', 0)
				.executeTakeFirst(),
		);
		if (row?.content == null) return undefined;
		return {
			url,
			fetchedAt: row.fetched_at,
			checkedAt: row.checked_at,
			stands: row.stands === 1,
			...toValidators(row),
			...unpackContent(row.content),
		};
	}

	async commit(batch: Batch): Promise<Committed> {
		const packed = new Map(
			batch.visits.map((visit) => [visit, visit.content?.snapshot && packContent(visit.content.snapshot)]),
		);
		await this.#number(batch.visits);
		const committed = await this.#write(async (tx, worker) => {
			await this.#countDocuments(tx, worker, batch.visits);
			await this.#hosts.save(tx, worker, new Set(batch.hosts));
			await this.#saveEndings(tx, batch.visits);
			await letFall(
				tx,
				batch.visits.flatMap(({ id, ending }) => (ending !== undefined && makesFall(ending) ? id : [])),
			);
			const looks = batch.visits.flatMap(({ id, at, look }) => (look === undefined ? [] : { id, at, look }));
			for (const visit of batch.visits) {
				const { target, at, status } = visit;
				const kept = target && { ...target, at, ...(status !== undefined && { status }) };
				const id = kept === undefined ? visit.id : await this.#keepUrl(tx, kept, visit.id);
				if (target?.look !== undefined) looks.push({ id, at, look: target.look });
				if (visit.content === undefined) continue;
				await savePage(tx, id, visit.content, packed.get(visit) ?? null, visit.at);
			}
			await saveLooks(tx, looks);
			await saveRevisions(
				tx,
				this.#dialect,
				batch.visits.flatMap(({ listed = [] }) => listed),
			);
			const found = batch.visits.flatMap((visit) => visit.found.map((seed) => ({ seed, via: visit.id })));
			const added = await this.#insertFound(tx, found, Math.max(0, ...batch.visits.map(({ at }) => at)));
			for (const [name, position] of batch.positions)
				await tx
					.insertInto('sink_position')
					.values({ name, position })
					.onConflict((conflict) => conflict.column('name').doUpdateSet({ position }))
					.execute();
			for (const url of batch.widened)
				await tx
					.insertInto('widened')
					.values({ url })
					.onConflict((conflict) => conflict.doNothing())
					.execute();
			return added;
		});
		await this.#wake(committed.hosts);
		return { added: committed.added, newLinks: batch.visits.map(({ id }) => committed.byVia.get(id) ?? 0) };
	}

	/** Makes what the transaction refers to beforehand, so that no other one has to wait for it. */
	async #number(visits: readonly Pick<Visit, 'found' | 'target' | 'evidence'>[]): Promise<void> {
		const found = visits.flatMap((visit) => visit.found.filter(({ ending }) => ending === undefined));
		const targets = visits.flatMap(({ target }) => target?.url ?? []);
		const names = new Set([...found, ...targets].map(({ host }) => host));
		await this.#read(async (db) => {
			for (const name of names) await this.#ids.host(db, name);
			for (const { evidence } of visits) if (evidence !== undefined) await this.#ids.evidence(db, evidence);
		});
	}

	/** In the row of the worker, which nobody else waits for; it is added up when the worker leaves. */
	async #countDocuments(tx: Db, worker: number, visits: readonly Visit[]): Promise<void> {
		const count = visits.filter(({ document }) => document).length;
		if (count === 0) return;
		await sql`update crawl_worker set documents = documents + ${count},
			reserved = case when reserved > ${count} then reserved - ${count} else 0 end where id = ${worker}`.execute(tx);
	}

	async #saveEndings(tx: Db, visits: readonly Visit[]): Promise<void> {
		if (visits.length === 0) return;
		const rows = [];
		for (const { id, ending, evidence, status, redirectedTo, at, attempts, due } of visits)
			rows.push({
				i: id,
				s: ending === undefined ? 0 : 1,
				o: ending?.outcome,
				r: ending?.reason,
				x: ending?.detail,
				e: evidence && (await this.#ids.evidence(tx, evidence)),
				c: status,
				t: redirectedTo,
				a: at,
				n: attempts,
				u: Math.round(due ?? 0),
			});
		await sql`
			update url set state = cast(row.value->>'s' as integer), outcome = row.value->>'o', reason = row.value->>'r',
				detail = row.value->>'x', evidence = cast(row.value->>'e' as integer),
				status = cast(row.value->>'c' as integer), redirect = row.value->>'t', at = cast(row.value->>'a' as bigint),
				attempts = cast(row.value->>'n' as integer), due = cast(row.value->>'u' as bigint), run = ${sql.lit(this.#run)}
			from ${this.#dialect.rows(JSON.stringify(rows))}
			where url.id = cast(row.value->>'i' as integer)`.execute(tx);
	}

	async offer(found: readonly NewUrl[]): Promise<Committed['added']> {
		await this.#number([{ found }]);
		const seeds = found.map((seed) => ({ seed, via: undefined }));
		const now = this.#now();
		const { added, hosts } = await this.#write((tx) => this.#insertFound(tx, seeds, now));
		await this.#wake(hosts);
		return added;
	}

	async keep(page: KeptPage): Promise<void> {
		const { content, at } = page;
		const packed = content?.snapshot === undefined ? null : packContent(content.snapshot);
		await this.#read((db) => this.#ids.host(db, page.url.host));
		await this.#write(async (tx) => {
			const id = await this.#keepUrl(tx, page, undefined);
			if (content !== undefined) await savePage(tx, id, content, packed, at);
		});
	}

	/** Ends a URL that need not be in the frontier: the end of redirects, a page fetched by itself. */
	async #keepUrl(
		tx: Db,
		{ url, ending, at, status, redirectedTo }: KeptPage,
		via: number | undefined,
	): Promise<number> {
		const { outcome, reason = null, detail = null } = ending;
		const ended = {
			state: 1 as const,
			attempts: 1,
			outcome,
			reason,
			detail,
			status: status ?? null,
			redirect: redirectedTo ?? null,
			at,
			run: this.#run,
		};
		const { url: key, depth, dates } = url;
		// One that was out of scope has had no host.
		const host = await this.#ids.host(tx, url.host);
		const { id } = await tx
			.insertInto('url')
			.values({ key, kind: 0, host, depth, dates, via: via ?? null, ...ended })
			.onConflict((conflict) => conflict.columns(['key', 'kind']).doUpdateSet({ ...ended, host }))
			.returning('id')
			.executeTakeFirstOrThrow();
		if (makesFall(ending)) await letFall(tx, [id]);
		return id;
	}

	async #insertFound(tx: Db, found: readonly { seed: Visit['found'][number]; via: number | undefined }[], at: number) {
		const names = new Map<number, string>();
		const rows: FoundUrl[] = [];
		for (const { seed: url, via } of found) {
			const hostId = url.ending === undefined ? await this.#ids.host(tx, url.host) : undefined;
			if (hostId !== undefined) names.set(hostId, url.host);
			rows.push({ ...url, hostId, via });
		}
		const added = new Map<string, number>();
		const byVia = new Map<number, number>();
		for (const { host, via } of await insertFound(tx, this.#dialect, rows, { run: this.#run, at })) {
			const name = names.get(host);
			if (name !== undefined) added.set(name, (added.get(name) ?? 0) + 1);
			if (via !== null) byVia.set(via, (byVia.get(via) ?? 0) + 1);
		}
		return { added, byVia, hosts: [...names].filter(([, name]) => added.has(name)).map(([id]) => id) };
	}

	async endPending(ending: Ending, at: number, where?: EndWhere): Promise<Ended> {
		const { outcome, reason = null, detail = null } = ending;
		const { host, origin, except = [] } = where ?? {};
		// An origin is the beginning of its URLs: from `http://h/` up to before `http://h0`.
		const inOrigin = sql`and key >= ${`${origin}/`} and key < ${`${origin}0`}`;
		const pending = sql`state = 0 ${host === undefined ? sql`` : sql`and host = ${host}`}
			${origin === undefined ? sql`` : inOrigin}
			${except.length === 0 ? sql`` : sql`and id not in (${sql.join(except)})`}`;
		return this.#write(async (tx) => {
			if (where === undefined) await this.#dialect.lookAtAll(tx);
			if (makesFall(ending)) await letFall(tx, sql`select id from url where ${pending}`);
			// Another worker may end the same at the same time: what counts is what a statement has ended itself.
			const end = async (kind: 0 | 1) => {
				const { numAffectedRows } = await sql`
					update url set state = 1, attempts = 0, outcome = ${outcome}, reason = ${reason}, detail = ${detail}, evidence = null,
						at = ${at}, run = ${sql.lit(this.#run)} where ${pending} and kind = ${sql.lit(kind)}`.execute(tx);
				return Number(numAffectedRows ?? 0);
			};
			const pages = await end(0);
			return { pages, urls: pages + (await end(1)) };
		});
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

	lookalikes(likeness: Likeness): Promise<KnownLikeness[]> {
		return this.#read((db) => findLookalikes(db, likeness));
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
				return tallyStore(tx);
			}),
		);
	}

	async end(complete: boolean, at: number): Promise<void> {
		await this.#write(async (tx, worker) => {
			await this.#dialect.lockRuns(tx);
			await this.#hosts.releaseAll(tx, [worker], this.#dialect.now(at));
			await this.#addUp(tx, [worker]);
			// The last one says how the run has ended.
			if ((await this.#others(tx)) > 0) return;
			const changes = { ended_at: at, complete: complete ? 1 : 0 };
			await tx.updateTable('crawl_run').set(changes).where('id', '=', this.#run).execute();
		});
		this.#held.clear();
	}

	/** What workers who leave have brought counts for their runs. */
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

	/** Hosts that are still held are given back; whoever comes next leaves them alone for their delay. */
	async close(): Promise<void> {
		this.#endurance.close();
		await this.#membership.stop();
		await this.#watch.stop();
		await this.#resign().catch(() => {}); // then the lease runs out
		await this.#db.destroy();
		await this.#release();
	}

	async #resign(): Promise<void> {
		if (!this.#membership.joined) return;
		const worker = await this.#membership.join();
		await this.#db.transaction().execute(async (tx) => {
			await this.#remove(tx, [worker], this.#dialect.now(this.#now()));
		});
	}

	/**
	 * Workers are none any more. Whoever leaves a run before its end may have committed links that it would have looked at
	 * again, since the scope had become wider: somebody else does.
	 */
	async #remove(tx: Db, workers: readonly number[], asked: RawBuilder<number>): Promise<void> {
		await sql`update widened set judged = 0 where judged = 1 and exists
			(select 1 from crawl_worker where id in (${sql.join(workers)}) and run is not null)`.execute(tx);
		await this.#addUp(tx, workers);
		await this.#hosts.releaseAll(tx, workers, asked);
		await tx.deleteFrom('crawl_worker').where('id', 'in', workers).execute();
	}
}

async function widenedBy(db: Db): Promise<string[]> {
	const rows = await db.selectFrom('widened').select('url').execute();
	return rows.map(({ url }) => url);
}
