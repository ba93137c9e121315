import { type Migration, statements } from '@wayleave/io/sql';

/** State of a report or a reply: only reviewed ones are shown. */
export type ReviewStatus = 'received' | 'published' | 'rejected';

/** Times are milliseconds since 1970. */
export interface RegisterSchema {
	service_report: {
		id: string;
		received_at: number;
		/** Id of the caller; null for reports that came without a key. */
		reporter: string | null;
		agent: string;
		site: string;
		/** JSON, as it was received. */
		body: string;
		status: ReviewStatus;
		reviewed_at: number | null;
		/** Words of the reviewer. */
		note: string | null;
	};
	service_report_answer: {
		id: string;
		report: string;
		received_at: number;
		/** The author of the reply, as given. */
		author: string;
		/** The https origin whose key signed the answer, and the key; null for one without a signature. */
		signed_by: string | null;
		key_id: string | null;
		text: string;
		status: ReviewStatus;
	};
}

export const registerMigrations: readonly Migration[] = [
	{
		name: '001-register',
		up: statements(
			`create table service_report (id text primary key, received_at bigint not null, reporter text,
				agent text not null, site text not null, body text not null,
				status text not null, reviewed_at bigint, note text)`,
			'create index service_report_status on service_report (status, received_at)',
			`create table service_report_answer (id text primary key, report text not null, received_at bigint not null,
				author text not null, text text not null, status text not null)`,
			'create index service_report_answer_of on service_report_answer (report)',
		),
	},
	{
		name: '002-signed-answers',
		up: statements(
			'alter table service_report_answer add column signed_by text',
			'alter table service_report_answer add column key_id text',
		),
	},
];
