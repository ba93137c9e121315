import { randomBytes } from 'node:crypto';
import type { Clock, Result } from '@wayleave/crawler';
import { databaseKind, type Migration, migrate, statements } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import type { Background } from '../observe/background-work.ts';
import type { Served } from './served.ts';

interface SharedFetchSchema {
	/** One row for each page that a process fetches or has just fetched. Times are milliseconds of the database's clock. */
	service_fetch: {
		url: string;
		/** Names this fetch among all. */
		token: string;
		/** While it is fetched: when others may take over, unless the process renews this. */
		until: number;
		ended: number;
		/** JSON: the result, if it has no document and every caller may have it. */
		result: string | null;
	};
}

export const sharedFetchMigrations: readonly Migration[] = [
	{
		name: '001-fetches',
		up: statements(
			`create table service_fetch (url text primary key, token text not null, until bigint not null,
				ended smallint not null, result text)`,
		),
	},
];

export interface SharedFetch {
	/** Only a fetch that begins now will do. */
	readonly refresh: boolean;
	/** Aborted when no caller waits for it any more. */
	readonly signal: AbortSignal;
	/** The stored document. */
	find(): Promise<Served | undefined>;
	fetch(): Promise<Served>;
}

/** How long a fetch is left to a process that does not renew it, how often it does, and between two looks at it; ms. */
const leaseTime = 5000;
const renewal = 1500;
const lookPause = 100;
/** How long an ended fetch is kept for those that wait for it; ms. */
const kept = 60_000;

const clockNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * One fetch of a page at a time over all processes with one PostgreSQL. The others wait: for a document until it is
 * stored, for a failure until it is reported. If the process that fetches dies, one of them takes over.
 */
export class SharedFetches {
	readonly #db: Kysely<SharedFetchSchema>;
	readonly #clock: Clock;

	private constructor(db: Kysely<SharedFetchSchema>, clock: Clock) {
		this.#db = db;
		this.#clock = clock;
	}

	/** Undefined for SQLite, which one process uses at a time. */
	static async open(db: Kysely<unknown>, clock: Clock): Promise<SharedFetches | undefined> {
		if (databaseKind(db) !== 'postgres') return undefined;
		await migrate(db, sharedFetchMigrations, { component: 'service-fetches' });
		return new SharedFetches(db as Kysely<SharedFetchSchema>, clock);
	}

	/** Forgets ended fetches now and then. */
	tidy(background: Background): void {
		background.every(kept, 'forgetting fetches', async () => {
			await this.#db.deleteFrom('service_fetch').where('until', '<', sql<number>`${clockNow} - ${kept}`).execute();
		});
	}

	/** @throws what `fetch` throws */
	async run(url: string, call: SharedFetch): Promise<Served> {
		for (;;) {
			const token = randomBytes(12).toString('base64url');
			const other = await this.#claim(url, token);
			if (other === undefined) return await this.#work(url, token, call);
			const result = await this.#endOf(url, other, call.signal);
			if (call.refresh) continue;
			const served = result === undefined ? await call.find() : { result };
			if (served !== undefined) return served;
		}
	}

	/** Undefined if the page is ours to fetch; else the token of the fetch that is on its way. */
	async #claim(url: string, token: string): Promise<string | undefined> {
		const until = sql<number>`${clockNow} + ${leaseTime}::bigint`;
		const claimed = await this.#db
			.insertInto('service_fetch')
			.values({ url, token, until, ended: 0, result: null })
			.onConflict((conflict) =>
				conflict
					.column('url')
					.doUpdateSet({ token, until, ended: 0, result: null })
					.where((at) => at.or([at('service_fetch.ended', '=', 1), at('service_fetch.until', '<', clockNow)])),
			)
			.returning('token')
			.executeTakeFirst();
		if (claimed !== undefined) return undefined;
		const found = this.#db.selectFrom('service_fetch').select('token').where('url', '=', url);
		return (await found.executeTakeFirst())?.token ?? '';
	}

	async #work(url: string, token: string, { refresh, find, fetch }: SharedFetch): Promise<Served> {
		const own = this.#db.updateTable('service_fetch').where('url', '=', url).where('token', '=', token);
		const renew = () => own.set({ until: sql<number>`${clockNow} + ${leaseTime}::bigint` }).execute();
		// A renewal that fails is tried again; without one, another process fetches too.
		const timer = setInterval(() => void renew().catch(() => {}), renewal).unref();
		let result: Result | undefined;
		try {
			// Another process may have stored it since this one looked.
			const served = (refresh ? undefined : await find()) ?? (await fetch());
			result = served.result;
			return served;
		} finally {
			clearInterval(timer);
			const shared = result !== undefined && isForAll(result) ? JSON.stringify(result) : null;
			await own
				.set({ ended: 1, until: clockNow, result: shared })
				.execute()
				.catch(() => {}); // Those that wait take over when the lease ends.
		}
	}

	/** Waits for the end of another process's fetch; returns its result if that is for all. */
	async #endOf(url: string, token: string, signal: AbortSignal): Promise<Result | undefined> {
		for (;;) {
			await this.#clock.sleep(lookPause, signal);
			signal.throwIfAborted();
			const row = await this.#db
				.selectFrom('service_fetch')
				.select(['token', 'ended', 'result', sql<boolean>`until < ${clockNow}`.as('over')])
				.where('url', '=', url)
				.executeTakeFirst();
			if (row === undefined || row.token !== token) return undefined;
			if (row.ended === 1) return row.result === null ? undefined : (JSON.parse(row.result) as Result);
			if (row.over) return undefined;
		}
	}
}

/** Documents are in the store, if they may be kept at all; a permission for one use is for one caller. */
function isForAll({ document, page, policy }: Result): boolean {
	return document === undefined && page === undefined && policy?.limits?.once !== true;
}
