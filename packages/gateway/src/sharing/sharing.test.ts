import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { startPostgresProxy } from '../../../io/src/testing/postgres-proxy.ts';
import type { ConfigInput } from '../config/schema.ts';
import { origin, type RunningSite, startSite } from '../testing/running-site.ts';
import { type OpenSharing, openSharing } from './open-sharing.ts';

let shared: string;
let closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
	shared = await newDatabase();
});
afterEach(async () => {
	for (const close of closing) await close();
	closing = [];
});

type Given = Omit<ConfigInput, 'origin'>;

/** A gateway of the site, which shares with all others of the test. */
async function gateway(given: Given = {}, store = shared): Promise<RunningSite> {
	const site = await startSite({ shared: store, ...given }, (_, response) => response.end('page'));
	closing.push(() => site.close());
	return site;
}

async function share(options: Parameters<typeof openSharing>[2] = {}, store = shared): Promise<OpenSharing> {
	const sharing = await openSharing(store, origin, { interval: 50, patience: 10_000, ...options });
	closing.push(() => sharing.close());
	return sharing;
}

const byAgent = (name: string) => ({ 'user-agent': `${name}/1.0`, 'x-agent-identity': `${name}/1.0 (ai-assistant)` });
const ask = '/.well-known/robots2-ask?directive=read';
const asking: Given = {
	policy: { read: 'ask' },
	ask: { read: { decision: 'allow-once' } },
};

/** What a gateway knows of the client of the test. */
const known = (site: RunningSite, client: string) => site.running.gateway().clientMemory.find(client);

describe('limits of several gateways', () => {
	it('hold for all together, with at most one share more', async () => {
		const [one, two] = [await share(), await share()] as const;
		await expect.poll(() => one.status().gateways).toBe(2);
		const rate = { perMinute: 0.001, burst: 20 };
		const take = [one.limit('pages', rate), two.limit('pages', rate)] as const;
		let got = 0;
		// Each spends its share before it hears of the other; then they go on until both say no for good.
		for (let round = 0; round < 4; round++) {
			for (const each of take) for (let at = 0; at < 30; at++) if (each('Bot') === 0) got++;
			await Promise.all([one.refresh(), two.refresh()]);
		}
		expect(got).toBeGreaterThanOrEqual(20);
		expect(got).toBeLessThanOrEqual(20 + 10);
	});

	it('exchanges are at most ten a second, however many requests wait for one', async () => {
		const one = await share({ interval: 60_000 });
		await one.refresh();
		const began = performance.now();
		const ends: number[] = [];
		for (let round = 0; round < 3; round++) {
			await Promise.all(Array.from({ length: 50 }, () => one.refresh()));
			ends.push(performance.now() - began);
		}
		// Times of this loop can only be late.
		for (const [round, end] of ends.entries()) expect(end).toBeGreaterThan(95 * (round + 1));
	});

	it('a debt is paid: a client that was let go twice waits the longer', async () => {
		const [one, two] = [await share({ interval: 60_000 }), await share({ interval: 60_000 })] as const;
		const rate = { perMinute: 0.001, burst: 20 };
		const take = [one.limit('pages', rate), two.limit('pages', rate)] as const;
		// `one` was the first, and still thinks that it is alone: its share is everything.
		for (let at = 0; at < 20; at++) take[0]('Bot');
		for (let at = 0; at < 10; at++) take[1]('Bot');
		await one.refresh();
		await two.refresh();
		await one.refresh();
		const { rows } = await sql<{ tokens: number }>`select tokens from gateway_shared_limit`.execute(one.db);
		expect(rows[0]!.tokens).toBeCloseTo(-10, 1);
		expect(take[0]('Bot')).toBeGreaterThan(10 * 60_000_000);
	});

	it('a gateway that comes back has forgotten nothing', async () => {
		const first = await share();
		const rate = { perMinute: 0.001, burst: 5 };
		for (let at = 0; at < 5; at++) expect(first.limit('pages', rate)('Bot')).toBe(0);
		await first.close();
		const again = await share();
		expect(again.limit('pages', rate)('Bot')).toBeGreaterThan(0);
	});
});

describe('allow once', () => {
	it('R2-46 is one use of all gateways together, however many requests come at once', async () => {
		const [one, two] = [await gateway(asking), await gateway(asking)] as const;
		const bot = byAgent('OnceBot');
		for (let round = 0; round < 3; round++) {
			const answer = await one.get(ask, bot);
			expect(answer.headers.get('x-robots2-decision')).toBe('allow-once');
			const tries = [one, two, one, two, one, two].map((site, at) => site.get(`/page-${round}-${at}`, bot));
			const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
			expect(statuses).toEqual([200, 403, 403, 403, 403, 403]);
		}
	});

	it('the other gateway honours it at once', async () => {
		const [one, two] = [await gateway(asking), await gateway(asking)] as const;
		const bot = byAgent('NextBot');
		await one.get(ask, bot);
		expect((await two.get('/page', bot)).status).toBe(200);
		expect((await one.get('/page', bot)).status).toBe(403);
	});

	it('is neither given nor used while the store is lost, and people get the site', async () => {
		const proxy = await startPostgresProxy(shared);
		closing.unshift(() => proxy.close());
		const one = await gateway(asking, proxy.url);
		const bot = byAgent('LostBot');
		expect((await one.get(ask, bot)).headers.get('x-robots2-decision')).toBe('allow-once');
		proxy.die(1, 'before', true);
		await expect.poll(() => one.running.sharing()?.reachable).toBe(false);
		const refused = await one.get('/page', bot);
		expect([refused.status, JSON.parse(refused.text).type]).toEqual([
			503,
			expect.stringContaining('store-unreachable'),
		]);
		const denied = await one.get(ask, byAgent('OtherBot'));
		expect(denied.headers.get('x-robots2-decision')).toBe('deny');
		expect(denied.headers.get('x-wayleave-reason')).toBe('store-unreachable');
		expect((await one.get('/page', { 'user-agent': 'Mozilla/5.0 Firefox/140.0' })).status).toBe(200);
		proxy.heal();
		await expect.poll(() => one.running.sharing()?.reachable, { timeout: 10_000 }).toBe(true);
		expect((await one.get('/page', bot)).status).toBe(200);
		expect((await one.get('/page', bot)).status).toBe(403);
		const notes = one.notes.filter((note) => note.includes('the shared store'));
		expect(notes.slice(-2)).toEqual([expect.stringContaining('is lost'), expect.stringContaining('is back')]);
	});
});

describe('what is known of a client', () => {
	it('a visit of a honeypot counts against one that read robots.txt elsewhere', async () => {
		const ledger = { store: await newDatabase() };
		const given: Given = { honeypots: ['/trap/'], ledger };
		const [one, two] = [await gateway(given), await gateway(given)] as const;
		const person = { 'user-agent': 'Mozilla/5.0 Firefox/140.0' };
		await one.get('/robots.txt', person);
		await expect.poll(() => known(two, '127.0.0.1')?.policy, { timeout: 10_000 }).toBeDefined();
		await two.get('/trap/', person);
		await two.running.ledger.flush();
		const entries = one.running.ledger.db.selectFrom('gateway_request').selectAll().where('action', '=', 'honeypot');
		expect(await entries.execute()).toEqual([expect.objectContaining({ excuse: null, violation: 1 })]);
	});

	it('a pause between pages is one over all gateways', async () => {
		const ledger = { store: await newDatabase() };
		const given: Given = { rate: { default: 2, burst: 10 }, ledger };
		const [one, two] = [await gateway(given), await gateway(given)] as const;
		await one.get('/1', byAgent('QuickBot'));
		await expect.poll(() => known(two, 'QuickBot 127.0.0.1')?.lastPage, { timeout: 10_000 }).toBeDefined();
		await two.get('/2', byAgent('QuickBot'));
		await two.running.ledger.flush();
		await one.running.ledger.flush();
		const rows = one.running.ledger.db.selectFrom('gateway_request').select(['path', 'early']).orderBy('at');
		expect(await rows.execute()).toEqual([
			{ path: '/1', early: 0 },
			{ path: '/2', early: 1 },
		]);
	});
});

describe('a shared store that is lost', () => {
	it('at the start: agents wait, people get the site, and agents too when it is there', async () => {
		const proxy = await startPostgresProxy(shared);
		closing.unshift(() => proxy.close());
		proxy.die(1, 'before', true);
		const one = await gateway({}, proxy.url);
		expect((await one.get('/page')).status).toBe(503);
		expect((await one.get('/robots.txt')).status).toBe(200);
		expect((await one.get('/page', { 'user-agent': 'Mozilla/5.0 Firefox/140.0' })).status).toBe(200);
		proxy.heal();
		await expect.poll(async () => (await one.get('/page')).status, { timeout: 10_000 }).toBe(200);
	});

	it('each gateway goes on with its share of the limit, and settles it afterwards', async () => {
		const proxy = await startPostgresProxy(shared);
		closing.unshift(() => proxy.close());
		const [one, two] = [await share({}, proxy.url), await share({}, proxy.url)] as const;
		await expect.poll(() => one.status().gateways).toBe(2);
		await expect.poll(() => two.status().gateways).toBe(2);
		proxy.die(1, 'before', true);
		await expect.poll(() => one.status().reachable || two.status().reachable).toBe(false);
		const rate = { perMinute: 0.001, burst: 20 };
		const take = [one.limit('pages', rate), two.limit('pages', rate)] as const;
		const got = take.map((each) => Array.from({ length: 30 }, () => each('Bot')).filter((wait) => wait === 0).length);
		expect(got).toEqual([10, 10]);
		proxy.heal();
		await expect.poll(() => one.status().reachable && two.status().reachable, { timeout: 10_000 }).toBe(true);
		await Promise.all([one.refresh(), two.refresh()]);
		const { rows } = await sql<{ tokens: number }>`select tokens from gateway_shared_limit`.execute(one.db);
		expect(rows[0]!.tokens).toBeCloseTo(0, 1);
	});
});

it('a database that cannot be used ends the start with a sentence', async () => {
	const wrong = Object.assign(new URL(shared), { password: 'wrong' }).href;
	await expect(openSharing(wrong, origin)).rejects.toMatchObject({ code: 'wrong-password' });
});

it('a gateway of a later version counts, and its rows are ignored with a sentence', async () => {
	const later = await share({ announced: 2 });
	const notes: string[] = [];
	const one = await share({ onNote: (text) => notes.push(text) });
	expect(one.status()).toMatchObject({ gateways: 2, strangers: [expect.stringContaining(':')] });
	expect(notes).toEqual([expect.stringContaining('in another format')]);
	await sql`insert into gateway_shared_limit (site, format, name, client, tokens, burst, per_minute, at, until, revision)
		values (${origin}, 2, 'pages', 'Bot', -100, 1, 1, 0, 1e15, 1000000)`.execute(later.db);
	await one.refresh();
	expect(one.limit('pages', { perMinute: 1, burst: 5 })('Bot')).toBe(0);
});

it('two sites in one database have nothing to do with each other', async () => {
	const one = await share();
	const other = await openSharing(shared, 'https://other.example', { interval: 50 });
	closing.push(() => other.close());
	expect(other.status().gateways).toBe(1);
	const rate = { perMinute: 0.001, burst: 1 };
	expect(one.limit('pages', rate)('Bot')).toBe(0);
	await one.refresh();
	await other.refresh();
	expect(other.limit('pages', rate)('Bot')).toBe(0);
});
