import { type Migration, statements } from '@wayleave/io/sql';
import type { Generated } from 'kysely';

/**
 * The format of the rows. Gateways read and write only rows of their own format, so that several versions can run at
 * once. A later format brings its own migrations under its own component: then gateways of this version still start.
 */
export const format = 1;

/** The state that the gateways of one site share. Times are milliseconds since 1970 by the clock of the database. */
export interface SharingSchema {
	/** `revision` counts the writes of a site: a write holds this row, so that revisions become visible in their order. */
	gateway_shared_site: { site: string; revision: Generated<number> };
	/** Running gateways, of every format. */
	gateway_shared_member: { site: string; id: string; name: string; format: number; seen_at: number };
	/** Token buckets. `tokens` may be negative; `until`: when the bucket is full again. */
	gateway_shared_limit: Row & {
		name: string;
		client: string;
		tokens: number;
		burst: number;
		per_minute: number;
		at: number;
		until: number;
	};
	/** Of each client: the policy version that it read, whether it read the manifest, when its last page request came. */
	gateway_shared_client: Row & {
		client: string;
		policy: string | null;
		policy_at: number | null;
		manifest: number;
		last_page: number | null;
		until: number;
	};
	/** The last answer to each ask. `kind`: `none` for a no, `allow`, or `once`; `spent` an allow for one use that was used. */
	gateway_shared_grant: Row & {
		id: string;
		client: string;
		directive: string;
		kind: 'none' | 'allow' | 'once';
		at: number;
		spent: number;
		until: number;
	};
}

interface Row {
	site: string;
	format: number;
	revision: number;
}

const revisionIndex = (name: string) =>
	`create index gateway_shared_${name}_revision on gateway_shared_${name} (site, format, revision)`;

export const sharingMigrations: readonly Migration[] = [
	{
		name: '001-sharing',
		up: statements(
			'create table gateway_shared_site (site text primary key, revision bigint not null default 0)',
			`create table gateway_shared_member (
				site text not null, id text not null, name text not null, format int not null, seen_at double precision not null,
				primary key (site, id))`,
			`create table gateway_shared_limit (
				site text not null, format int not null, name text not null, client text not null,
				tokens double precision not null, burst double precision not null, per_minute double precision not null,
				at double precision not null, until double precision not null,
				revision bigint not null, primary key (site, format, name, client))`,
			`create table gateway_shared_client (
				site text not null, format int not null, client text not null, policy text, policy_at double precision,
				manifest int not null, last_page double precision, until double precision not null,
				revision bigint not null, primary key (site, format, client))`,
			`create table gateway_shared_grant (
				site text not null, format int not null, client text not null, directive text not null, id text not null,
				kind text not null, at double precision not null, spent int not null default 0,
				until double precision not null, revision bigint not null,
				primary key (site, format, client, directive))`,
			...['limit', 'client', 'grant'].map(revisionIndex),
		),
	},
];
