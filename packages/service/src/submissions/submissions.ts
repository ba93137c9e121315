import { randomBytes } from 'node:crypto';
import type { Result } from '@wayleave/crawler';
import { databaseKind, type Migration, migrate, statements } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { readUrl } from '../documents/documents.ts';
import { type Caller, openCaller } from '../keys/caller.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { dayOf, type Reservation } from '../keys/limits.ts';
import { errorFields } from '../observe/log.ts';
import { ServiceError } from '../problems/problem.ts';
import type { CoreDeps } from './core-deps.ts';

/** Times are milliseconds since 1970. */
interface SubmissionSchema {
	service_submission: {
		id: string;
		caller: string;
		url: string;
		refresh: number;
		submitted_at: number;
		finished_at: number | null;
		/** JSON: the result without the document; null when the service itself failed. */
		result: string | null;
		/** While it waits: when its host may be requested again. */
		retry_at: number | null;
		/** When its document was fetched, which counts for the quota. */
		collected_at: number | null;
		/** PostgreSQL: the process that fetches it, and when others may take it over, by the clock of the database. */
		holder: string | null;
		held_until: number | null;
	};
}

export const submissionMigrations: readonly Migration[] = [
	{
		name: '001-submissions',
		up: statements(
			`create table service_submission (id text primary key, caller text not null, url text not null,
				refresh smallint not null, submitted_at bigint not null, finished_at bigint, result text)`,
			'create index service_submission_end on service_submission (finished_at)',
		),
	},
	{
		name: '002-retry',
		up: statements(
			'alter table service_submission add column retry_at bigint',
			'alter table service_submission add column collected_at bigint',
			'create index service_submission_caller on service_submission (caller)',
		),
	},
	{
		name: '003-holders',
		up: statements(
			'alter table service_submission add column holder text',
			'alter table service_submission add column held_until bigint',
		),
	},
];

/** How long the result of a submission is kept; milliseconds. */
const retention = 7 * 24 * 60 * 60 * 1000;
const pruning = 60 * 60 * 1000;
/** How long a submission is left to a process that does not renew it, and how often all do; milliseconds. */
const holding = 10_000;
const renewing = 2000;
/** Submissions that a process takes over in one step. */
const maxTaken = 500;
const heldUntil = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${holding}::bigint`;
const isFree = sql<boolean>`coalesce(held_until, 0) < extract(epoch from clock_timestamp()) * 1000`;

/** A page that waits behind ten thousand others of its host takes a day. */
const longest = 7 * 24 * 60 * 60 * 1000;

export interface Submission {
	readonly id: string;
	readonly url: string;
	readonly submittedAt: number;
	readonly finishedAt?: number;
	/** While it waits: when its host may be requested again. */
	readonly retryAt?: number;
	/** Undefined while it waits, and when the service itself failed. */
	readonly result?: Omit<Result, 'document'>;
}

type Row = SubmissionSchema['service_submission'];

/** Dependencies of submissions. */
export type SubmissionDeps = Pick<
	CoreDeps,
	'background' | 'clock' | 'config' | 'db' | 'documents' | 'limits' | 'log'
> & { readonly keys: KeyStore };

/**
 * Pages that are fetched in the background. Submissions outlive the process: unfinished ones start again, and one that
 * its host has put off is retried when the host may be requested. Of several processes with one PostgreSQL each holds its
 * own, and takes over those of one that has died.
 */
export class Submissions {
	readonly #db: Kysely<SubmissionSchema>;
	readonly #deps: SubmissionDeps;
	readonly #waiting = new Map<string, number>();
	/** Names this process among those that share a PostgreSQL. */
	readonly #holder = randomBytes(12).toString('base64url');
	readonly #isShared: boolean;

	private constructor(deps: SubmissionDeps) {
		this.#db = deps.db as Kysely<SubmissionSchema>;
		this.#deps = deps;
		this.#isShared = databaseKind(deps.db) === 'postgres';
	}

	/** `resume` starts the unfinished submissions of an earlier process. */
	static async open(deps: SubmissionDeps): Promise<Submissions> {
		await migrate(deps.db, submissionMigrations, { component: 'service-submissions' });
		const submissions = new Submissions(deps);
		deps.background.every(pruning, 'forgetting submissions', () => submissions.#prune());
		return submissions;
	}

	/** @throws ServiceError `bad-request`, `queue-full`, `quota-exceeded` */
	async submit({ id: caller, ...limited }: Caller, url: string, refresh: boolean): Promise<Submission> {
		const { clock, config, limits } = this.#deps;
		const key = readUrl(url);
		const waiting = this.#waiting.get(caller) ?? 0;
		if (waiting >= config.maxSubmissions)
			throw new ServiceError('queue-full', { detail: `${waiting} wait`, retry_after: 60 });
		const row: Row = {
			id: randomBytes(12).toString('base64url'),
			caller,
			url: key,
			refresh: refresh ? 1 : 0,
			submitted_at: clock.now(),
			finished_at: null,
			result: null,
			retry_at: null,
			collected_at: null,
			holder: this.#isShared ? this.#holder : null,
			held_until: null,
		};
		const reservation = await limits.reserve({ id: caller, ...limited }, 1);
		try {
			const held = this.#isShared ? { held_until: heldUntil } : {};
			await this.#db
				.insertInto('service_submission')
				.values({ ...row, ...held })
				.execute();
		} catch (error) {
			reservation.close();
			throw error;
		}
		this.#begin(row, reservation);
		return toSubmission(row);
	}

	/** Only the caller that submitted it can find it. */
	async find({ id: caller }: Caller, id: string): Promise<Submission | undefined> {
		const query = this.#db.selectFrom('service_submission').selectAll().where('id', '=', id);
		const row = await query.where('caller', '=', caller).executeTakeFirst();
		return row && toSubmission(row);
	}

	/**
	 * Whether a document is one that the caller has submitted and not collected yet: it was counted when it was fetched,
	 * so collecting it costs nothing more.
	 */
	async collect({ id: caller }: Caller, url: string): Promise<boolean> {
		const waiting = await this.#db
			.selectFrom('service_submission')
			.select('id')
			.where('caller', '=', caller)
			.where('url', '=', url)
			.where('finished_at', 'is not', null)
			.where('collected_at', 'is', null)
			.executeTakeFirst();
		if (waiting === undefined) return false;
		const { numUpdatedRows } = await this.#db
			.updateTable('service_submission')
			.set({ collected_at: this.#deps.clock.now() })
			.where('id', '=', waiting.id)
			.where('collected_at', 'is', null)
			.executeTakeFirst();
		return Number(numUpdatedRows) > 0;
	}

	/** Starts unfinished submissions: now those of an earlier process, later those of other ones that die. */
	async resume(): Promise<void> {
		if (!this.#isShared) {
			const query = this.#db.selectFrom('service_submission').selectAll().where('finished_at', 'is', null);
			await this.#beginAll(await query.orderBy('submitted_at').execute());
			return;
		}
		await this.#takeOver();
		this.#deps.background.every(renewing, 'taking over submissions', async () => {
			const own = this.#db.updateTable('service_submission').where('holder', '=', this.#holder);
			await own.set({ held_until: heldUntil }).where('finished_at', 'is', null).execute();
			await this.#takeOver();
		});
	}

	async #takeOver(): Promise<void> {
		const free = this.#db
			.selectFrom('service_submission')
			.select('id')
			.where('finished_at', 'is', null)
			.where(isFree)
			.orderBy('submitted_at')
			.limit(maxTaken)
			.forUpdate()
			.skipLocked();
		const taking = this.#db.updateTable('service_submission').set({ holder: this.#holder, held_until: heldUntil });
		await this.#beginAll(await taking.where('id', 'in', free).returningAll().execute());
	}

	/** Leaves unfinished submissions to other processes. */
	async release(): Promise<void> {
		if (!this.#isShared) return;
		const own = this.#db.updateTable('service_submission').where('holder', '=', this.#holder);
		await own.set({ holder: null, held_until: null }).where('finished_at', 'is', null).execute();
	}

	async #beginAll(rows: readonly Row[]): Promise<void> {
		const { keys, limits } = this.#deps;
		const quotas = new Map<string, number | undefined>();
		for (const { caller } of rows) if (!quotas.has(caller)) quotas.set(caller, (await keys.find(caller))?.key.quota);
		for (const row of rows) {
			const caller = { id: row.caller, quota: quotas.get(row.caller) };
			this.#begin(row, limits.hold(caller, 1, dayOf(Number(row.submitted_at))));
		}
	}

	#begin(row: Row, reservation: Reservation): void {
		const { caller } = row;
		this.#waiting.set(caller, (this.#waiting.get(caller) ?? 0) + 1);
		const ended = this.#run(row, reservation).finally(() => {
			reservation.close();
			const left = (this.#waiting.get(caller) ?? 1) - 1;
			if (left === 0) this.#waiting.delete(caller);
			else this.#waiting.set(caller, left);
		});
		this.#deps.background.add(ended);
	}

	async #run(row: Row, reservation: Reservation): Promise<void> {
		const { background, clock, log } = this.#deps;
		const end = Number(row.submitted_at) + longest;
		let retryAt = Number(row.retry_at ?? 0);
		try {
			for (;;) {
				await this.#waitUntil(retryAt);
				if (background.signal.aborted) return;
				const result = await this.#attempt(row, end);
				if (result === undefined) return;
				const next = nextTry(result, clock.now());
				if (next === undefined || next >= end) return await this.#finish(row.id, result, reservation);
				retryAt = next;
				await this.#update(row.id, { retry_at: retryAt });
			}
		} catch (error) {
			log.error('a submission failed', { id: row.id, ...errorFields(error) });
			if (!background.signal.aborted) await this.#update(row.id, { finished_at: clock.now(), result: null });
		}
	}

	/** The clock may wake earlier. */
	async #waitUntil(time: number): Promise<void> {
		const { background, clock } = this.#deps;
		for (let rest = time - clock.now(); rest > 0 && !background.signal.aborted; rest = time - clock.now())
			await clock.sleep(rest, background.signal);
	}

	/** Undefined if the service is stopping: that says nothing about the page, which is fetched after the next start. */
	async #attempt({ url, caller, refresh }: Row, end: number): Promise<Result | undefined> {
		const { documents, background, clock } = this.#deps;
		const failed = {
			url,
			outcome: 'failed',
			reason: 'aborted',
			depth: 0,
			at: new Date(clock.now()).toISOString(),
		} as const;
		if (!(await this.#isCallerGood(caller))) return failed;
		try {
			const { result } = await documents.get(url, {
				freshnessPolicy: refresh === 1 ? 'force_refresh' : 'cache_first',
				// Callers that wait for a response do not queue behind submissions.
				lane: `${caller}/submitted`,
				signal: background.signal,
				timeLimit: Math.max(1, end - clock.now()),
			});
			return result.document === undefined && background.signal.aborted ? undefined : result;
		} catch (error) {
			if (background.signal.aborted) return undefined;
			if (!(error instanceof ServiceError)) throw error;
			if (error.code === 'shutting-down') return undefined;
			if (error.code !== 'host-busy') throw error;
			const retryAt = new Date(clock.now() + pauseOf(error)).toISOString();
			return { ...failed, outcome: 'deferred', retryAt };
		}
	}

	/** A key that was revoked or has expired gets no more fetches. */
	async #isCallerGood(caller: string): Promise<boolean> {
		const { keys, clock } = this.#deps;
		if (caller === openCaller.id) return true;
		const { revokedAt, expiresAt = Number.POSITIVE_INFINITY } = (await keys.find(caller))?.key ?? { revokedAt: 0 };
		return revokedAt === undefined && expiresAt > clock.now();
	}

	async #finish(id: string, { document: _, page: __, ...rest }: Result, reservation: Reservation): Promise<void> {
		const finishedAt = this.#deps.clock.now();
		const isOurs = await this.#update(id, { finished_at: finishedAt, result: JSON.stringify(rest), retry_at: null });
		// One that another process took over counts there.
		if (canBeCollected(rest) || !isOurs) reservation.keep();
	}

	/** Returns false if another process has taken over the submission. */
	async #update(id: string, changes: Partial<Row>): Promise<boolean> {
		const row = this.#db.updateTable('service_submission').set(changes).where('id', '=', id);
		const own = this.#isShared ? row.where('holder', '=', this.#holder).where('finished_at', 'is', null) : row;
		const { numUpdatedRows } = await own.executeTakeFirst();
		return numUpdatedRows > 0n;
	}

	async #prune(): Promise<void> {
		const before = this.#deps.clock.now() - retention;
		await this.#db.deleteFrom('service_submission').where('finished_at', '<', before).execute();
	}
}

/** Whether there is a document, and it may be stored until its caller collects it. */
export function canBeCollected({ outcome, reason, policy }: Omit<Result, 'document'>): boolean {
	if (outcome !== 'fetched' && outcome !== 'unchanged') return false;
	return reason !== 'store-no' && reason !== 'store-session-only' && policy?.limits?.once !== true;
}

/** When a page that its host has put off is retried; undefined for a finished one. Milliseconds since 1970. */
function nextTry({ outcome, reason, retryAt }: Result, now: number): number | undefined {
	// The host will ask for the same pause tomorrow.
	if (outcome !== 'deferred' || reason === 'crawl-delay-too-long') return undefined;
	const at = retryAt === undefined ? Number.NaN : Date.parse(retryAt);
	return Math.max(Number.isNaN(at) ? now + defaultPause : at, now + leastPause);
}

const pauseOf = ({ more: { retry_after = 0 } }: ServiceError): number => retry_after * 1000;

/** Milliseconds before the next try if a result does not say when; also the minimum. */
const defaultPause = 5 * 60 * 1000;
const leastPause = 1000;

function toSubmission({ id, url, submitted_at, finished_at, result, retry_at }: Row): Submission {
	return {
		id,
		url,
		submittedAt: Number(submitted_at),
		...(finished_at !== null && { finishedAt: Number(finished_at) }),
		...(finished_at === null && retry_at !== null && { retryAt: Number(retry_at) }),
		...(result !== null && { result: JSON.parse(result) as Omit<Result, 'document'> }),
	};
}
