import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { KeyStore } from '../keys/key-store.ts';
import { scopeNames } from '../keys/scopes.ts';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts';

// Two services in processes of their own with one PostgreSQL; one is killed while it fetches, and while pages that were
// submitted to it wait.

const hosts = ['a.test', 'b.test', 'c.test'];
const submitted = 12;
let web: TestWeb;
let one: ServiceProcess;
let other: ServiceProcess;
let db: Kysely<unknown>;
let token: string;
const paths: string[] = [];

beforeAll(async () => {
	web = await startWeb(({ path }) => {
		if (path.endsWith('.txt') || path.startsWith('/.well-known')) return undefined;
		paths.push(path);
		if (path === '/hangs-once' && paths.filter((each) => each === path).length === 1) return { hang: true };
		return { body: htmlPage(`Page ${path}`), headers: { 'content-type': 'text/html' }, after: 1000 };
	});
	const store = await newDatabase();
	db = openDatabase(store);
	const keys = await KeyStore.open(db);
	({ token } = await keys.create({ name: 'test', scopes: scopeNames, quota: 100 }));
	// One after the other: the first makes the tables.
	one = await startServiceProcess({ store, hosts });
	other = await startServiceProcess({ store, hosts });
});
afterAll(async () => {
	one?.kill('SIGKILL');
	other?.kill('SIGKILL');
	await db.destroy();
	await web.close();
});

const post = (url: string, path: string, page: string) =>
	fetch(url + path, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
		body: JSON.stringify({ url: page }),
	});

it('a process is killed in mid-fetch and with submissions: another one finishes all, and each counts once', async () => {
	const hanging = web.url('a.test', '/hangs-once');
	const dead = post(one.url, '/v1/aidocument', hanging).catch(() => undefined);
	await expect.poll(() => paths, { timeout: 20_000 }).toContain('/hangs-once');
	const waiting = post(other.url, '/v1/aidocument', hanging);
	for (let at = 0; at < submitted; at++)
		expect((await post(one.url, '/v1/submit', web.url(hosts[1 + (at % 2)] ?? '', `/${at}`))).status).toBe(202);
	await sleep(2500);
	one.kill('SIGKILL');
	const began = performance.now();
	await Promise.all([one.end, dead]);
	expect((await waiting).status).toBe(200);
	console.log(`the page of a killed process came ${((performance.now() - began) / 1000).toFixed(1)} s after its death`);
	expect(paths.filter((path) => path === '/hangs-once')).toHaveLength(2);
	const open = sql<{ open: number }>`select count(*) as open from service_submission where finished_at is null`;
	await expect.poll(async () => (await open.execute(db)).rows[0]?.open, { timeout: 120_000 }).toBe(0);
	console.log(
		`${submitted} submissions were finished ${((performance.now() - began) / 1000).toFixed(1)} s after its death`,
	);
	const { rows } = await sql<{ failed: number }>`select count(*) as failed from service_submission
		where result is null or result not like '%"outcome":"fetched"%'`.execute(db);
	expect(rows[0]?.failed).toBe(0);
	// The killed process has taken its spare documents and the one that hung with it.
	const used = sql<{ used: number }>`select sum(documents) as used from api_usage`;
	const spare = 5;
	await sleep(1500);
	const count = Number((await used.execute(db)).rows[0]?.used);
	console.log(`${submitted + 1} documents were sent or are ready, ${count} counted`);
	expect(count).toBeGreaterThanOrEqual(submitted + 1);
	expect(count).toBeLessThanOrEqual(submitted + 2 + spare);
});
