import type { Migration } from '@wayleave/io/sql';

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
		async up(db) {
			await db.schema
				.createTable('service_report')
				.addColumn('id', 'text', (column) => column.primaryKey())
				.addColumn('received_at', 'bigint', (column) => column.notNull())
				.addColumn('reporter', 'text')
				.addColumn('agent', 'text', (column) => column.notNull())
				.addColumn('site', 'text', (column) => column.notNull())
				.addColumn('body', 'text', (column) => column.notNull())
				.addColumn('status', 'text', (column) => column.notNull())
				.addColumn('reviewed_at', 'bigint')
				.addColumn('note', 'text')
				.execute();
			await db.schema
				.createIndex('service_report_status')
				.on('service_report')
				.columns(['status', 'received_at'])
				.execute();
			await db.schema
				.createTable('service_report_answer')
				.addColumn('id', 'text', (column) => column.primaryKey())
				.addColumn('report', 'text', (column) => column.notNull())
				.addColumn('received_at', 'bigint', (column) => column.notNull())
				.addColumn('author', 'text', (column) => column.notNull())
				.addColumn('text', 'text', (column) => column.notNull())
				.addColumn('status', 'text', (column) => column.notNull())
				.execute();
			await db.schema.createIndex('service_report_answer_of').on('service_report_answer').column('report').execute();
		},
	},
	{
		name: '002-signed-answers',
		async up(db) {
			await db.schema.alterTable('service_report_answer').addColumn('signed_by', 'text').execute();
			await db.schema.alterTable('service_report_answer').addColumn('key_id', 'text').execute();
		},
	},
];
