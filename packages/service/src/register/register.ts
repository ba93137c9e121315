import { randomBytes } from 'node:crypto';
import { migrate, withoutNulls } from '@wayleave/io/sql';
import type { Kysely } from 'kysely';
import { ServiceError } from '../problems/problem.ts';
import { type RegisterSchema, type ReviewStatus, registerMigrations } from './schema.ts';
import type { Report } from './schemas.ts';
import type { Signer } from './signers.ts';

export interface StoredReport {
	readonly id: string;
	readonly receivedAt: number;
	readonly status: ReviewStatus;
	readonly reviewedAt?: number;
	readonly note?: string;
	readonly report: Report;
	readonly answers: readonly StoredAnswer[];
}

export interface StoredAnswer {
	readonly id: string;
	readonly author: string;
	/** The https origin whose key signed it. */
	readonly signedBy?: string;
	readonly text: string;
	readonly receivedAt: number;
	readonly status: ReviewStatus;
}

/** Lists end after so many; `before` goes on. */
export const pageLength = 100;

const newId = () => randomBytes(12).toString('hex');

/** Reports of broken terms: stored as received, shown after review. */
export class Register {
	readonly #db: Kysely<RegisterSchema>;
	readonly #now: () => number;

	private constructor(db: Kysely<unknown>, now: () => number) {
		this.#db = db as Kysely<RegisterSchema>;
		this.#now = now;
	}

	static async open(db: Kysely<unknown>, now: () => number): Promise<Register> {
		await migrate(db, registerMigrations, { component: 'service-register' });
		return new Register(db, now);
	}

	/** @param body the JSON of the report, which is kept as it is */
	async receive(body: string, { agent, site }: Report, reporter: string | null): Promise<StoredReport> {
		const id = newId();
		const row = { id, received_at: this.#now(), reporter, agent, site: new URL(site).origin, body };
		await this.#db
			.insertInto('service_report')
			.values({ ...row, status: 'received', reviewed_at: null, note: null })
			.execute();
		return this.get(id);
	}

	/** @throws ServiceError `report-unknown` */
	async get(id: string): Promise<StoredReport> {
		const report = await this.find(id);
		if (report === undefined) throw new ServiceError('report-unknown');
		return report;
	}

	async find(id: string): Promise<StoredReport | undefined> {
		const row = await this.#db.selectFrom('service_report').selectAll().where('id', '=', id).executeTakeFirst();
		return row === undefined ? undefined : (await this.#withAnswers([row]))[0];
	}

	/** The latest first. @param before goes on behind a report of this id */
	async list(status: ReviewStatus, before?: string): Promise<StoredReport[]> {
		let query = this.#db.selectFrom('service_report').selectAll().where('status', '=', status);
		const last = before === undefined ? undefined : await this.find(before);
		if (last !== undefined)
			query = query.where(({ eb, or, and }) =>
				or([
					eb('received_at', '<', last.receivedAt),
					and([eb('received_at', '=', last.receivedAt), eb('id', '<', last.id)]),
				]),
			);
		return this.#withAnswers(
			await query.orderBy('received_at', 'desc').orderBy('id', 'desc').limit(pageLength).execute(),
		);
	}

	/** Whether there is such a report. */
	async review(id: string, status: ReviewStatus, note: string | undefined): Promise<boolean> {
		const { numUpdatedRows } = await this.#db
			.updateTable('service_report')
			.set({ status, reviewed_at: this.#now(), note: note ?? null })
			.where('id', '=', id)
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	}

	/** @param signer the verified signer, if there is one */
	async answer(report: string, author: string, text: string, signer?: Signer): Promise<StoredAnswer> {
		const status = 'received';
		const signed = { signed_by: signer?.agent ?? null, key_id: signer?.keyId ?? null };
		const row = { id: newId(), report, received_at: this.#now(), author, text, status, ...signed } as const;
		await this.#db.insertInto('service_report_answer').values(row).execute();
		return toAnswer(row);
	}

	/** Whether there is such an answer. */
	async reviewAnswer(report: string, id: string, status: ReviewStatus): Promise<boolean> {
		const { numUpdatedRows } = await this.#db
			.updateTable('service_report_answer')
			.set({ status })
			.where('report', '=', report)
			.where('id', '=', id)
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	}

	async #withAnswers(rows: readonly RegisterSchema['service_report'][]): Promise<StoredReport[]> {
		if (rows.length === 0) return [];
		const ids = rows.map(({ id }) => id);
		const answers = await this.#db
			.selectFrom('service_report_answer')
			.selectAll()
			.where('report', 'in', ids)
			.orderBy('received_at')
			.execute();
		return rows.map(({ id, received_at, status, reviewed_at, note, body }) => ({
			id,
			receivedAt: Number(received_at),
			status,
			...(reviewed_at !== null && { reviewedAt: Number(reviewed_at) }),
			...(note !== null && { note }),
			report: JSON.parse(body) as Report,
			answers: answers.filter(({ report }) => report === id).map(toAnswer),
		}));
	}
}

function toAnswer({
	id,
	author,
	text,
	received_at,
	status,
	signed_by,
}: RegisterSchema['service_report_answer']): StoredAnswer {
	return withoutNulls({ id, author, text, receivedAt: Number(received_at), status, signedBy: signed_by });
}
