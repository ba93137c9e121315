import { once } from 'node:events';
import { stat } from 'node:fs';
import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newDatabase } from '../../../../io/src/testing/databases.ts';
import { type PostgresProxy, startPostgresProxy } from '../../../../io/src/testing/postgres-proxy.ts';
import { Membership, rowLease } from '../fleet/membership.ts';
import type { Store } from '../roles/store.ts';
import { postgresDialect } from '../schema/postgres.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { openStore } from '../sql/open.ts';

let url: string;
let db: Kysely<StoreSchema>;
beforeEach(async () => {
	url = await newDatabase();
	await (await openStore(url)).close();
	db = openDatabase<StoreSchema>(url);
});
afterEach(() => db.destroy());

const page = { url: 'http://a.test/', kind: 'page', host: 'a.test', depth: 0, dates: 0 } as const;

describe('a worker that its server was away from', () => {
	const lease = 2500;
	let proxies: PostgresProxy[] = [];
	let stores: Store[] = [];
	beforeEach(async () => {
		proxies = [await startPostgresProxy(url), await startPostgresProxy(url)];
		stores = await Promise.all(proxies.map((proxy) => openStore(proxy.url, { lease })));
		for (const store of stores) await store.leases.recover(Date.now());
		await stores[1]!.frontier.offer([page]);
		await stores[1]!.leases.claimHosts(1);
		for (const proxy of proxies) proxy.die(0, 'before', true);
		await until(async () => (await alive()) === 0);
	});
	afterEach(async () => {
		for (const proxy of proxies) proxy.heal();
		for (const store of stores) await store.close();
		for (const proxy of proxies) await proxy.close();
	});

	async function alive(): Promise<number> {
		const { rows } = await sql<{ count: number }>`select count(*) as count from crawl_worker
			where expires_at >= ${postgresDialect.now(0)}`.execute(db);
		return rows[0]!.count;
	}

	const workers = async () => (await db.selectFrom('crawl_worker').select('id').execute()).length;

	it('takes nobody for dead who comes back within a lease', async () => {
		const [first, second] = stores;
		proxies[0]!.heal();
		await first!.leases.recover(Date.now());
		expect(await workers()).toBe(2);
		proxies[1]!.heal();
		// What it holds is still its own.
		await second!.frontier.offer([{ ...page, url: 'http://a.test/1' }]);
		expect(await first!.leases.claimHost('a.test')).toBeUndefined();
	});

	it('takes for dead who does not come back within a lease, and tells that hosts are free', async () => {
		const [first] = stores;
		proxies[0]!.heal();
		const back = Date.now();
		await new Promise<void>((resolve) => {
			void first!.leases.recover(back, () => void workers().then((count) => count === 1 && resolve()));
		});
		expect(Date.now() - back).toBeGreaterThanOrEqual(rowLease(lease));
		expect(await first!.leases.claimHost('a.test')).toBeDefined();
	});
});

describe('a lease', () => {
	const lease = 60_000;
	let membership: Membership;
	let passed: number;
	beforeEach(async () => {
		passed = Math.round(performance.now());
		vi.spyOn(performance, 'now').mockImplementation(() => passed);
		membership = new Membership(db, postgresDialect, lease, async () => {});
		await membership.join();
	});
	afterEach(async () => {
		vi.restoreAllMocks();
		await membership.stop();
	});

	async function write(fails = false): Promise<void> {
		const number = await db.transaction().execute(async (tx) => {
			const number = await membership.fence(tx);
			if (fails) throw new Error('rolled back');
			return number;
		});
		membership.committed(number);
	}

	it('lets requests begin in its first half', async () => {
		passed += lease / 2 - 1;
		expect(membership.sure).toBe(true);
		passed += 1;
		expect(membership.sure).toBe(false);
		await write();
		expect(membership.sure).toBe(true);
	});

	it('is not renewed by a transaction that is undone', async () => {
		passed += lease / 2;
		await expect(write(true)).rejects.toThrow('rolled back');
		expect(membership.sure).toBe(false);
	});

	it('lets nobody be taken for dead for a lease after half of one without renewal', async () => {
		passed += lease / 2;
		await write();
		expect(membership.judgesIn).toBe(0);
		passed += lease / 2 + 1;
		await write();
		expect(membership.judgesIn).toBe(lease);
		passed += lease / 4;
		await write();
		expect(membership.judgesIn).toBe((lease * 3) / 4);
	});
});

it('aborts requests in flight after three quarters of a lease without renewal', async () => {
	const proxy = await startPostgresProxy(url);
	const lease = 800;
	const store = await openStore(proxy.url, { lease });
	await store.leases.recover(Date.now());
	const holding = await store.leases.assure();
	proxy.die(0, 'before', true);
	if (!holding!.aborted) await once(holding!, 'abort');
	const { rows } = await sql<{ left: number }>`select expires_at - ${postgresDialect.now(0)} as left
		from crawl_worker`.execute(db);
	expect(rows[0]!.left).toBeLessThanOrEqual(lease / 4);
	proxy.heal();
	expect((await store.leases.assure())!.aborted).toBe(false);
	await store.close();
	await proxy.close();
});

it('a process that was asleep takes the answers that have come meanwhile before it cuts off what is in flight', async () => {
	const proxy = await startPostgresProxy(url);
	const lease = 800;
	const store = await openStore(proxy.url, { lease });
	const holding = await store.leases.assure();
	proxy.die(0, 'before', true);
	const seen: string[] = [];
	stat('.', () => seen.push('answer'));
	holding!.addEventListener('abort', () => seen.push('cut off'));
	for (const began = performance.now(); performance.now() - began < lease; );
	await until(async () => holding!.aborted);
	expect(seen).toEqual(['answer', 'cut off']);
	proxy.heal();
	await store.close();
	await proxy.close();
});

it('a host that comes back before the answer to its release is held: after a lost lease its worker does not begin again', async () => {
	const proxy = await startPostgresProxy(url);
	const store = await openStore(proxy.url);
	await store.frontier.offer([page]);
	const [host] = await store.leases.claimHosts(1);
	// The fourth statement is the commit.
	proxy.die(proxy.statements + 4, 'after');
	const released = store.leases.releaseHost(host!);
	await until(async () => proxy.deaths === 1);
	expect(await store.leases.claimHost('a.test')).toBeDefined();
	await released;
	await db.deleteFrom('crawl_worker').execute();
	for (const _ of ['the first write', 'the next one'])
		await expect(store.frontier.offer([{ ...page, url: 'http://a.test/1' }])).rejects.toMatchObject({
			code: 'lease-lost',
		});
	await store.close();
	await proxy.close();
});

it('a run that holds nothing is told of a lost lease, which its heartbeat has seen first; then it begins again', async () => {
	const store = await openStore(url, { lease: 1500 });
	const begin = async () => {
		await store.leases.recover(Date.now());
		await store.begin({ seeds: [page], scope: 'x', refresh: false, at: Date.now(), reconsider: () => undefined });
	};
	await begin();
	const holding = await store.leases.assure();
	await db.deleteFrom('crawl_worker').execute();
	// The heartbeat may have been faster.
	if (!holding!.aborted) await once(holding!, 'abort');
	await expect(store.leases.claimHosts(1)).rejects.toMatchObject({ code: 'lease-lost' });
	await begin();
	expect(await store.leases.claimHosts(1)).toHaveLength(1);
	expect(await db.selectFrom('crawl_worker').select('run').execute()).toEqual([{ run: 1 }]);
	await store.close();
});

async function until(condition: () => Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

it('places of a limit that a worker had before it was taken for dead are not given back by what it is now', async () => {
	const store = await openStore(url);
	await store.begin({ seeds: [page], scope: 'x', refresh: false, at: Date.now(), reconsider: () => undefined });
	expect(await store.leases.reserve(10, 3)).toEqual({ granted: 3, exhausted: false });
	await store.leases.reserve(10, -5);
	expect(await store.leases.reserve(10, 20)).toEqual({ granted: 10, exhausted: false });
	await store.close();
});
