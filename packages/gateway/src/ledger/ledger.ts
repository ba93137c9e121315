import { databaseKind, migrate, openDatabase } from '@wayleave/io/sql';
import { parseRobots } from '@wayleave/protocols/robots';
import { parseRobots2 } from '@wayleave/protocols/robots2';
import { CompiledQuery, sql } from 'kysely';
import { formatOwnFiles, type KnownSite, parseOwnFiles } from '../policy/known-site.ts';
import { createPolicyVersion, type PolicyVersion } from '../policy/policy-version.ts';
import { addOnConflict, type CountRow, countColumns, countLengths, EntryCounter } from './counts.ts';
import type { Entry } from './entry.ts';
import { createPseudonyms } from './pseudonyms.ts';
import type { PastPolicyVersion, Recalled, RecalledGrant, Recorder } from './recorder.ts';
import { type Referral, ReferralCounter } from './referral.ts';
import { entryColumns, type LedgerDb, type LedgerSchema, ledgerMigrations } from './schema.ts';

export interface LedgerOptions {
	/** Days after which entries are deleted. Default 90. */
	readonly retentionDays?: number;
	/** Addresses are replaced by pseudonyms whose key is not kept. Default false. */
	readonly hashAddresses?: boolean;
	/** Entries that wait to be written, at most; what comes beyond is counted and dropped. Default 50,000. */
	readonly maxQueue?: number;
	/** Milliseconds that an entry waits for others. Default 250. */
	readonly batchTime?: number;
	readonly now?: () => number;
	/** The ledger is only read, by a process that soon ends: a file can be read without a native SQLite. */
	readonly brief?: boolean;
	/** Told once when writing fails, and again when it works. */
	readonly onTrouble?: (error: unknown) => void;
}

/** The ledger of a gateway, in SQLite or PostgreSQL: written in batches, away from the requests. */
export interface Ledger extends Recorder {
	readonly db: LedgerDb;
	/** Entries that were dropped because the queue was full or could not be written. */
	readonly dropped: number;
	/** Writes what waits. */
	flush(): Promise<void>;
	/** Deletes what is older than the retention; returns how many entries. */
	prune(): Promise<number>;
	/** Versions of the policy until now, the latest first: the first may be in force still. */
	pastPolicyVersions(origin: string): Promise<PastPolicyVersion[]>;
	/** The version that each client fetched last, during the last day. */
	recall(): Promise<Recalled[]>;
	/** Permissions of agents from the last day, unless a later decision replaced them. */
	recallGrants(): Promise<RecalledGrant[]>;
	/** The site's own files as an earlier run last read them. */
	recallSite(origin: string): Promise<KnownSite | undefined>;
	/** Keeps the site's own files for the next run. Never waits and never throws. */
	recordSite(origin: string, site: KnownSite): void;
	close(): Promise<void>;
}

const day = 86_400_000;
const hour = 3_600_000;
/** Entries in one statement. */
const batchSize = 100;
/** Entries in one transaction: the counts of hours and days are added once for all of them. */
const groupSize = 2000;
/** Rows in one statement that adds counts: each has two dozen parameters. */
const maxCountRows = 200;

/**
 * Opens a ledger, which is made where there is none.
 *
 * @param store `sqlite:FILE` or `postgres://…`, which several gateways may share.
 * @throws DatabaseError
 */
export async function openLedger(store: string, options: LedgerOptions = {}): Promise<Ledger> {
	const db = openDatabase<LedgerSchema>(store, { brief: options.brief === true });
	await migrate(db, ledgerMigrations, { component: 'gateway' });
	return new SqlLedger(db, options);
}

class SqlLedger implements Ledger {
	readonly db: LedgerDb;
	dropped = 0;
	#queue: Entry[] = [];
	/** Entries that have left the queue and are not in the database yet. */
	#unwritten = 0;
	#writing: Promise<void> = Promise.resolve();
	#timer: NodeJS.Timeout | undefined;
	readonly #counter = new EntryCounter();
	readonly #referrals = new ReferralCounter();
	#troubled = false;
	readonly #options: Required<Omit<LedgerOptions, 'onTrouble' | 'brief'>> & Pick<LedgerOptions, 'onTrouble'>;
	readonly #pseudonymise: (entry: Entry) => Entry;
	readonly #pruning: NodeJS.Timeout;
	readonly #isPostgres: boolean;
	/** Statements by the counts of columns and rows: at most two for each size of a batch. */
	readonly #insertTexts = new Map<string, string>();

	constructor(db: LedgerDb, options: LedgerOptions) {
		this.db = db;
		this.#isPostgres = databaseKind(db) === 'postgres';
		this.#options = {
			retentionDays: 90,
			hashAddresses: false,
			maxQueue: 50_000,
			batchTime: 250,
			now: Date.now,
			...options,
		};
		this.#pseudonymise = this.#options.hashAddresses ? createPseudonyms(this.#options.now) : (entry) => entry;
		this.#pruning = setInterval(() => void this.prune().catch((error) => this.#trouble(error)), hour).unref();
	}

	record(entry: Entry): void {
		if (this.#queue.length + this.#unwritten >= this.#options.maxQueue) {
			this.dropped++;
			return;
		}
		this.#queue.push(entry);
		this.#flushSoon();
	}

	recordReferral(referral: Referral): void {
		this.#referrals.add(referral);
		this.#flushSoon();
	}

	#flushSoon(): void {
		this.#timer ??= setTimeout(() => void this.flush(), this.#options.batchTime).unref();
	}

	recordPolicyVersion({ version, since, robots, robots2 }: PolicyVersion): void {
		this.#later(async () => {
			const last = await this.db
				.selectFrom('gateway_policy')
				.select('version')
				.orderBy('since', 'desc')
				.executeTakeFirst();
			if (last?.version === version) return;
			await this.db.insertInto('gateway_policy').values({ version, since, robots, robots2 }).execute();
		});
	}

	flush(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		while (this.#queue.length > 0) {
			const entries = this.#queue.splice(0, groupSize);
			this.#later(() => this.#write(entries), entries.length);
		}
		if (this.#referrals.size > 0) this.#later(() => this.#writeReferrals());
		return this.#writing;
	}

	async prune(): Promise<number> {
		const until = this.#options.now() - this.#options.retentionDays * day;
		let deleted = 0;
		for (;;) {
			// In small steps: what is written meanwhile does not wait long.
			const some = this.db.selectFrom('gateway_request').select('id').where('at', '<', until).limit(5000);
			const { numDeletedRows } = await this.db.deleteFrom('gateway_request').where('id', 'in', some).executeTakeFirst();
			deleted += Number(numDeletedRows);
			if (numDeletedRows < 5000n) break;
		}
		// An hour or a day that is kept in part is kept whole: it has no addresses.
		for (const length of countLengths) {
			const counts = this.db.deleteFrom('gateway_count').where('length', '=', length);
			await counts.where('at', '<', until - length).execute();
		}
		await this.db
			.deleteFrom('gateway_referral')
			.where('at', '<', until - day)
			.execute();
		return deleted;
	}

	async pastPolicyVersions(origin: string): Promise<PastPolicyVersion[]> {
		const rows = await this.db.selectFrom('gateway_policy').selectAll().orderBy('since', 'desc').limit(10).execute();
		return rows.map((row, index) => ({
			until: rows[index - 1]?.since ?? this.#options.now(),
			policyVersion: createPolicyVersion(row, {
				robots: { source: `${origin}/robots.txt`, file: parseRobots(row.robots).value },
				...(row.robots2 !== '' && {
					robots2: { files: [{ source: `${origin}/robots2.txt`, file: parseRobots2(row.robots2).value }] },
				}),
			}),
		}));
	}

	async recall(): Promise<Recalled[]> {
		const since = this.#options.now() - day;
		const { rows } = await sql<Recalled>`
			select agent, client, in_force as policy, at from (
				select agent, client, in_force, at,
					row_number() over (partition by agent, client order by at desc, id desc) as place
				from gateway_request
				where at > ${since} and action = 'file' and path in ('/robots.txt', '/robots2.txt')
			) as reads
			where place = 1 limit 100000`.execute(this.db);
		return rows;
	}

	async recallGrants(): Promise<RecalledGrant[]> {
		const since = this.#options.now() - day;
		const { rows } = await sql<RecalledGrant>`
			select agent, client, asked as directive, at from (
				select agent, client, asked, answer, at,
					row_number() over (partition by agent, client, asked order by at desc, id desc) as place
				from gateway_request
				where at > ${since} and action = 'ask' and asked is not null
			) as asks
			where place = 1 and answer = 'allow' limit 100000`.execute(this.db);
		return rows;
	}

	async recallSite(origin: string): Promise<KnownSite | undefined> {
		const sites = this.db.selectFrom('gateway_site').selectAll().where('origin', '=', origin);
		const row = await sites.executeTakeFirst();
		const own = row && parseOwnFiles(row.own);
		return row && own && { own, readAt: Number(row.read_at) };
	}

	recordSite(origin: string, site: KnownSite): void {
		const values = { read_at: site.readAt, own: formatOwnFiles(site.own) };
		this.#later(async () => {
			await this.db
				.insertInto('gateway_site')
				.values({ origin, ...values })
				.onConflict((conflict) => conflict.column('origin').doUpdateSet(values))
				.execute();
		});
	}

	async close(): Promise<void> {
		clearInterval(this.#pruning);
		await this.flush();
		await this.db.destroy();
	}

	/** One after the other; a failure loses its own entries and no others. */
	#later(work: () => Promise<void>, entries = 0): void {
		this.#unwritten += entries;
		this.#writing = this.#writing.then(work).then(
			() => {
				this.#unwritten -= entries;
				this.#troubled = false;
			},
			(error: unknown) => {
				this.#unwritten -= entries;
				this.dropped += entries;
				this.#trouble(error);
			},
		);
	}

	#trouble(error: unknown): void {
		if (!this.#troubled) this.#options.onTrouble?.(error);
		this.#troubled = true;
	}

	async #write(entries: readonly Entry[]): Promise<void> {
		const written = entries.map(this.#pseudonymise);
		const counts = this.#counter.count(written);
		await this.db.transaction().execute(async (db) => {
			for (let at = 0; at < written.length; at += batchSize) {
				const batch = written.slice(at, at + batchSize);
				await this.#insert(db, batch.filter(isPlain), varyingColumns, ordinary);
				await this.#insert(
					db,
					batch.filter((entry) => !isPlain(entry)),
					names,
					{},
				);
			}
			for (let at = 0; at < counts.length; at += maxCountRows)
				await this.#addCounts(db, counts.slice(at, at + maxCountRows));
		});
	}

	async #insert(
		db: LedgerDb,
		entries: readonly Entry[],
		columns: readonly (keyof Entry)[],
		literals: Readonly<Record<string, unknown>>,
	): Promise<void> {
		if (entries.length === 0) return;
		const values: unknown[] = [];
		for (const entry of entries) for (const name of columns) values.push(entry[name]);
		// Most batches are full.
		const key = `${columns.length} ${entries.length}`;
		const text = this.#insertTexts.get(key) ?? this.#insertText(entries.length, literals);
		this.#insertTexts.set(key, text);
		await db.executeQuery(CompiledQuery.raw(text, values));
	}

	async #addCounts(db: LedgerDb, rows: readonly CountRow[]): Promise<void> {
		const values = rows.flatMap((row) => countColumns.map((name) => row[name]));
		const conflict = addOnConflict(this.#isPostgres ? 'greatest' : 'max');
		const text = `insert into gateway_count (${countColumns.join()}) values ${this.#parameters(rows.length, countColumns.length)} ${conflict}`;
		await db.executeQuery(CompiledQuery.raw(text, values));
	}

	async #writeReferrals(): Promise<void> {
		const rows = this.#referrals.take();
		for (let at = 0; at < rows.length; at += batchSize)
			await this.db
				.insertInto('gateway_referral')
				.values(rows.slice(at, at + batchSize))
				.onConflict((conflict) =>
					conflict
						.columns(['at', 'assistant', 'path'])
						.doUpdateSet({ visits: sql`gateway_referral.visits + excluded.visits` }),
				)
				.execute();
	}

	/** `(?,?),(?,?)` for SQLite, numbered for PostgreSQL. */
	#parameters(rows: number, columns: number): string {
		let number = 0;
		const parameter = this.#isPostgres ? () => `$${++number}` : () => '?';
		return Array.from({ length: rows }, () => `(${Array.from({ length: columns }, parameter).join()})`).join();
	}

	/** Written by hand: to build a statement of thousands of parameters costs more than to run it. */
	#insertText(count: number, literals: Readonly<Record<string, unknown>>): string {
		let number = 0;
		const parameter = this.#isPostgres ? () => `$${++number}` : () => '?';
		const row = () => `(${names.map((name) => (name in literals ? String(literals[name]) : parameter())).join()})`;
		return `insert into gateway_request (${columnNames}) values ${Array.from({ length: count }, row).join()}`;
	}
}

const names = Object.keys(entryColumns) as (keyof Entry)[];
const columnNames = Object.values(entryColumns).join();

/** Fields that most requests share: nothing was withheld, asked or saved. They are not sent with each. */
const ordinary = {
	would: null,
	reason: null,
	bytesSaved: 0,
	tokensSaved: 0,
	ruleSource: null,
	ruleLine: null,
	ruleText: null,
	violation: 0,
	excuse: null,
	early: 0,
	asked: null,
	answer: null,
	revision: null,
} as const satisfies Partial<Entry>;
const ordinaryNames = Object.keys(ordinary) as (keyof typeof ordinary)[];
const varyingColumns = names.filter((name) => !(name in ordinary));

function isPlain(entry: Entry): boolean {
	for (const name of ordinaryNames) if (entry[name] !== ordinary[name]) return false;
	return true;
}
