import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../testing/fake-clock.ts';
import { useStorePlaces, visitAt } from '../../testing/stores.ts';
import { rowLease } from '../fleet/membership.ts';
import type { Batch, Visit } from '../roles/commit.ts';
import type { NewUrl, OutOfScope, RunRequest } from '../roles/frontier.ts';
import type { HostRecord } from '../roles/leases.ts';
import type { Store } from '../roles/store.ts';
import { postgresDialect, postgresSettings } from '../schema/postgres.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { openStore } from './open.ts';

const at = Date.now();
const page = (url: string, more: Partial<NewUrl> = {}): NewUrl => ({
	url,
	kind: 'page',
	host: new URL(url).hostname,
	depth: 0,
	dates: 0,
	...more,
});
const request = (seeds: string[], more: Partial<RunRequest> = {}): RunRequest => ({
	seeds: seeds.map((url) => page(url, { seed: true })),
	scope: 'host',
	refresh: false,
	at,
	reconsider: () => undefined,
	...more,
});
const visit = visitAt(at);
const batch = (visits: Visit[], more: Partial<Batch> = {}): Batch => ({
	visits,
	hosts: [],
	positions: new Map(),
	scopeExpansions: [],
	...more,
});
const document = { identity: { title: 'T' } } as never;

const hour = 3_600_000;
/** Milliseconds; the server of the tests has run for longer. */
const lease = 300;

const { file, places } = useStorePlaces();
const everyPlace = { ...places, memory: async () => 'memory' };

describe.each(Object.entries(everyPlace))('a store in %s', (kind, place) => {
	/** For what outlives the process. */
	const lasting = kind === 'memory' ? undefined : it;
	let url: string;
	let store: Store;
	beforeEach(async () => {
		url = await place();
		store = await openStore(url, { lease });
	});
	afterEach(() => store.close());

	async function reopen(): Promise<void> {
		await store.close();
		store = await openStore(url, { lease });
		await store.leases.recover(at + 100);
	}

	/** As if the process had been killed whose lease, in PostgreSQL, would be over `at`. */
	async function killHolderOf(name: string): Promise<void> {
		await store.close();
		const db = openDatabase<StoreSchema>(url);
		const killed = { name: 'killed', run: null, expires_at: at };
		const { id } = await db.insertInto('crawl_worker').values(killed).returning('id').executeTakeFirstOrThrow();
		await db.updateTable('host').set({ holder: id, ready_at: null }).where('name', '=', name).execute();
		await db.destroy();
		store = await openStore(url, { lease });
		await store.leases.recover(at + 100);
	}

	/** The last moment at which the killed one may have asked for something. */
	const lastAsked = kind === 'PostgreSQL' ? at - Math.floor(rowLease(lease) / 4) : at + 100;

	/** No earlier, and not much later: clocks of databases are told relative to now. */
	function expectAbout(time: number, expected: number): void {
		expect(time).toBeGreaterThanOrEqual(expected);
		expect(time).toBeLessThan(Date.now() + expected - at + 1000);
	}

	it('tells what was looked at of a site, and forgets what is kept of it', async () => {
		const snapshot = { fetchedAt: at - 5, document };
		const keep = (url: string, more: object = {}) =>
			store.pages.keep({ url: page(url), ending: { outcome: 'fetched' }, at, content: { snapshot }, ...more });
		await keep('http://a.test/2');
		await keep('http://a.test/1', { ending: { outcome: 'gone', reason: 'http-410' }, content: undefined });
		await keep('http://b.a.test/');
		await keep('http://ba.test/');
		await keep('http://a_test/');
		const own = { host: 'a.test', below: false };
		expect(await store.pages.pagesOf(own, '', 10)).toEqual([
			{ url: 'http://a.test/1', outcome: 'gone', reason: 'http-410', checkedAt: at },
			{ url: 'http://a.test/2', outcome: 'fetched', checkedAt: at, fetchedAt: at - 5 },
		]);
		expect((await store.pages.pagesOf(own, 'http://a.test/1', 1)).map(({ url }) => url)).toEqual(['http://a.test/2']);
		expect((await store.pages.pagesOf({ ...own, below: true }, '', 10)).length).toBe(3);
		expect(await store.pages.forgetPages(own, 'http://b.a.test/', 10)).toEqual([]);
		expect((await store.pages.forgetPages({ ...own, below: true }, undefined, 10)).toSorted()).toEqual([
			'http://a.test/2',
			'http://b.a.test/',
		]);
		expect(await store.pages.snapshot('http://a.test/2')).toBeUndefined();
		expect(await store.pages.snapshot('http://ba.test/')).toBeDefined();
	});

	/** The URLs of a host that are due. */
	async function due(host: string, now = at) {
		const record = (await store.leases.claimHost(host))!;
		const rows = await store.frontier.pending(record.id, 'page', now, 100);
		await store.leases.releaseHost(record);
		return rows;
	}
	const urls = (rows: readonly { url: string }[]) => rows.map((row) => row.url);

	describe('frontier', () => {
		it('gives the seeds of a new run, nearest first and in the order found', async () => {
			const state = await store.begin(request(['http://a.test/', 'http://b.test/']));
			expect(state).toMatchObject({ mode: 'new', pending: 2, known: 2 });
			const [seed] = await due('a.test');
			const found = ['/2', '/1', '/2', '/'].map((path) => page(`http://a.test${path}`, { depth: 1 }));
			const { added, newLinks } = await store.commit(batch([visit(seed!.id, { found })]));
			expect([...added]).toEqual([['a.test', 2]]);
			expect(newLinks).toEqual([2]);
			expect(urls(await due('a.test'))).toEqual(['http://a.test/2', 'http://a.test/1']);
			expect((await due('a.test'))[0]).toMatchObject({ depth: 1, foundOn: 'http://a.test/' });
		});

		it('keeps the shortest way, and takes in what was out of scope when it is found inside', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			const out = { outcome: 'out-of-scope', reason: 'max-depth' } as const;
			await store.commit(
				batch([
					visit(seed!.id, {
						found: [page('http://a.test/x', { depth: 5 }), page('http://a.test/y', { depth: 6, ending: out })],
					}),
				]),
			);
			expect((await store.frontier.find('http://a.test/y'))?.outcome).toBe('out-of-scope');
			const { newLinks } = await store.commit(
				batch([
					visit(seed!.id, { found: [page('http://a.test/x', { depth: 2 }), page('http://a.test/y', { depth: 1 })] }),
				]),
			);
			expect((await due('a.test')).map(({ url, depth }) => [url, depth])).toEqual([
				['http://a.test/y', 1],
				['http://a.test/x', 2],
			]);
			expect(newLinks[0]).toBeGreaterThan(0);
		});

		it('does not visit again what has ended', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			await store.commit(batch([visit(seed!.id)]));
			await store.commit(batch([visit(seed!.id, { found: [page('http://a.test/', { depth: 1 })] })]));
			expect(await due('a.test')).toEqual([]);
		});

		it('a URL that waits for another try comes when it is due', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			const { ending: _, ...again } = visit(seed!.id, { due: at + 5000, attempts: 2 });
			await store.commit(batch([again]));
			expect(await due('a.test')).toEqual([]);
			expect((await due('a.test', at + hour))[0]).toMatchObject({ attempts: 2 });
		});

		it('a page and a sitemap may have the same address', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			const found = [page('http://a.test/s', { kind: 'sitemap' }), page('http://a.test/s')];
			expect((await store.commit(batch([visit(seed!.id, { found })]))).newLinks).toEqual([2]);
		});
	});

	describe('hosts', () => {
		it('are held by one at a time', async () => {
			await store.begin(request(['http://a.test/', 'http://b.test/']));
			const claimed = await store.leases.claimHosts(10);
			expect(claimed.map(({ name }) => name)).toEqual(['a.test', 'b.test']);
			expect(await store.leases.claimHosts(10)).toEqual([]);
			expect(await store.leases.claimHost('a.test')).toBeUndefined();
			await store.leases.releaseHost({ ...claimed[0]!, nextAt: at + 60_000, https: true, delay: 10_000 });
			const again = await store.leases.claimHost('a.test');
			expect(again).toMatchObject({ name: 'a.test', https: true, delay: 10_000 });
			expectAbout(again!.nextAt, at + 60_000);
		});

		it('keep their clocks, however often they are released and claimed', async () => {
			await store.begin(request(['http://a.test/']));
			for (let round = 0; round < 100; round++) {
				const host = (await store.leases.claimHost('a.test'))!;
				const nextAt = Date.now() + 60_000;
				await store.leases.releaseHost({ ...host, nextAt });
				const again = (await store.leases.claimHost('a.test'))!;
				expect(again.nextAt).toBeGreaterThanOrEqual(nextAt);
				await store.leases.releaseHost(again);
			}
		});

		lasting?.(
			'the clock of one whose worker was killed counts from its last moment, where nothing longer is known',
			async () => {
				await store.begin(request(['http://a.test/']));
				await store.leases.claimHosts(10);
				await killHolderOf('a.test');
				expectAbout((await store.leases.claimHost('a.test'))!.nextAt, lastAsked);
			},
		);

		lasting?.('it rests for all of its delay from then', async () => {
			await store.begin(request(['http://a.test/']));
			const [host] = await store.leases.claimHosts(10);
			await store.commit(batch([], { hosts: [{ ...host!, nextAt: at - 60_000, delay: 60_000 }] }));
			await killHolderOf('a.test');
			expectAbout((await store.leases.claimHost('a.test'))!.nextAt, lastAsked + 60_000);
		});

		lasting?.('a pause that was longer stays', async () => {
			await store.begin(request(['http://a.test/']));
			const [host] = await store.leases.claimHosts(10);
			await store.commit(batch([], { hosts: [{ ...host!, nextAt: at + 90_000, delay: 60_000 }] }));
			await killHolderOf('a.test');
			expectAbout((await store.leases.claimHost('a.test'))!.nextAt, at + 90_000);
		});

		lasting?.('one that is still held when the store is closed is given back, and rests for its delay', async () => {
			await store.begin(request(['http://a.test/']));
			const [host] = await store.leases.claimHosts(10);
			await store.commit(batch([], { hosts: [{ ...host!, delay: 60_000 }] }));
			await reopen();
			expectAbout((await store.leases.claimHost('a.test'))!.nextAt, at + 60_000);
		});

		it('one that has nothing to visit is not given out, until it has', async () => {
			await store.begin(request(['http://a.test/']));
			const [host] = await store.leases.claimHosts(10);
			const [seed] = await store.frontier.pending(host!.id, 'page', at, 10);
			await store.commit(batch([visit(seed!.id)]));
			expect(await store.frontier.unfinished()).toBe(false);
			await store.leases.releaseHost(host!);
			expect(await store.leases.claimHosts(10)).toEqual([]);
			await store.commit(batch([visit(seed!.id, { found: [page('http://a.test/1'), page('http://b.test/')] })]));
			expect(await store.frontier.unfinished()).toBe(true);
			expect((await store.leases.claimHosts(10)).map(({ name }) => name).sort()).toEqual(['a.test', 'b.test']);
		});
	});

	describe('runs', () => {
		async function finish(outcome: 'fetched' | 'deferred', reason?: 'max-pages' | 'robots-unreachable') {
			for (const { id } of await due('a.test', Number.MAX_SAFE_INTEGER))
				await store.commit(
					batch([visit(id, { ending: { outcome, ...(reason && { reason }) } })], {
						positions: new Map([['out', '7']]),
					}),
				);
			await store.end(true, at);
		}

		lasting?.('CB-118 CB-121 an interrupted run goes on, twice, and repeats nothing', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			await store.commit(
				batch([visit(seed!.id, { found: [page('http://a.test/1'), page('http://a.test/2')] })], {
					positions: new Map([['out', '7']]),
				}),
			);
			for (let time = 0; time < 2; time++) {
				await reopen();
				const state = await store.begin(request(['http://a.test/']));
				expect(state).toMatchObject({ mode: 'resume', pending: 2 });
				expect(state.positions.get('out')).toBe('7');
			}
			expect(urls(await due('a.test'))).toEqual(['http://a.test/1', 'http://a.test/2']);
		});

		it('a finished one is refreshed, with the validators of the last visit, and the sinks begin anew', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			const content = { etag: '"1"', bodyHash: new Uint8Array([1]), snapshot: { fetchedAt: at, document } };
			await store.commit(batch([visit(seed!.id, { content })]));
			await finish('fetched');
			const state = await store.begin(request(['http://a.test/']));
			expect(state).toMatchObject({ mode: 'refresh', pending: 1, run: 2 });
			expect(state.positions.size).toBe(0);
			expect((await due('a.test'))[0]?.last).toMatchObject({ etag: '"1"' });
			expect(await store.pages.snapshot('http://a.test/')).toMatchObject({ fetchedAt: at, document });
		});

		it('URLs beyond a limit are gone on with; deferred ones are tried by the next run in any case', async () => {
			await store.begin(request(['http://a.test/']));
			await finish('deferred', 'max-pages');
			expect(await store.begin(request(['http://a.test/']))).toMatchObject({ mode: 'resume', pending: 1 });
			await finish('deferred', 'robots-unreachable');
			expect(await store.begin(request(['http://a.test/']))).toMatchObject({ mode: 'refresh', pending: 1 });
		});

		it('another scope looks again at what was out of it', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			const ending = { outcome: 'out-of-scope', reason: 'other-host' } as const;
			await store.commit(batch([visit(seed!.id, { found: [page('http://b.a.test/', { depth: 1, ending })] })]));
			const reconsider = ({ url }: OutOfScope) => ({ host: new URL(url).hostname });
			await store.begin(request(['http://a.test/'], { scope: 'domain', reconsider }));
			expect(urls(await due('b.a.test'))).toEqual(['http://b.a.test/']);
		});
	});

	lasting?.(
		'what was out of scope is looked at again by the next run, where one has died before it could do so',
		async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			const ending = { outcome: 'out-of-scope', reason: 'other-host' } as const;
			const found = [page('http://b.test/1', { depth: 1, ending })];
			await store.commit(batch([visit(seed!.id, { found })], { scopeExpansions: ['http://b.test/'] }));
			for (const asked of [1, 0]) {
				await reopen();
				const reconsider = vi.fn(({ url }: OutOfScope) => ({ host: new URL(url).hostname }));
				await store.begin(request(['http://a.test/'], { reconsider }));
				expect(reconsider).toHaveBeenCalledTimes(asked);
				expect(urls(await due('b.test'))).toEqual(['http://b.test/1']);
			}
		},
	);

	lasting?.('what a worker committed that has left the run before its end is looked at again, too', async () => {
		await store.begin(request(['http://a.test/', 'http://a.test/1']));
		const [first, second] = await due('a.test');
		await store.commit(batch([visit(first!.id)], { scopeExpansions: ['http://b.test/'] }));
		await store.frontier.reconsider(() => undefined);
		expect(await store.frontier.hasUnjudged()).toBe(false);
		// Judged before, committed after.
		const ending = { outcome: 'out-of-scope', reason: 'other-host' } as const;
		await store.commit(batch([visit(second!.id, { found: [page('http://b.test/1', { depth: 1, ending })] })]));
		await reopen();
		expect(await store.frontier.hasUnjudged()).toBe(true);
		const reconsider = ({ url }: OutOfScope) => ({ host: new URL(url).hostname });
		await store.begin(request(['http://a.test/'], { reconsider }));
		expect(urls(await due('b.test'))).toEqual(['http://b.test/1']);
		await store.end(false, at);
		await reopen();
		expect(await store.frontier.hasUnjudged()).toBe(false);
	});

	describe('content', () => {
		it('without a document only what tells a change is kept', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			await store.commit(batch([visit(seed!.id, { content: { etag: '"1"', snapshot: { fetchedAt: at } } })]));
			expect(await store.pages.snapshot('http://a.test/')).toBeUndefined();
		});

		it('the target of a redirect ends with the page that led to it', async () => {
			await store.begin(request(['http://a.test/']));
			const [seed] = await due('a.test');
			const target = { url: page('http://a.test/start'), ending: { outcome: 'fetched' } as const };
			const content = { snapshot: { fetchedAt: at, document } };
			await store.commit(
				batch([
					visit(seed!.id, {
						ending: { outcome: 'fetched', reason: 'redirected' },
						redirectedTo: target.url.url,
						target,
						content,
					}),
				]),
			);
			expect(await store.frontier.find('http://a.test/')).toMatchObject({
				reason: 'redirected',
				redirectedTo: 'http://a.test/start',
			});
			expect(await store.pages.snapshot('http://a.test/start')).toMatchObject({ document });
			expect(await due('a.test')).toEqual([]);
		});
	});

	it('text that no database likes is kept all the same', async () => {
		await store.begin(request(['http://a.test/']));
		const [seed] = await due('a.test');
		const detail = 'zero \0, half \ud800, back\\slash \\u0000';
		const etag = '"\0"';
		await store.commit(
			batch([
				visit(seed!.id, {
					ending: { outcome: 'failed', reason: 'bad-redirect', detail },
					content: { etag, snapshot: { fetchedAt: at } },
				}),
			]),
		);
		expect(await store.frontier.find('http://a.test/')).toMatchObject({ outcome: 'failed' });
	});

	it('the tally names the deciding line and example URLs', async () => {
		await store.begin(request(['http://a.test/', 'http://a.test/x', 'http://a.test/y']));
		const evidence = [
			{ source: 'http://a.test/robots.txt', line: 2, text: 'Disallow: /', mechanism: 'robots' as const },
		];
		const [first, ...others] = await due('a.test');
		const refused = others.map(({ id }) =>
			visit(id, { ending: { outcome: 'refused', reason: 'robots-disallow' }, evidence }),
		);
		await store.commit(batch([visit(first!.id), ...refused]));
		expect(await store.frontier.tally()).toMatchObject({
			pending: 0,
			rows: [
				{
					outcome: 'refused',
					reason: 'robots-disallow',
					count: 2,
					evidence,
					examples: ['http://a.test/x', 'http://a.test/y'],
				},
				{ outcome: 'fetched', count: 1, examples: ['http://a.test/'] },
			],
			seeds: [{ outcome: 'fetched' }, { outcome: 'refused' }, { outcome: 'refused' }],
		});
	});

	it('CB-75 pages that are alike are found by the first of them, and counted with the names of their hosts', async () => {
		await store.begin(request(['http://a.test/', 'http://www.a.test/', 'http://b.test/']));
		const [first] = await due('a.test');
		const [second] = await due('www.a.test');
		const [third] = await due('b.test');
		const content = (value: readonly [number, number, number, number], twin?: string) => ({
			content: { minHash: { value, ...(twin && { twin }) }, snapshot: { fetchedAt: at, document } },
		});
		await store.commit(
			batch([
				visit(first!.id, content([1, -2, 3, 4])),
				visit(second!.id, content([1, -2, 3, 5], 'http://a.test/')),
				visit(third!.id, content([7, -2, 3, 4], 'http://a.test/')),
			]),
		);
		const known = [{ url: 'http://a.test/', minHash: [1, -2, 3, 4] }];
		expect(await store.pages.lookalikes([1, 0, 0, 0])).toEqual(known);
		expect(await store.pages.lookalikes([0, -2, 0, 0])).toEqual(known);
		expect(await store.pages.lookalikes([0, 0, 3, 4])).toEqual([]);
		expect((await store.frontier.tally()).duplicates).toEqual({
			pages: 2,
			examples: [
				{ url: 'http://www.a.test/', twin: 'http://a.test/' },
				{ url: 'http://b.test/', twin: 'http://a.test/' },
			],
			aliases: [{ hosts: ['a.test', 'www.a.test'], pages: 1 }],
		});
		// What may not be kept any longer leaves nothing behind.
		await store.commit(
			batch(
				[first, second, third].map((row) =>
					visit(row!.id, { content: { minHash: null, snapshot: { fetchedAt: at } } }),
				),
			),
		);
		expect(await store.pages.lookalikes([1, -2, 3, 4])).toEqual([]);
		expect((await store.frontier.tally()).duplicates.pages).toBe(0);
	});

	it('a policy file is kept as it was fetched', async () => {
		const file = {
			url: 'http://a.test/robots.txt',
			fetchedAt: 1,
			expiresAt: 2,
			status: 200,
			body: new Uint8Array([65]),
			etag: '"e"',
		};
		await store.policies.savePolicyFile(file);
		expect(await store.policies.policyFile(file.url)).toMatchObject({ ...file, body: Buffer.from('A') });
	});

	lasting?.(
		'that a policy file could not be had is forgotten when a crawl begins and nobody else is at work',
		async () => {
			const outage = { detail: '500', status: 500, until: at + 60_000 };
			const file = {
				url: 'http://a.test/robots.txt',
				fetchedAt: 1,
				expiresAt: 2,
				unreachableSince: 3,
				status: 500,
				outage,
			};
			await store.policies.savePolicyFile(file);
			expect(await store.policies.policyFile(file.url)).toEqual(file);
			await reopen();
			const { outage: _, ...rest } = file;
			expect(await store.policies.policyFile(file.url)).toEqual(rest);
		},
	);

	it('R2-47 answers to an ask are kept per origin and identity until they expire', async () => {
		const answer = {
			origin: 'http://a.test',
			identity: 'Bot/1 (ai-assistant)',
			directive: 'read' as const,
			answer: { decision: 'allow' as const, scopes: ['/blog/*'], maxAge: 60 },
			source: 'http://a.test/.well-known/robots2-ask?directive=read',
			askedAt: at,
			expiresAt: at + 60_000,
		};
		await store.policies.saveAskAnswer({ ...answer, answer: { decision: 'deny', why: 'denied', maxAge: 60 } });
		await store.policies.saveAskAnswer(answer);
		if (kind !== 'memory') await reopen();
		expect(await store.policies.askAnswers(answer.origin, answer.identity, at + 59_999)).toEqual([answer]);
		expect(await store.policies.askAnswers(answer.origin, answer.identity, at + 60_000)).toEqual([]);
		expect(await store.policies.askAnswers('http://b.test', answer.identity, at)).toEqual([]);
		expect(await store.policies.askAnswers(answer.origin, 'Other/1 (ai-assistant)', at)).toEqual([]);
	});
});

describe('a file', () => {
	it('is used by one crawl at a time', async () => {
		const url = await places['an SQLite file']();
		const store = await openStore(url);
		await expect(openStore(url)).rejects.toMatchObject({ code: 'store-in-use' });
		await store.close();
		await (await openStore(url)).close();
	});

	it('a crawl whose lock was deleted ends when another one has begun', async () => {
		const url = await places['an SQLite file']();
		const store = await openStore(url);
		await store.begin(request(['http://a.test/']));
		rmSync(file('crawl.db-lock'));
		const other = await openStore(url);
		await other.leases.recover(Date.now());
		await expect(store.frontier.offer([page('http://a.test/b')])).rejects.toMatchObject({ code: 'store-in-use' });
		await other.frontier.offer([page('http://a.test/b')]);
		await store.close();
		await other.close();
	});

	it('CB-117 cut at any byte of what was written last, it opens with all that was committed before', async () => {
		const url = await places['an SQLite file']();
		const store = await openStore(url);
		await store.begin(request(['http://a.test/']));
		const pages = Array.from({ length: 20 }, (_, at) => `http://a.test/${at}`);
		for (const each of pages) await store.frontier.offer([page(each)]);
		// As after a crash: the log is not yet part of the file.
		const [base, log] = ['crawl.db', 'crawl.db-wal'].map((name) => readFileSync(file(name))) as [Buffer, Buffer];
		await store.close();
		const counts: number[] = [];
		for (const share of [0.3, 0.61, 0.83, 0.97, 1]) {
			writeFileSync(file('cut.db'), base);
			writeFileSync(file('cut.db-wal'), log.subarray(0, Math.floor(log.length * share)));
			const cut = await openStore(`sqlite:${file('cut.db')}`);
			const known = await Promise.all(pages.map((each) => cut.frontier.find(each)));
			await cut.close();
			counts.push(known.filter((each) => each !== undefined).length);
			expect(known.slice(0, counts.at(-1))).not.toContain(undefined);
			for (const name of ['cut.db', 'cut.db-wal', 'cut.db-shm']) rmSync(file(name), { force: true });
		}
		expect(counts.at(-1)).toBe(20);
		expect(counts).toEqual([...counts].sort((a, b) => a - b));
		expect(new Set(counts).size).toBeGreaterThan(2);
	});

	it('CB-117 cut or foreign, it is reported', async () => {
		const url = await places['an SQLite file']();
		await (await openStore(url)).close();
		truncateSync(file('crawl.db'), 5000);
		await expect(openStore(url)).rejects.toMatchObject({ code: 'store-unreadable' });
		writeFileSync(file('text.db'), 'this is not a database, but long enough to be looked at as one');
		await expect(openStore(`sqlite:${file('text.db')}`)).rejects.toMatchObject({ code: 'store-unreadable' });
	});
});

describe('a store in PostgreSQL', () => {
	it('a worker sees by its own clock when a page is tried again, whatever the clock of the one was that has put it off', async () => {
		const url = await places.PostgreSQL();
		const [fast, slow] = [new FakeClock(Date.now() + 3 * hour), new FakeClock(Date.now() - hour)];
		const [first, second] = [await openStore(url, { clock: fast }), await openStore(url, { clock: slow })];
		await first.frontier.offer([page('http://a.test/')]);
		const [{ id: host }] = (await first.leases.claimHosts(1)) as [HostRecord];
		const [seed] = await first.frontier.pending(host, 'page', fast.now(), 1);
		const { ending: _, ...again } = visit(seed!.id, { due: fast.now() + hour });
		await first.commit(batch([again]));
		const near = (time: number) => slow.now() + time;
		expect(await second.frontier.pending(host, 'page', near(hour / 2), 1)).toEqual([]);
		expect(await second.frontier.pending(host, 'page', near(2 * hour), 1)).toHaveLength(1);
		for (const due of [await second.frontier.nextDue(host), (await second.frontier.find('http://a.test/'))!.due])
			expect(Math.round((due! - slow.now()) / hour)).toBe(1);
		for (const store of [first, second]) await store.close();
	});

	it('two workers that end at the same time what waits count each URL once', async () => {
		const url = await places.PostgreSQL();
		const stores = await Promise.all([openStore(url), openStore(url)]);
		const found = Array.from({ length: 4 }, (_, at) => page(`http://a.test/${at}`));
		await stores[0]!.frontier.offer([...found, page('http://a.test/sitemap.xml', { kind: 'sitemap' })]);
		const db = openDatabase<StoreSchema>(url);
		const ends = await db.transaction().execute(async (tx) => {
			await sql`select 1 from url for update`.execute(tx);
			const both = stores.map((store) => store.frontier.endPending({ outcome: 'deferred', reason: 'max-pages' }, at));
			await waiting(db, both.length);
			return { both };
		});
		const [first, second] = await Promise.all(ends.both);
		expect([first!.pages + second!.pages, first!.urls + second!.urls]).toEqual([4, 5]);
		await db.destroy();
		for (const store of stores) await store.close();
	});

	it('finds URLs that wait again in a wider scope, though their host is released before the commit', async () => {
		const url = await places.PostgreSQL();
		const [first, second] = [await openStore(url), await openStore(url)];
		const ending = { outcome: 'out-of-scope', reason: 'other-host' } as const;
		await first.frontier.offer([page('http://a.test/1', { ending }), page('http://c.test/'), page('http://b.test/')]);
		const host = (await first.leases.claimHost('a.test'))!;
		const db = openDatabase<StoreSchema>(url);
		await db.updateTable('host').set({ ready_at: null }).execute();
		const count = await db.transaction().execute(async (tx) => {
			await sql`select 1 from host where name = 'b.test' for update`.execute(tx);
			const looking = second.frontier.reconsider((url) => ({ host: new URL(url.url).hostname }));
			await waiting(db, 1);
			await first.leases.releaseHost(host);
			return { looking };
		});
		expect(await count.looking).toBe(1);
		expect((await second.leases.claimHosts(9)).map(({ name }) => name)).toContain('a.test');
		await db.destroy();
		for (const store of [first, second]) await store.close();
	});

	it('looks up the links of a page in one index, without the rows of those that are known and no nearer', async () => {
		const url = await places.PostgreSQL();
		const store = await openStore(url);
		const db = openDatabase(url, { settings: postgresSettings });
		const { rows } = await sql<{
			'QUERY PLAN': string;
		}>`explain select * from ${postgresDialect.foundRows('[]')}`.execute(db);
		const scans = rows.map((row) => row['QUERY PLAN'].trim()).filter((line) => /Scan.* on url /.test(line));
		expect(scans).toEqual([
			expect.stringMatching(/^->\s+Index Only Scan using url_known on url/),
			expect.stringMatching(/^->\s+Index Scan using url_known on url/),
		]);
		await store.close();
		await db.destroy();
	});
});

/** Resolves when so many statements wait for what others have locked. */
async function waiting(db: Kysely<StoreSchema>, count: number): Promise<void> {
	for (;;) {
		const { rows } = await sql`select 1 from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
		if (rows.length >= count) return;
		await sleep(10);
	}
}
