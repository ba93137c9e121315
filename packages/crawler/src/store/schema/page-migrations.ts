import { statements } from '@wayleave/io/sql';
import type { StoreDialect } from './dialect.ts';

/** Steps for what is known of pages. A store without their tables, which is only read, knows nothing of the kind. */
export const pageSteps = ({ id, key, bytes }: StoreDialect) => ({
	/**
	 * The MinHash signatures of pages. Those without a `twin` are originals, found by their first two numbers: near
	 * duplicates have one of them in common.
	 */
	minHash: statements(
		`create table likeness (url ${id} primary key, b0 integer not null, b1 integer not null, b2 integer not null,
			b3 integer not null, twin ${id})`,
		'create index likeness_b0 on likeness (b0) where twin is null',
		'create index likeness_b1 on likeness (b1) where twin is null',
		'create index likeness_twin on likeness (twin) where twin is not null',
	),
	/** Whether the document of a page is the last that is known of it: until the page is found gone, closed or another. */
	current: statements(
		'alter table page add column stands smallint not null default 1',
		`update page set stands = 0 where url in (select id from url
			where outcome is not null and outcome not in ('fetched', 'unchanged'))`,
	),
	/** An address that leads on to another page has no document of its own any more. */
	redirected: statements('update page set stands = 0 where url in (select id from url where redirect is not null)'),
	/** Learned address patterns of hosts. */
	learned: statements(
		'create table learned (host integer primary key, json text not null)',
		`create table page_name (name ${key} primary key, url ${id} not null)`,
		'alter table likeness add column prose integer',
		"create index url_alias on url (redirect) where reason = 'alias'",
	),
	/** URLs and hosts that the crawler never requests until the removal is undone. */
	forgotten: statements(`create table forgotten (name ${key} primary key, at bigint not null)`),
	/** The document before the current one of a page, to compare the two. */
	former: statements(
		`create table former_page (url ${id} primary key, fetched_at bigint not null, replaced_at bigint not null,
			content ${bytes} not null)`,
		'create index former_page_at on former_page (replaced_at, url)',
	),
	/** The place of documents outside of the database. A store without the table has all of them. */
	place: statements('create table document_place (id integer primary key, store text not null, place text not null)'),
});
