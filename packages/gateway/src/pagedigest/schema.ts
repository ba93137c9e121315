import { type Migration, statements } from '@wayleave/io/sql';
import type { Generated } from 'kysely';

/** The durable state of revisions (pagedigest §4.1.1), for any number of sites. */
export interface RevisionSchema {
	digest_site: {
		origin: string;
		site_rev: number;
		floor: number;
		coverage: string | null;
		/** Counts the writes of several gateways. */
		version: Generated<number>;
	};
	/** One row for each URL that was ever listed: it stays when the URL goes. */
	digest_page: {
		origin: string;
		key: string;
		rev: number;
		fingerprint: string;
		digest: string | null;
		listed: number;
		/** 1: the site itself names it, by a link, its sitemap or the policy file. */
		named: Generated<number>;
		/** Several gateways: the write that changed the row, and when one of them saw the page last. */
		version: Generated<number>;
		seen_at: Generated<number | null>;
	};
}

export const revisionMigrations: readonly Migration[] = [
	{
		name: '001-revisions',
		up: statements(
			`create table digest_site (origin text primary key, site_rev bigint not null, floor bigint not null,
				coverage text)`,
			`create table digest_page (origin text not null, key text not null, rev bigint not null,
				fingerprint text not null, digest text, listed integer not null,
				constraint digest_page_key primary key (origin, key))`,
		),
	},
	{
		// Visitors could have invented earlier entries: they count once the site names them.
		name: '002-named',
		up: statements('alter table digest_page add column named integer not null default 0'),
	},
	{
		name: '003-shared',
		up: statements(
			'alter table digest_site add column version bigint not null default 0',
			'alter table digest_page add column version bigint not null default 0',
			'alter table digest_page add column seen_at bigint',
			'create index digest_page_version on digest_page (origin, version)',
		),
	},
];
