import { deepEqual, equal, ok } from 'node:assert/strict';
import type { UrlFilter, UrlList } from '../roles/frontier.ts';
import type { StoreReader } from '../roles/reader.ts';
import type { Store } from '../roles/store.ts';
import {
	at,
	beginWithSeed,
	type ContractCase,
	commit,
	content,
	document,
	due,
	far,
	gather,
	home,
	link,
	matches,
	only,
	page,
	request,
	urlsOf,
	visit,
} from './fixtures.ts';

/** Fills a new store, and returns a reader of it; `fill` leaves no run open. */
export type ReadAfter = (fill: (store: Store) => Promise<void>) => Promise<StoreReader>;

const robots = { url: 'http://a.test/robots.txt', fetchedAt: at, expiresAt: far, status: 200 };

/** Of a body that differs from those of `content`. */
const otherHash = new Uint8Array([4, 5, 6]);

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
		matches(await store.frontier.historyOf(link('/1').url), expected);
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
	async 'lists and counts URLs piece by piece, examining no more rows than allowed'(readAfter) {
		const store = await readAfter(fill);
		const urls: string[] = [];
		let after: number | undefined = 0;
		for (let pieces = 0; after !== undefined; pieces++) {
			ok(pieces < 4);
			const list: UrlList = await store.frontier.list({ after, rows: 2, limit: 10 });
			ok(list.urls.length <= 2);
			urls.push(...list.urls.map(({ url }) => url));
			after = list.next;
		}
		deepEqual(urls, [home, link('/1').url, link('/2').url, 'http://b.test/']);
		const first = await store.frontier.list({ after: 0, rows: 10, limit: 1 });
		deepEqual([urlsOf(first.urls), first.next], [[home], first.urls[0]?.id]);
		deepEqual(await store.frontier.list({ after: 10, rows: 10, limit: 10 }), { urls: [] });
		const found = async (filter: UrlFilter) =>
			urlsOf((await store.frontier.list({ after: 0, rows: 10, limit: 10, ...filter })).urls);
		deepEqual(await found({ outcome: 'gone', reason: 'http-410' }), [link('/2').url]);
		deepEqual(await found({ outcome: 'waiting' }), []);
		deepEqual(await found({ host: 'b.test' }), ['http://b.test/']);
		deepEqual(await found({ contains: 'B.TEST', kind: 'page' }), ['http://b.test/']);
		deepEqual(await found({ contains: '%' }), []);
		deepEqual(await found({ since: at + 1 }), []);
		deepEqual(await found({ isNew: true }), [home]);
		deepEqual(urlsOf(await store.frontier.startingWith('http://a.test/', 2)), [home, link('/1').url]);
		const { counts, slices, next } = await store.frontier.count(0, 3, { since: at - 5000, step: 2000 });
		const totals = new Map<string, number>();
		for (const { outcome, host, count } of counts) {
			const key = `${outcome} ${host}`;
			totals.set(key, (totals.get(key) ?? 0) + count);
		}
		deepEqual([...totals].sort(), [
			['fetched a.test', 2],
			['gone a.test', 1],
		]);
		deepEqual([slices.every(({ slice }) => slice === 2), slices.reduce((sum, { count }) => sum + count, 0)], [true, 3]);
		const rest = await store.frontier.count(next ?? 0, 3, { since: at, step: 1000 });
		deepEqual(rest.counts, [{ kind: 'page', outcome: 'out-of-scope', reason: 'other-host', count: 1 }]);
		equal(rest.next, undefined);
		await store.close();
	},
	async 'keeps the document that the current one replaced'(readAfter) {
		const later = at + 60_000;
		const store = await readAfter(async (filled) => {
			await fill(filled);
			await filled.begin(request());
			const [seed, one] = await due(filled);
			const newer = { fetchedAt: later, document: document('A, revised') };
			await commit(filled, [
				visit(seed ?? only([]), { at: later, content: content('A', { snapshot: newer, bodyHash: otherHash }) }),
				// The same content, fetched once more, replaces nothing.
				visit(one ?? only([]), { at: later, content: content('1', { snapshot: newer }) }),
			]);
			await filled.end(false, later);
		});
		const versions = await store.pages.versions(home);
		deepEqual(
			versions.map(({ fetchedAt, document: { identity } }) => [fetchedAt, identity.title]),
			[
				[later, 'A, revised'],
				[at, 'A'],
			],
		);
		equal((await store.pages.versions(link('/1').url)).length, 1);
		deepEqual(await store.pages.versions('http://never.test/'), []);
		const [replaced, ...others] = await store.pages.replaced({ since: later, limit: 10 });
		deepEqual([replaced?.url, replaced?.replacedAt, replaced?.formerlyAt, others.length], [home, later, at, 0]);
		deepEqual(await store.pages.replaced({ since: later + 1, limit: 10 }), []);
		deepEqual(await store.pages.replaced({ since: 0, after: replaced ?? only([]), limit: 10 }), []);
		const documents = await store.pages.documents(0, 1);
		deepEqual(
			documents.map(({ url, document: { identity } }) => [url, identity.title]),
			[[home, 'A, revised']],
		);
		deepEqual(urlsOf(await store.pages.documents(documents[0]?.id ?? 0, 9)), [link('/1').url]);
		await store.close();
	},
	async 'removes what a document replaced together with it'(readAfter) {
		const store = await readAfter(async (filled) => {
			await fill(filled);
			await filled.begin(request());
			const [seed, one] = await due(filled);
			const newer = (title: string) =>
				content(title, { snapshot: { fetchedAt: far, document: document(title) }, bodyHash: otherHash });
			await commit(filled, [
				visit(seed ?? only([]), { content: newer('A') }),
				visit(one ?? only([]), { content: newer('1') }),
			]);
			await filled.end(false, at);
			await filled.begin(request({ refresh: true }));
			const again = (await due(filled)).find(({ url }) => url === home);
			if (again !== undefined) await commit(filled, [visit(again, { content: { snapshot: { fetchedAt: far + 1 } } })]);
			await filled.end(false, at);
		});
		// The site permits no copy of the first page any more.
		deepEqual(await store.pages.versions(home), []);
		equal((await store.pages.versions(link('/1').url)).length, 2);
		await store.forget({ url: link('/1').url });
		deepEqual(await store.pages.versions(link('/1').url), []);
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
		matches(await store.prune({ ...options, dryRun: true }), { documents: 2, gone: 1 });
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
