import { randomBytes } from 'node:crypto';
import type { Result } from '@wayleave/crawler';
import { type Migration, migrate } from '@wayleave/io';
import type { Kysely } from 'kysely';
import { readUrl } from '../documents/documents.ts';
import type { Caller } from '../keys/caller.ts';
import { errorFields } from '../log.ts';
import { ServiceError } from '../problem.ts';
import type { Foundations } from '../room.ts';

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
	};
}

const migrations: readonly Migration[] = [
	{
		name: '001-submissions',
		async up(db) {
			await db.schema
				.createTable('service_submission')
				.addColumn('id', 'text', (column) => column.primaryKey())
				.addColumn('caller', 'text', (column) => column.notNull())
				.addColumn('url', 'text', (column) => column.notNull())
				.addColumn('refresh', 'smallint', (column) => column.notNull())
				.addColumn('submitted_at', 'bigint', (column) => column.notNull())
				.addColumn('finished_at', 'bigint')
				.addColumn('result', 'text')
				.execute();
			await db.schema.createIndex('service_submission_end').on('service_submission').column('finished_at').execute();
		},
	},
];

/** What becomes of a submission is told for so long. */
const retention = 7 * 24 * 60 * 60 * 1000;
const pruning = 60 * 60 * 1000;
/** A page that waits behind ten thousand others of its host takes a day. */
const longest = 7 * 24 * 60 * 60 * 1000;

export interface Submission {
	readonly id: string;
	readonly url: string;
	readonly submittedAt: number;
	readonly finishedAt?: number;
	/** Undefined while it waits, and when the service itself failed. */
	readonly result?: Omit<Result, 'document'>;
}

type Row = SubmissionSchema['service_submission'];

/** Pages that are fetched without anybody waiting. They outlive the process: what is not done is begun again. */
export class Submissions {
	readonly #db: Kysely<SubmissionSchema>;
	readonly #foundations: Foundations;
	readonly #waiting = new Map<string, number>();

	private constructor(foundations: Foundations) {
		this.#db = foundations.db as Kysely<SubmissionSchema>;
		this.#foundations = foundations;
	}

	static async open(foundations: Foundations): Promise<Submissions> {
		await migrate(foundations.db, migrations, { component: 'service-submissions' });
		const submissions = new Submissions(foundations);
		await submissions.#resume();
		foundations.background.every(pruning, 'forgetting submissions', () => submissions.#prune());
		return submissions;
	}

	/** @throws ServiceError `bad-request`, `queue-full` */
	async submit({ id: caller }: Caller, url: string, refresh: boolean): Promise<Submission> {
		const { clock, config } = this.#foundations;
		const waiting = this.#waiting.get(caller) ?? 0;
		if (waiting >= config.mostSubmissions)
			throw new ServiceError('queue-full', { detail: `${waiting} wait`, retry_after: 60 });
		const row: Row = {
			id: randomBytes(12).toString('base64url'),
			caller,
			url: readUrl(url),
			refresh: refresh ? 1 : 0,
			submitted_at: clock.now(),
			finished_at: null,
			result: null,
		};
		await this.#db.insertInto('service_submission').values(row).execute();
		this.#begin(row);
		return toSubmission(row);
	}

	/** Only its own caller is told. */
	async find({ id: caller }: Caller, id: string): Promise<Submission | undefined> {
		const query = this.#db.selectFrom('service_submission').selectAll().where('id', '=', id);
		const row = await query.where('caller', '=', caller).executeTakeFirst();
		return row && toSubmission(row);
	}

	async #resume(): Promise<void> {
		const query = this.#db.selectFrom('service_submission').selectAll().where('finished_at', 'is', null);
		for (const row of await query.orderBy('submitted_at').execute()) this.#begin(row);
	}

	#begin(row: Row): void {
		const { caller } = row;
		this.#waiting.set(caller, (this.#waiting.get(caller) ?? 0) + 1);
		const ended = this.#run(row).finally(() => {
			const left = this.#waiting.get(caller)! - 1;
			if (left === 0) this.#waiting.delete(caller);
			else this.#waiting.set(caller, left);
		});
		this.#foundations.background.add(ended);
	}

	async #run({ id, url, caller, refresh }: Row): Promise<void> {
		const { documents, log, background, clock } = this.#foundations;
		let result: string | null = null;
		try {
			const served = await documents.get(url, {
				freshnessPolicy: refresh === 1 ? 'force_refresh' : 'cache_first',
				// Those who wait for an answer do not wait behind these.
				lane: `${caller}/submitted`,
				signal: background.signal,
				timeLimit: longest,
			});
			const { document: _, page: __, ...rest } = served.result;
			// What the end of the service has cut off says nothing of the page; it is begun again with the service.
			if (served.result.document === undefined && background.signal.aborted) return;
			result = JSON.stringify(rest);
		} catch (error) {
			if (background.signal.aborted || (error instanceof ServiceError && error.code === 'shutting-down')) return;
			log.error('a submission failed', { id, ...errorFields(error) });
		}
		const changes = { finished_at: clock.now(), result };
		await this.#db.updateTable('service_submission').set(changes).where('id', '=', id).execute();
	}

	async #prune(): Promise<void> {
		const before = this.#foundations.clock.now() - retention;
		await this.#db.deleteFrom('service_submission').where('finished_at', '<', before).execute();
	}
}

function toSubmission({ id, url, submitted_at, finished_at, result }: Row): Submission {
	return {
		id,
		url,
		submittedAt: Number(submitted_at),
		...(finished_at !== null && { finishedAt: Number(finished_at) }),
		...(result !== null && { result: JSON.parse(result) as Omit<Result, 'document'> }),
	};
}
