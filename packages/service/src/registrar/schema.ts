import { type Migration, statements } from '@wayleave/io/sql';

/** Times are milliseconds since 1970. */
export interface SiteSchema {
	/** A registered domain. Each registrant has a row and a token of their own. */
	service_site: {
		domain: string;
		/** Id of the caller. */
		owner: string;
		/** The token that was issued last. */
		token: string;
		/** The token that was found last. */
		proven_token: string | null;
		method: 'dns' | 'file' | null;
		registered_at: number;
		/** When it was proven last; null while it never was. */
		verified_at: number | null;
		/** Since when it counts as no longer proven. */
		lapsed_at: number | null;
		checked_at: number | null;
		next_check: number | null;
		/** Checks in a row that found no proof. */
		misses: number;
		/** JSON: the last check. */
		last_check: string | null;
		/** JSON. */
		preferences: string;
	};
}

export const siteMigrations: readonly Migration[] = [
	{
		name: '001-sites',
		up: statements(
			`create table service_site (domain text not null, owner text not null, token text not null, proven_token text,
				method text, registered_at bigint not null, verified_at bigint, lapsed_at bigint, checked_at bigint,
				next_check bigint, misses integer not null, last_check text, preferences text not null,
				constraint service_site_of_owner primary key (domain, owner))`,
			'create index service_site_due on service_site (next_check)',
			'create index service_site_owner on service_site (owner)',
		),
	},
];
