import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { compactStep, storeComponent, storeMigrations } from '../schema/migrations.ts';
import { postgresDialect } from '../schema/postgres.ts';
import type { Db, StoreSchema } from '../schema/tables.ts';
import { contract, isDone } from './contract.ts';
import { buildIndexes, connectBack, expand, isExpanded, isFilled, isIndexed } from './expand.ts';
import { fill } from './fill.ts';
import { insistOnTables, upgradeLock } from './short-locks.ts';

// A store of the version before 021 is upgraded while workers of that version crawl, in steps that can each be repeated:
// columns and triggers are added, the rows are filled, indexes are built. From then on workers of both versions crawl.
// When no worker of the version before is left, views replace its tables. The catalogue of the database tells which steps
// are done. Decision 0027 says why.

/** Milliseconds between two looks whether the process that upgrades the store has ended. */
const pause = 1000;
/** In which the transaction with the lock does something: its server ends it if this process is gone. */
const keepAlive = 5000;
/** Percent of the URLs. */
const reportEvery = 5;

export const waitsForLock = 'waiting for the end of a long transaction that reads or writes its tables';

export interface UpgradeOptions {
	/** Changes of a version before that, which have to be made without other workers. */
	readonly beforeChange: (db: Kysely<unknown>) => Promise<void>;
	readonly onUpgrade: (progress: string) => void;
}

/**
 * Upgrades a PostgreSQL store as far as this version has to have it.
 *
 * @returns whether workers of the version before still use it: then `contract` is left to do
 */
export async function upgradeStore(place: string, options: UpgradeOptions): Promise<boolean> {
	const db = openDatabase<StoreSchema>(place, { connections: 2, statementTimeout: 0 });
	try {
		if (!(await isOlder(db))) return false;
		const { beforeChange, onUpgrade } = options;
		const onWait = () => onUpgrade(waitsForLock);
		const steps = storeMigrations(postgresDialect);
		await migrate(db, steps, { component: storeComponent, beforeChange, onWait, except: compactStep });
		if (!(await isIndexed(db))) await alone(db, onUpgrade, () => prepare(db, onUpgrade));
		const done = await contract(db);
		onUpgrade(done ? 'done' : 'workers of the version before go on; the rest is done when they have ended');
		return !done;
	} finally {
		await db.destroy();
	}
}

/** A store with tables, but without step 021. */
async function isOlder(db: Db): Promise<boolean> {
	const { rows } = await sql`select 1 where to_regclass('wayleave_migrations') is not null
		and to_regclass('url') is not null`.execute(db);
	return rows.length > 0 && !(await isDone(db));
}

async function prepare(db: Db, tell: (progress: string) => void): Promise<void> {
	const onWait = () => tell(waitsForLock);
	if (!(await isExpanded(db))) await insistOnTables(db, expand, onWait);
	if (!(await isFilled(db))) {
		let reported = -reportEvery;
		await fill(db, ({ done, all }) => {
			const percent = Math.floor((100 * done) / all);
			if (percent < reported + reportEvery && done < all) return;
			reported = percent;
			tell(`${percent} % of ${all.toLocaleString('en')} URLs; workers of the version before go on`);
		});
		await insistOnTables(db, connectBack, onWait);
	}
	await buildIndexes(db, (name) => tell(`building the index ${name}`));
}

/**
 * One process at a time. The others look again and again: a statement that waits for the lock would keep the index from
 * being finished, since that waits for the end of every statement.
 */
async function alone(db: Db, tell: (progress: string) => void, work: () => Promise<void>): Promise<void> {
	for (let waits = false; ; waits = true) {
		const taken = await db.transaction().execute(async (tx) => {
			const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${upgradeLock}) as taken`.execute(
				tx,
			);
			if (rows[0]?.taken !== true) return false;
			if (!(await isIndexed(tx))) await whileAlive(tx, work);
			return true;
		});
		if (taken) return;
		if (!waits) tell('another process upgrades the store: this one waits');
		await sleep(pause);
	}
}

/**
 * A statement that does nothing. The portal of the one before keeps its snapshot until the next one, and an index is not
 * finished while an older transaction has a snapshot: this one needs none.
 */
const idle = sql`set local lock_timeout = 0`;

/** Fails when the transaction ends, as when the server goes away. */
async function whileAlive(tx: Db, work: () => Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const ended = new Promise<never>((_, reject) => {
		timer = setInterval(() => void idle.execute(tx).catch(reject), keepAlive);
	});
	try {
		await idle.execute(tx);
		await Promise.race([work(), ended]);
	} finally {
		clearInterval(timer);
	}
}
