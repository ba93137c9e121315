import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { DatabaseError, fromSqlite } from './error.ts';
import { databaseKind } from './open.ts';

/** One step from a schema to the next. A released step is never changed, only followed by another. */
export interface Migration {
	/** Unique among the steps of its component, such as `001-frontier`. */
	readonly name: string;
	/** It only adds tables, and columns with defaults: processes of the version before it go on with the database. */
	readonly addsOnly?: boolean;
	// biome-ignore lint/suspicious/noExplicitAny: a step is written against the schema of its own time
	up(db: Kysely<any>): Promise<void>;
}

/** A step that runs these SQL statements one after the other; every database has to understand them. */
export const statements =
	(...texts: readonly string[]): Migration['up'] =>
	async (db) => {
		for (const text of texts) await sql.raw(text).execute(db);
	};

export interface MigrateOptions {
	/** The owner of these tables, if several parts share a database. Default `main`. */
	readonly component?: string;
	/** Called in the transaction before steps that change what processes of the version before it use. */
	readonly beforeChange?: (db: Kysely<unknown>) => Promise<void>;
	/** Called now and then while steps that only add something wait for another program that uses the tables. */
	readonly onWait?: () => void;
	/** The name of a step that the caller takes otherwise. */
	readonly except?: string | undefined;
}

interface MigrationSchema {
	/** `adds_only`: 1 if processes of an older version may use the database. */
	wayleave_migrations: { component: string; name: string; applied_at: string; adds_only: number };
}

/**
 * Brings a database to the schema that the steps lead to, in one transaction: a process that dies half way leaves it
 * as it was, and of two that start at once the second finds the work done. Steps of a newer version that only add
 * something are accepted.
 *
 * @returns the names of the steps that were taken now
 * @throws DatabaseError `newer-schema` where it has steps that this program does not know, `locked`, `damaged` or
 * `migration-failed`
 */
export async function migrate<Schema>(
	db: Kysely<Schema>,
	migrations: readonly Migration[],
	options: MigrateOptions = {},
): Promise<string[]> {
	const component = options.component ?? 'main';
	const kind = databaseKind(db);
	let refusal: unknown;
	const beforeChange = async (tx: Kysely<MigrationSchema>) => {
		await options.beforeChange?.(tx as unknown as Kysely<unknown>).catch((error: unknown) => {
			refusal = error;
			throw error;
		});
	};
	const once = async (own: Kysely<MigrationSchema>) => {
		try {
			await begin[kind](own);
			if ((await recorded[kind].execute(own)).rows.length === 0) await createRecord(own);
			const steps = await takeSteps(own, component, migrations, beforeChange, options.except);
			await sql`commit`.execute(own);
			return steps;
		} catch (error) {
			await sql`rollback`.execute(own).catch(() => {}); // nothing to undo where the beginning failed
			if (isBusy(error)) return undefined;
			if (error === refusal) throw error;
			throw isTaken(error) ? nameTaken(error as Error) : failure[kind](error);
		}
	};
	for (let tries = 1; ; tries++) {
		const own = db as unknown as Kysely<MigrationSchema>;
		const steps = await own.connection().execute(once);
		if (steps !== undefined) return steps;
		if (tries % triesToTell === 0) options.onWait?.();
		await sleep(lockPause);
	}
}

/** Milliseconds that a step waits for a lock while processes of the version before wait behind it, and between two tries. */
const lockWait = 400;
const lockPause = 2000;
const triesToTell = 3;

/** SQLSTATE `lock_not_available`: only `lockWait` leads to it. */
const isBusy = (error: unknown): boolean => (error as { code?: string }).code === '55P03';

/** Another program has a table with the name of one of ours. */
const isTaken = (error: unknown): boolean => /\b(?:table|relation) \S+ already exists/.test((error as Error).message);

function nameTaken(error: Error): DatabaseError {
	const message = `the database contains tables of another program (${error.message}): use another database, such as an empty one`;
	return new DatabaseError('migration-failed', message, { cause: error });
}

/** Any number that no other program uses for its locks. */
const migrationLock = 1_935_764_577;

/** Begins a transaction that only one process at a time is in. */
const begin = {
	async sqlite(db: Kysely<MigrationSchema>) {
		await sql`begin immediate`.execute(db);
	},
	async postgres(db: Kysely<MigrationSchema>) {
		await sql`begin`.execute(db);
		// The other one, or a step over a large table, may take its time.
		await sql`set local statement_timeout = 0`.execute(db);
		await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(db);
	},
};

/** Whether the table of steps is there. `create if not exists` would want the right to create where it is. */
const recorded = {
	sqlite: sql`select 1 from sqlite_master where name = 'wayleave_migrations'`,
	postgres: sql`select 1 where to_regclass('wayleave_migrations') is not null`,
};

async function createRecord(db: Kysely<MigrationSchema>): Promise<void> {
	await sql`create table wayleave_migrations (
		component text not null,
		name text not null,
		applied_at text not null,
		adds_only smallint not null default 0,
		primary key (component, name)
	)`.execute(db);
}

/** Databases of earlier versions do not have the column. */
const hasKinds = {
	sqlite: sql`select 1 from pragma_table_info('wayleave_migrations') where name = 'adds_only'`,
	postgres: sql`select 1 from pg_attribute where attrelid = to_regclass('wayleave_migrations') and attname = 'adds_only'`,
};

async function recordKinds(db: Kysely<MigrationSchema>): Promise<void> {
	if ((await hasKinds[databaseKind(db)].execute(db)).rows.length > 0) return;
	await sql`alter table wayleave_migrations add column adds_only smallint not null default 0`.execute(db);
}

const failure = {
	sqlite: (error: unknown) => fromSqlite(error, 'the database', 'migration-failed'),
	postgres(error: unknown): DatabaseError {
		if (error instanceof DatabaseError) return error;
		const message = `the database could not be migrated to the current schema: ${(error as Error).message}`;
		return new DatabaseError('migration-failed', message, { cause: error });
	},
};

/**
 * The steps that a database has not taken yet. Nothing is changed.
 *
 * @throws DatabaseError `newer-schema` where it has steps that this program does not know
 */
export async function missingMigrations<Schema>(
	db: Kysely<Schema>,
	migrations: readonly Migration[],
	options: MigrateOptions = {},
): Promise<string[]> {
	const own = db as unknown as Kysely<MigrationSchema>;
	return (await missingSteps(own, options.component ?? 'main', migrations)).map(({ name }) => name);
}

async function missingSteps(
	db: Kysely<MigrationSchema>,
	component: string,
	migrations: readonly Migration[],
): Promise<Migration[]> {
	const rows = await db.selectFrom('wayleave_migrations').selectAll().where('component', '=', component).execute();
	const done = new Set(rows.map(({ name }) => name));
	refuseUnknown(
		rows.filter(({ adds_only }) => adds_only !== 1).map(({ name }) => name),
		migrations,
	);
	return migrations.filter(({ name }) => !done.has(name));
}

async function takeSteps(
	db: Kysely<MigrationSchema>,
	component: string,
	migrations: readonly Migration[],
	beforeChange: (db: Kysely<MigrationSchema>) => Promise<void>,
	except: string | undefined,
): Promise<string[]> {
	const missing = (await missingSteps(db, component, migrations)).filter(({ name }) => name !== except);
	if (missing.length === 0) return [];
	const changes = missing.length < migrations.length && missing.some(({ addsOnly }) => addsOnly !== true);
	if (changes) await beforeChange(db);
	else if (databaseKind(db) === 'postgres') await sql`set local lock_timeout = ${sql.lit(lockWait)}`.execute(db);
	await recordKinds(db);
	for (const { name, up, addsOnly = false } of missing) {
		await up(db);
		const row = { component, name, applied_at: new Date().toISOString(), adds_only: addsOnly ? 1 : 0 };
		await db.insertInto('wayleave_migrations').values(row).execute();
	}
	return missing.map(({ name }) => name);
}

function refuseUnknown(done: readonly string[], migrations: readonly Migration[]): void {
	const known = new Set(migrations.map(({ name }) => name));
	const foreign = done.filter((name) => !known.has(name));
	if (foreign.length === 0) return;
	const message = `the database was made by a newer version of Wayleave (${foreign.join(', ')}): use that version or a later one`;
	throw new DatabaseError('newer-schema', message);
}
