import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { openStore } from '../store/sql/open.ts';
import { startFleetSite, startLocalWorker } from '../testing/fleet.ts';

/** Work as the administrator, at a moment when no connection to the database is open. */
async function without(url: string, work: (db: Kysely<unknown>, name: string) => Promise<unknown>): Promise<void> {
	const name = new URL(url).pathname.slice(1);
	const admin = openDatabase<unknown>(url.replace(name, 'postgres'));
	for (let tries = 0, done = false; !done; tries++) {
		if (tries > 200) throw new Error('the database is always in use');
		await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(admin);
		done = await work(admin, name).then(
			() => true,
			() => false,
		);
	}
	await admin.destroy();
}

const backUp = (db: Kysely<unknown>, name: string) =>
	sql.raw(`create database ${name}_backup template ${name}`).execute(db);

/** Two statements: in between the database does not exist, and the worker tries to connect. */
const restore = async (db: Kysely<unknown>, name: string) => {
	await sql.raw(`alter database ${name} rename to ${name}_former`).execute(db);
	await sleep(400);
	await sql.raw(`alter database ${name}_backup rename to ${name}`).execute(db);
};

it('a database that goes back to a backup: the worker says so, and requests again what is lost', async () => {
	const store = await newDatabase();
	const site = await startFleetSite({ hosts: 3, pages: 20, latency: 5 });
	let seen = 0;
	let restoreAt = Number.POSITIVE_INFINITY;
	let step = Promise.resolve();
	site.onPage = () => {
		seen++;
		if (seen === 12)
			step = without(store, backUp).then(() => {
				restoreAt = seen + 9;
			});
		if (seen === restoreAt) step = without(store, restore);
	};
	const worker = startLocalWorker({ store, seeds: site.seeds, delay: 20, concurrency: 3, lease: 1500 });
	await worker.end;
	await step;
	const said = worker.said.filter(({ type }) => type === 'store');
	const losses = said.filter(({ state }) => state === 'lease-lost');
	expect(losses.map(({ detail }) => detail)).toEqual([
		expect.stringMatching(/^the database went back in time: the last (?:\d+ )?commits? of this worker (?:is|are) lost/),
	]);
	const opened = await openStore(store);
	const { pending, rows } = await opened.frontier.tally();
	await opened.close();
	await site.close();
	expect({ pending, rows: rows.map(({ outcome, count }) => `${count} ${outcome}`) }).toEqual({
		pending: 0,
		rows: [`${site.pages} fetched`],
	});
	expect(site.shortestGap()).toBeGreaterThanOrEqual(19);
});
