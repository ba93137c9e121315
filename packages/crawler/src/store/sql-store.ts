import { migrate } from '@wayleave/io';
import { type Kysely, sql } from 'kysely';
import type { Ending, Outcome, Reason } from '../outcome.ts';
import { loadAskAnswers, saveAskAnswer } from './ask-answers.ts';
import { chooseRun, countWaiting, reconsiderScope } from './begin-run.ts';
import { packContent, unpackContent } from './content.ts';
import type { StoreDialect } from './dialect.ts';
import { type FoundUrl, insertFound } from './found.ts';
import { Ids } from './ids.ts';
import { loadPolicyFile, savePolicyFile } from './policy-file.ts';
import { type FrontierRow, lastOf, toFrontierUrl, toHost, toValidators } from './rows.ts';
import { savePage } from './save-page.ts';
import { type StoreSchema, storeMigrations } from './schema.ts';
import { tallyStore } from './tally.ts';
import type {
	Batch,
	Committed,
	FrontierUrl,
	HostRecord,
	KeptAnswer,
	KeptPage,
	KnownUrl,
	PolicyFile,
	RunRequest,
	RunState,
	Snapshot,
	Store,
	Tally,
	UrlKind,
	Visit,
} from './types.ts';

type Db = Kysely<StoreSchema>;

/** A store in an SQL database: the same statements for all of them, but for what the dialect says. */
export class SqlStore implements Store {
	readonly #db: Db;
	readonly #dialect: StoreDialect;
	readonly #release: () => Promise<void>;
	readonly #ids = new Ids();
	#run = 0;

	private constructor(db: Db, dialect: StoreDialect, release: () => Promise<void>) {
		this.#db = db;
		this.#dialect = dialect;
		this.#release = release;
	}

	static async open(db: Db, dialect: StoreDialect): Promise<SqlStore> {
		const release = await dialect.exclude(db);
		try {
			await migrate(db, storeMigrations(dialect), { component: 'crawler' });
			return new SqlStore(db, dialect, release);
		} catch (error) {
			await release();
			throw error;
		}
	}

	/** All of it, or nothing. */
	async #write<Value>(work: (tx: Db) => Promise<Value>): Promise<Value> {
		try {
			return await this.#db.transaction().execute(work);
		} catch (error) {
			this.#ids.forget();
			throw error;
		}
	}

	async recover(at: number, cooldown: number): Promise<void> {
		// The last request of the dead may have been a moment ago.
		await sql`update host set held = 0, next_at = case when next_at < ${at + cooldown} then ${at + cooldown} else next_at end
			where held = 1`.execute(this.#db);
	}

	async begin(request: RunRequest): Promise<RunState> {
		return this.#write(async (tx) => {
			const last = await tx.selectFrom('crawl_run').select('scope').orderBy('id', 'desc').limit(1).executeTakeFirst();
			if (last !== undefined && last.scope !== request.scope)
				await reconsiderScope(tx, request.reconsider, (name) => this.#ids.host(tx, name));
			await tx.updateTable('url').set({ seed: 0 }).where('seed', '=', sql.lit(1)).execute();
			await this.#insertFound(
				tx,
				request.seeds.map((seed) => ({ seed, via: undefined })),
			);
			await this.#markSeeds(
				tx,
				request.seeds.map(({ url }) => url),
			);
			const { run, mode } = await chooseRun(tx, request, await countWaiting(tx));
			this.#run = run;
			const positions = await tx.selectFrom('sink_position').selectAll().execute();
			const widened = await tx.selectFrom('widened').selectAll().execute();
			return {
				run,
				mode,
				...(await this.#counts(tx)),
				documents: request.limited ? await this.#countDocuments(tx) : 0,
				widened: widened.map(({ url }) => url),
				positions: new Map(positions.map(({ name, position }) => [name, position])),
			};
		});
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

	async #countDocuments(tx: Db): Promise<number> {
		const { rows } = await sql<{ count: number }>`
			select count(*) as count from url where run = ${this.#run} and kind = 0 and state = 1
				and outcome in ('fetched', 'unchanged') and (reason is null or reason <> 'redirected')`.execute(tx);
		return Number(rows[0]!.count);
	}

	reconsider(judge: RunRequest['reconsider']): Promise<number> {
		return this.#write((tx) => reconsiderScope(tx, judge, (name) => this.#ids.host(tx, name)));
	}

	async claimHosts(limit: number): Promise<HostRecord[]> {
		return this.#write(async (tx) => {
			const rows = await tx
				.selectFrom('host')
				.selectAll()
				.where('held', '=', 0)
				.where(({ exists, selectFrom }) =>
					exists(
						selectFrom('url').select('url.id').whereRef('url.host', '=', 'host.id').where('url.state', '=', sql.lit(0)),
					),
				)
				.orderBy('next_at')
				.orderBy('id')
				.limit(limit)
				.execute();
			if (rows.length > 0)
				await hold(
					tx,
					rows.map(({ id }) => id),
				);
			return rows.map(toHost);
		});
	}

	async claimHost(name: string): Promise<HostRecord | undefined> {
		return this.#write(async (tx) => {
			const id = await this.#ids.host(tx, name);
			const row = await tx.selectFrom('host').selectAll().where('id', '=', id).where('held', '=', 0).executeTakeFirst();
			if (row === undefined) return undefined;
			await hold(tx, [id]);
			return toHost(row);
		});
	}

	async releaseHost({ id, nextAt, https }: HostRecord): Promise<void> {
		const changes = { held: 0, next_at: toInteger(nextAt), https: https ? 1 : 0 };
		await this.#db.updateTable('host').set(changes).where('id', '=', id).execute();
	}

	async pending(host: number, kind: UrlKind, now: number, limit: number): Promise<FrontierUrl[]> {
		const { rows } = await sql<FrontierRow>`
			select url.id, url.key, url.depth, url.dates, url.attempts, url.seed, found.key as found_on,
				page.etag, page.last_modified, page.body_hash
			from url left join page on page.url = url.id left join url as found on found.id = url.via
			where url.host = ${host} and url.kind = ${kind === 'page' ? 0 : 1} and url.state = 0 and url.due <= ${now}
			order by url.depth, url.id limit ${limit}`.execute(this.#db);
		return rows.map((row) => toFrontierUrl(row, kind));
	}

	async nextDue(host: number): Promise<number | undefined> {
		const { rows } = await sql<{ due: number | null }>`
			select min(due) as due from url where host = ${host} and state = 0`.execute(this.#db);
		return rows[0]?.due ?? undefined;
	}

	async waiting(host: number): Promise<number> {
		const { rows } = await sql<{ count: number }>`
			select count(*) as count from url where host = ${host} and state = 0`.execute(this.#db);
		return Number(rows[0]!.count);
	}

	async find(url: string): Promise<KnownUrl | undefined> {
		const row = await this.#db
			.selectFrom('url')
			.leftJoin('page', 'page.url', 'url.id')
			.select(['url.id', 'state', 'outcome', 'reason', 'redirect', 'etag', 'last_modified', 'body_hash'])
			.where('key', '=', url)
			.where('kind', '=', 0)
			.executeTakeFirst();
		if (row === undefined) return undefined;
		return {
			id: row.id,
			url,
			...(row.state === 1 && row.outcome !== null && { outcome: row.outcome as Outcome }),
			...(row.reason !== null && { reason: row.reason as Reason }),
			...(row.redirect !== null && { redirectedTo: row.redirect }),
			...lastOf(row),
		};
	}

	async snapshot(url: string): Promise<Snapshot | undefined> {
		const row = await this.#db
			.selectFrom('page')
			.innerJoin('url', 'url.id', 'page.url')
			.selectAll('page')
			.where('url.key', '=', url)
			.where('url.kind', '=', 0)
			.executeTakeFirst();
		if (row?.content == null) return undefined;
		return {
			url,
			fetchedAt: row.fetched_at,
			checkedAt: row.checked_at,
			...toValidators(row),
			...unpackContent(row.content),
		};
	}

	async commit(batch: Batch): Promise<Committed> {
		const packed = new Map(
			batch.visits.map((visit) => [visit, visit.content?.snapshot && packContent(visit.content.snapshot)]),
		);
		return this.#write(async (tx) => {
			await this.#saveHosts(tx, batch.hosts);
			await this.#saveEndings(tx, batch.visits);
			for (const visit of batch.visits) {
				const { target, at, status } = visit;
				const kept = target && { ...target, at, ...(status !== undefined && { status }) };
				const id = kept === undefined ? visit.id : await this.#keepUrl(tx, kept, visit.id);
				if (visit.content === undefined) continue;
				await savePage(tx, id, visit.content, packed.get(visit) ?? null, visit.at);
			}
			const found = batch.visits.flatMap((visit) => visit.found.map((seed) => ({ seed, via: visit.id })));
			const committed = await this.#insertFound(tx, found);
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
			return { added: committed.added, newLinks: batch.visits.map(({ id }) => committed.byVia.get(id) ?? 0) };
		});
	}

	async #saveHosts(tx: Db, hosts: readonly HostRecord[]): Promise<void> {
		for (const { id, nextAt, https } of new Set(hosts))
			await sql`update host set next_at = ${toInteger(nextAt)}, https = ${https ? 1 : 0} where id = ${id}`.execute(tx);
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

	async keep(page: KeptPage): Promise<void> {
		const { content, at } = page;
		const packed = content?.snapshot === undefined ? null : packContent(content.snapshot);
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
			outcome,
			reason,
			detail,
			status: status ?? null,
			redirect: redirectedTo ?? null,
			at,
			run: this.#run,
		};
		const { url: key, depth, dates, host } = url;
		const { id } = await tx
			.insertInto('url')
			.values({ key, kind: 0, host: await this.#ids.host(tx, host), depth, dates, via: via ?? null, ...ended })
			.onConflict((conflict) => conflict.columns(['key', 'kind']).doUpdateSet(ended))
			.returning('id')
			.executeTakeFirstOrThrow();
		return id;
	}

	async #insertFound(tx: Db, found: readonly { seed: Visit['found'][number]; via: number | undefined }[]) {
		const names = new Map<number, string>();
		const rows: FoundUrl[] = [];
		for (const { seed: url, via } of found) {
			const hostId = url.ending === undefined ? await this.#ids.host(tx, url.host) : undefined;
			if (hostId !== undefined) names.set(hostId, url.host);
			rows.push({ ...url, hostId, via });
		}
		const added = new Map<string, number>();
		const byVia = new Map<number, number>();
		for (const { host, via } of await insertFound(tx, this.#dialect, rows, this.#run)) {
			const name = names.get(host);
			if (name !== undefined) added.set(name, (added.get(name) ?? 0) + 1);
			if (via !== null) byVia.set(via, (byVia.get(via) ?? 0) + 1);
		}
		return { added, byVia };
	}

	async endPending(ending: Ending, at: number, where?: { host: number; origin?: string }): Promise<number> {
		const { outcome, reason = null, detail = null } = ending;
		const { host, origin } = where ?? {};
		// An origin is the beginning of its URLs: from `http://h/` up to before `http://h0`.
		const inOrigin = sql`and key >= ${`${origin}/`} and key < ${`${origin}0`}`;
		const { numAffectedRows } = await sql`
			update url set state = 1, outcome = ${outcome}, reason = ${reason}, detail = ${detail}, evidence = null,
				at = ${at}, run = ${sql.lit(this.#run)}
			where state = 0 ${host === undefined ? sql`` : sql`and host = ${host}`} ${origin === undefined ? sql`` : inOrigin}`.execute(
			this.#db,
		);
		return Number(numAffectedRows ?? 0);
	}

	policyFile(url: string): Promise<PolicyFile | undefined> {
		return loadPolicyFile(this.#db, url);
	}

	savePolicyFile(file: PolicyFile): Promise<void> {
		return savePolicyFile(this.#db, file);
	}

	askAnswers(origin: string, identity: string, now: number): Promise<KeptAnswer[]> {
		return loadAskAnswers(this.#db, origin, identity, now);
	}

	saveAskAnswer(answer: KeptAnswer): Promise<void> {
		return saveAskAnswer(this.#db, answer);
	}

	tally(): Promise<Tally> {
		return tallyStore(this.#db);
	}

	async end(complete: boolean, at: number): Promise<void> {
		await this.#write(async (tx) => {
			const changes = { ended_at: at, complete: complete ? 1 : 0 };
			await tx.updateTable('crawl_run').set(changes).where('id', '=', this.#run).execute();
			await tx.updateTable('host').set({ held: 0 }).where('held', '=', 1).execute();
		});
	}

	async close(): Promise<void> {
		await this.#db.destroy();
		await this.#release();
	}
}

async function hold(tx: Db, ids: readonly number[]): Promise<void> {
	await tx.updateTable('host').set({ held: 1 }).where('id', 'in', ids).execute();
}

/** A pause can be longer than any integer column holds. */
const toInteger = (time: number): number => Math.round(Math.min(time, Number.MAX_SAFE_INTEGER));
