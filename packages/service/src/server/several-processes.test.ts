import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';

let web: TestWeb;
let here: TestService;
let other: ServiceProcess | undefined;
let db: Kysely<unknown>;
/** Requests for pages. */
let paths: string[] = [];

beforeAll(async () => {
	web = await startWeb(({ path }) => {
		if (path.endsWith('.txt') || path.startsWith('/.well-known')) return undefined;
		paths.push(path);
		const page = { body: htmlPage(`Page ${path}`), headers: { 'content-type': 'text/html' } };
		return path === '/gone' ? { status: 410, after: 1000 } : { ...page, after: 1000 };
	});
	const store = await newDatabase();
	db = openDatabase(store);
	const hosts = ['a.test', 'b.test', 'c.test'];
	here = await startService({ open: false, store, fetching: testSites(web.lookup, ...hosts) });
	other = await startServiceProcess({ store, hosts });
}, 180_000);
afterAll(async () => {
	await here.close();
	other?.kill('SIGKILL');
	await db.destroy();
	await web.close();
});

/** The other process. */
const there = () => other?.url ?? '';

const ask = (url: string, token: string, page: string) =>
	fetch(`${url}/v1/aidocument`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
		body: JSON.stringify({ url: page }),
	});

it('one cold page that two processes want is fetched once, and so is one that fails', async () => {
	const token = await here.key();
	for (const [path, status] of [
		['/cold', 200],
		['/gone', 410],
	] as const) {
		paths = [];
		const page = web.url('a.test', path);
		const [one, two] = await Promise.all([ask(here.url, token, page), ask(there(), token, page)]);
		expect([one.status, two.status]).toEqual([status, status]);
		expect(paths).toEqual([path]);
	}
});

it('two pages of one host that two processes want both come, one after the other', async () => {
	const token = await here.key();
	const [one, two] = await Promise.all([
		ask(here.url, token, web.url('a.test', '/first')),
		ask(there(), token, web.url('a.test', '/second')),
	]);
	expect([one.status, two.status]).toEqual([200, 200]);
});

it('a page that a dead process was fetching is taken over when its time is over', async () => {
	const page = web.url('b.test', '/left');
	await sql`insert into service_fetch (url, token, until, ended)
		values (${page}, 'dead', (extract(epoch from clock_timestamp()) * 1000)::bigint + 500, 0)`.execute(db);
	paths = [];
	expect((await ask(here.url, await here.key(), page)).status).toBe(200);
	expect(paths).toEqual(['/left']);
});

it('a submission of a dead process is finished by another one, and counts once', async () => {
	const token = await here.key({ quota: 5 });
	const page = web.url('c.test', '/submitted');
	await here.post('/v1/submit', { url: page }, { token });
	const taken = sql<{ finished: number }>`select count(*) as finished from service_submission
		where url = ${page} and finished_at is not null`;
	// The process that was asked is taken for dead before it is done.
	await sql`update service_submission set holder = 'dead', held_until = 0 where url = ${page}`.execute(db);
	await expect.poll(async () => (await taken.execute(db)).rows[0]?.finished, { timeout: 20_000 }).toBe(1);
	const used = sql<{ used: number }>`select sum(documents) as used from api_usage
		where key = (select caller from service_submission where url = ${page})`;
	await expect.poll(async () => Number((await used.execute(db)).rows[0]?.used), { timeout: 10_000 }).toBe(1);
});

it('S2-05 two processes never send more than the quota of a key together', async () => {
	const token = await here.key({ quota: 20 });
	const page = web.url('a.test', '/cold');
	const calls = Array.from({ length: 40 }, (_, at) => ask(at % 2 === 0 ? here.url : there(), token, page));
	const statuses = (await Promise.all(calls)).map(({ status }) => status);
	expect(statuses.filter((status) => status === 200)).toHaveLength(20);
	expect(statuses.filter((status) => status === 429)).toHaveLength(20);
});

it('S2-05 two processes keep one rate: what one permitted is not left to the other', async () => {
	const token = await here.key({ rate: 6 });
	const page = web.url('a.test', '/cold');
	const statusesOf = async (url: string) =>
		(await Promise.all(Array.from({ length: 8 }, () => ask(url, token, page)))).map(({ status }) => status);
	const spent = [200, 200, 200, 200, 200, 200, 429, 429];
	expect((await statusesOf(here.url)).sort()).toEqual(spent);
	await sleep(2000);
	const refused = await ask(there(), token, page);
	expect(refused.status).toBe(429);
	expect(refused.headers.get('ratelimit')).toMatch(/"minute";r=0;/);
	// Both at once: each permits what it knows of, and the next requests wait for the tokens of both.
	const both = await here.key({ rate: 6 });
	const calls = Array.from({ length: 24 }, (_, at) => ask(at % 2 === 0 ? here.url : there(), both, page));
	expect((await Promise.all(calls)).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(12);
	await sleep(2000);
	for (const url of [here.url, there()])
		expect(Number((await ask(url, both, page)).headers.get('retry-after'))).toBeGreaterThan(50);
});

it('a revoked key stops working in every process within a second', async () => {
	const token = await here.key();
	const page = web.url('a.test', '/cold');
	expect((await ask(there(), token, page)).status).toBe(200);
	const revoked = (await here.service.keys.list()).find(({ id }) => token.includes(id));
	expect(await here.service.keys.revoke(revoked?.id ?? '')).toBe(true);
	await sleep(1000);
	expect([(await ask(here.url, token, page)).status, (await ask(there(), token, page)).status]).toEqual([401, 401]);
});
