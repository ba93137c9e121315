import { type Migration, statements } from '@wayleave/io/sql';
import { compactRows } from './compact-rows.ts';
import type { StoreDialect } from './dialect.ts';
import { pageSteps } from './page-migrations.ts';
import { watchMigration } from './watch-tables.ts';

/** The steps that lead to the schema. @param tell how far one is that takes long */
export function storeMigrations(dialect: StoreDialect, tell: (progress: string) => void = () => {}): Migration[] {
	const page = pageSteps(dialect);
	return [
		{ name: '001-frontier', up: frontierTables(dialect) },
		{ name: '002-ask-answers', up: askAnswers },
		{
			name: '003-workers',
			async up(db) {
				await workerTables(dialect)(db);
				await dialect.tune(db);
			},
		},
		{ name: '004-change', up: changeTables(dialect) },
		{ name: '005-likeness', up: page.minHash },
		{
			name: '006-writes',
			up: statements(
				'alter table crawl_worker add column write bigint',
				'alter table crawl_worker add column write_before bigint',
			),
		},
		{ name: '007-known', up: (db) => dialect.coverKnown(db) },
		{ name: '008-standing', up: page.current },
		{ name: '009-outages', up: statements('alter table policy_file add column outage text') },
		{ name: '010-judged', up: statements('alter table widened add column judged smallint not null default 0') },
		{ name: '011-redirected', up: page.redirected },
		{ name: '012-learned', up: page.learned },
		{ name: '013-forgotten', up: page.forgotten },
		{ name: '014-page-names', up: statements('create index page_name_url on page_name (url)') },
		{ name: '015-former-pages', up: page.former },
		watchMigration(dialect),
		{
			name: '017-commits',
			addsOnly: true,
			up: statements('alter table crawl_worker add column commits bigint not null default 0'),
		},
		{ name: '018-document-place', up: page.place },
		{ name: '019-outputs', up: outputTables(dialect) },
		{ name: '020-groups', addsOnly: true, up: groupTables(dialect) },
		{ name: compactStep, up: (db) => compactRows(db, dialect, tell) },
		{
			name: '022-worker-schema',
			addsOnly: true,
			async up(db) {
				// Which workers a step has to wait for, and a name for what an upsert of a URL may meet, whichever index that is.
				await statements('alter table crawl_worker add column schema smallint not null default 0')(db);
				await dialect.nameKnown(db);
			},
		},
	];
}

/** PostgreSQL takes it while workers of the version before crawl, if there is one: see `store/upgrade`. */
export const compactStep = '021-compact-rows';

/** The number of the last step that changes what workers of versions before it use. */
export const workerSchema = 21;

const frontierTables = ({ id, key, bytes, numbered }: StoreDialect) =>
	statements(
		`create table crawl_run (id integer ${numbered}, mode text not null, scope text not null,
			started_at bigint not null, ended_at bigint, complete smallint)`,
		`create table host (id integer ${numbered}, name text not null unique,
			next_at bigint not null default 0, https smallint not null default 0, held smallint not null default 0)`,
		`create table url (id ${id} ${numbered}, key ${key} not null, kind smallint not null, host integer,
			state smallint not null, depth integer not null, dates integer not null, attempts integer not null default 0,
			due bigint not null default 0, seed smallint not null default 0, via ${id}, run integer not null,
			outcome text, reason text, detail text, evidence integer, status integer, redirect text, at bigint,
			constraint url_key unique (key, kind))`,
		// Breadth first within a host: nearest to the seeds, then in the order found. Ended rows cost nothing here.
		'create index url_waiting on url (host, kind, depth, id) where state = 0',
		"create index url_deferred on url (id) where outcome = 'deferred'",
		'create index url_seed on url (id) where seed = 1',
		`create table page (url ${id} primary key, etag text, last_modified text, body_hash ${bytes},
			fetched_at bigint not null, checked_at bigint not null, content ${bytes})`,
		`create table evidence (id integer ${numbered}, json text not null unique)`,
		`create table policy_file (url text primary key, final_url text,
			fetched_at bigint not null, expires_at bigint not null, unreachable_since bigint,
			status integer not null, body ${bytes}, etag text, last_modified text, content_type text)`,
		'create table sink_position (name text primary key, position text not null)',
		'create table widened (url text primary key)',
	);

const askAnswers = statements(
	`create table ask_answer (origin text not null, identity text not null, directive text not null,
		answer text not null, source text not null, asked_at bigint not null, expires_at bigint not null,
		constraint ask_answer_key primary key (origin, identity, directive))`,
);

/** Hosts are held by workers, of which there may be many; those that wait are found without looking at the others. */
const workerTables = ({ numbered }: StoreDialect) =>
	statements(
		`create table crawl_worker (id integer ${numbered}, name text not null, run integer, expires_at bigint not null,
			wants integer not null default 0, documents bigint not null default 0, reserved integer not null default 0)`,
		'alter table crawl_run add column documents bigint not null default 0',
		`update crawl_run set documents = (select count(*) from url where run = crawl_run.id and kind = 0
			and outcome in ('fetched', 'unchanged') and (reason is null or reason <> 'redirected'))`,
		'alter table host add column holder integer',
		'alter table host add column ready_at bigint',
		'alter table host add column delay bigint not null default 0',
		'alter table host drop column held',
		// Hosts without URLs to visit lose it after the next check.
		'update host set ready_at = next_at',
		'create index host_ready on host (ready_at, id) where ready_at is not null',
		'create index host_holder on host (holder) where holder is not null',
	);

const changeTables = ({ id, key, bytes, numbered }: StoreDialect) =>
	statements(
		`create table site (id integer ${numbered}, origin ${key} not null unique, state text not null,
			checked_at bigint not null, cycle integer not null, salt text not null, settled_rev bigint, site_rev bigint,
			generated text, coverage text, etag text, last_modified text, fresh smallint not null, stayed smallint not null,
			trust text not null, hints_right integer not null, hints_wrong integer not null)`,
		`create table listed (site integer not null, key ${key} not null, state smallint not null,
			rev bigint, listed_rev bigint not null, digest ${bytes}, constraint listed_key primary key (site, key))`,
		'create index listed_due on listed (site) where state = 1',
		`create table revisit (url ${id} primary key, visits double precision not null, changes double precision not null,
			span double precision not null, rate double precision not null,
			checked_at bigint not null, changed_at bigint, next_at bigint not null, hinted_at bigint)`,
		'alter table crawl_run add column next_at bigint',
	);

/** Rolling files, and the segments that they are made of. */
const outputTables = ({ id, numbered }: StoreDialect) =>
	statements(
		`create table output_file (id integer ${numbered}, sink text not null, run integer not null, worker integer)`,
		'create index output_file_open on output_file (sink) where worker is not null',
		`create table output_segment (id ${id} ${numbered}, sink text not null, run integer not null,
			object text not null, bytes bigint not null, file integer)`,
	);

/** Several databases share a crawl: each has the URLs of its hosts, and hands over those of the others. */
const groupTables = ({ id, numbered }: StoreDialect) =>
	statements(
		`create table outbox (id ${id} ${numbered}, target text not null, urls integer not null, json text not null,
			taken_until bigint not null default 0)`,
		`create table crawl_group (one smallint default 1 primary key, id text not null, members text not null,
			received bigint not null default 0)`,
	);

/** The owner of the tables, in a database that other parts may share. */
export const storeComponent = 'crawler';
