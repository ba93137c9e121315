import { type Migration, statements } from '@wayleave/io/sql';
import type { Generated } from 'kysely';
import type { StoreDialect } from './dialect.ts';

/** Tables for watched pages. Times are milliseconds since 1970. */
export interface WatchSchema {
	/** The last announced state of each page, by the number of its URL. `state` is an index into `watchedStates`. */
	watched: {
		url: number;
		version: number;
		state: number;
		digest: Uint8Array;
		seen: Uint8Array;
		meaning: Uint8Array | null;
		terms: number;
	};
	/** Terms as JSON, each once: most pages of a site have the same. */
	watched_terms: { id: Generated<number>; json: string };
	/** Texts of versions that are no longer in `page`. `content` is compressed JSON. */
	page_version: { url: number; version: number; fetched_at: number; content: Uint8Array };
	/** The log of changes. `diff` is compressed JSON; null where there is none, or where it may no longer be kept. */
	page_change: {
		id: Generated<number>;
		notice: string;
		url: number;
		version: number;
		kind: string;
		at: number;
		held: number;
		json: string;
		diff: Uint8Array | null;
	};
	receiver: {
		id: Generated<number>;
		address: string;
		stopped: Generated<number>;
		detail: string | null;
		due: Generated<number>;
		failures: Generated<number>;
	};
	/** The outbox: a change for a receiver. `state` is an index into `noticeStates`. */
	notice: {
		receiver: number;
		change: number;
		url: number;
		state: Generated<number>;
		attempts: Generated<number>;
		due: Generated<number>;
		status: number | null;
		detail: string | null;
		at: number | null;
	};
}

/** A store without these tables has watched nothing. */
export const watchMigration = ({ id, key, bytes, numbered }: StoreDialect): Migration => ({
	name: '016-watch',
	up: statements(
		`create table watched (url ${id} primary key, version integer not null, state smallint not null,
			digest ${bytes} not null, seen ${bytes} not null, meaning ${bytes}, terms integer not null)`,
		`create table watched_terms (id integer ${numbered}, json text not null unique)`,
		`create table page_version (url ${id} not null, version integer not null, fetched_at bigint not null,
			content ${bytes} not null, constraint page_version_key primary key (url, version))`,
		`create table page_change (id integer ${numbered}, notice text not null unique, url ${id} not null,
			version integer not null, kind text not null, at bigint not null, held smallint not null, json text not null,
			diff ${bytes})`,
		'create index page_change_url on page_change (url, id)',
		'create index page_change_held on page_change (id) where held = 1',
		`create table receiver (id integer ${numbered}, address ${key} not null unique,
			stopped smallint not null default 0, detail text, due bigint not null default 0,
			failures integer not null default 0)`,
		`create table notice (receiver integer not null, change integer not null, url ${id} not null,
			state smallint not null default 0, attempts integer not null default 0, due bigint not null default 0,
			status integer, detail text, at bigint, constraint notice_key primary key (receiver, change))`,
		'create index notice_open on notice (receiver, change) where state <> 1',
		'create index notice_url on notice (receiver, url, change) where state <> 1',
		'create index notice_change on notice (change)',
	),
});
