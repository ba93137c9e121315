import { deepEqual, equal, ok } from 'node:assert/strict';
import type { StoreReader } from '../roles/reader.ts';
import type { Store } from '../roles/store.ts';
import {
	at,
	beginWithSeed,
	type ContractCase,
	commit,
	content,
	due,
	far,
	gather,
	home,
	like,
	link,
	page,
	request,
	visit,
} from './fixtures.ts';

/** Fills a new store, and returns a reader of it; `fill` leaves no run open. */
export type ReadAfter = (fill: (store: Store) => Promise<void>) => Promise<StoreReader>;

const robots = { url: 'http://a.test/robots.txt', fetchedAt: at, expiresAt: far, status: 200 };

/** A seed and three links: one fetched, one gone, one to another host. */
async function fill(store: Store): Promise<void> {
	await store.policies.savePolicyFile(robots);
	const seed = await beginWithSeed(store);
	const ending = { outcome: 'out-of-scope', reason: 'other-host' } as const;
	const found = [link('/1'), link('/2'), page('http://b.test/', { ending })];
	await commit(store, [visit(seed, { content: content('A'), check: { changed: true }, found })]);
	const [one, two] = await due(store);
	await commit(store, [
		visit(one ?? seed, { content: content('1') }),
		visit(two ?? seed, { ending: { outcome: 'gone', reason: 'http-410' }, status: 410 }),
	]);
	await store.end(true, at);
}

const cases: Record<string, (readAfter: ReadAfter) => Promise<void>> = {
	async 'counts what the store holds'(readAfter) {
		const store = await readAfter(fill);
		const { pending, rows } = await store.frontier.tally();
		equal(pending, 0);
		deepEqual(rows.map(({ outcome, count }) => `${count} ${outcome}`).sort(), [
			'1 gone',
			'1 out-of-scope',
			'2 fetched',
		]);
		deepEqual(await store.frontier.size(), { urls: 4, hosts: 1 });
		deepEqual(await store.frontier.lastRun(), { mode: 'new', startedAt: at, endedAt: at, complete: true });
		const { documents, bytes, total } = await store.pages.size();
		equal(documents, 2);
		ok(bytes > 0 && total >= bytes);
		equal(await store.policies.count(), 1);
		await store.close();
	},
	async 'returns the history of a URL'(readAfter) {
		const store = await readAfter(fill);
		const expected = {
			...{ url: link('/1').url, kind: 'page', seed: false, depth: 1, foundBy: [home], outcome: 'fetched' },
			...{ status: 200, attempts: 1, host: 'a.test', at: new Date(at).toISOString() },
		};
		deepEqual(like(await store.frontier.historyOf(link('/1').url), expected), expected);
		equal((await store.frontier.historyOf(link('/2').url))?.reason, 'http-410');
		equal((await store.frontier.historyOf('http://b.test/'))?.host, undefined);
		equal(await store.frontier.historyOf('http://never.test/'), undefined);
		const stored = await store.pages.stored(home);
		deepEqual([stored?.etag, stored?.fetchedAt], ['"A"', new Date(at).toISOString()]);
		equal(await store.pages.stored(link('/2').url), undefined);
		equal((await store.changes.historyOf(home)).revisit?.visits, 0);
		deepEqual(await store.changes.historyOf(link('/2').url), {});
		deepEqual(
			(await store.policies.filesOf(home)).map(({ url, status }) => [url, status]),
			[[robots.url, 200]],
		);
		equal((await store.policies.policyFile(robots.url))?.expiresAt, far);
		equal((await store.leases.stateOf('a.test'))?.waiting, 0);
		equal(await store.leases.stateOf('never.test'), undefined);
		await store.close();
	},
	async 'lists hosts with URLs to visit'(readAfter) {
		const store = await readAfter(async (filled) => {
			await fill(filled);
			await filled.begin(request());
			await filled.end(false, at);
		});
		const [host, ...others] = await store.leases.waitingHosts(10);
		deepEqual([host?.host, host?.held, others.length], ['a.test', false, 0]);
		equal(host?.count, (await store.frontier.tally()).pending);
		await store.close();
	},
	async 'prunes documents, and URLs that are gone'(readAfter) {
		const store = await readAfter(fill);
		const options = { gone: true, before: far };
		deepEqual(like(await store.prune({ ...options, dryRun: true }), { documents: 0, gone: 0 }), {
			documents: 2,
			gone: 1,
		});
		equal((await gather(store.pages.results())).length, 2);
		const { documents, bytes, gone } = await store.prune(options);
		deepEqual([documents, gone], [2, 1]);
		ok(bytes > 0);
		deepEqual(await gather(store.pages.results()), []);
		equal(await store.frontier.historyOf(link('/2').url), undefined);
		equal((await store.frontier.historyOf(home))?.outcome, 'fetched');
		equal(await store.pages.stored(home), undefined);
		deepEqual(await store.changes.historyOf(home), {});
		await store.close();
	},
	async 'forgets a URL or a host until that is undone'(readAfter) {
		const store = await readAfter(fill);
		deepEqual(await store.forget({ url: home }), { documents: 1, urls: 1, archives: [] });
		const history = await store.frontier.historyOf(home);
		deepEqual([history?.outcome, history?.reason], ['out-of-scope', 'forgotten']);
		equal((await gather(store.pages.results())).length, 1);
		equal(await store.remember({ url: home }), true);
		equal(await store.remember({ url: home }), false);
		deepEqual(await store.forget({ host: 'a.test' }), { documents: 1, urls: 3, archives: [] });
		deepEqual(await gather(store.pages.results()), []);
		await store.close();
	},
};

/** Contract of every `StoreReader`. Each case closes its reader. */
export const readerContract: readonly ContractCase<ReadAfter>[] = Object.entries(cases).map(([name, run]) => ({
	name,
	run,
}));
