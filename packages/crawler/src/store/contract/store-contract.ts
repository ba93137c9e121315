import { deepEqual, equal, ok } from 'node:assert/strict';
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

const outside = { outcome: 'out-of-scope', reason: 'other-host' } as const;

const frontier: Record<string, (store: Store) => Promise<void>> = {
	async 'queues the seeds of a new run'(store) {
		await store.leases.recover(at);
		const state = await store.begin(request());
		matches(state, { mode: 'new', pending: 1, known: 1, workers: 0 });
		matches(only(await due(store)), { url: home, kind: 'page', seed: true, attempts: 0 });
	},
	async 'adds each link once, nearest to the seeds first, then in the order found'(store) {
		const seed = await beginWithSeed(store);
		const found = [link('/deep', { depth: 2 }), link('/2'), link('/1'), link('/2'), link('/')];
		const { added, newLinks } = await commit(store, [visit(seed, { found })]);
		deepEqual([[...added], newLinks], [[['a.test', 3]], [3]]);
		const waiting = await due(store);
		deepEqual(
			urlsOf(waiting),
			['/2', '/1', '/deep'].map((path) => link(path).url),
		);
		equal(waiting[0]?.foundOn, home);
		deepEqual([...(await store.frontier.offer([link('/1'), page('http://b.test/')]))], [['b.test', 1]]);
	},
	async 'keeps pages and sitemaps of one address apart'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { found: [link('/s', { kind: 'sitemap' }), link('/s')] })]);
		deepEqual(urlsOf(await due(store)), [link('/s').url]);
		equal((await store.frontier.find(link('/s').url, 'sitemap'))?.outcome, undefined);
	},
	async 'returns a URL that is to be tried again when it is due'(store) {
		const seed = await beginWithSeed(store);
		const { ending: _, ...retry } = visit(seed, { due: at + 5000, attempts: 2 });
		await commit(store, [retry]);
		deepEqual(await due(store), []);
		equal(await store.frontier.unfinished(), true);
		equal(only(await due(store, 'a.test', at + 60_000)).attempts, 2);
	},
	async 'sorts URLs that got 429, and URLs below given prefixes, behind all others'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { found: ['/limited', '/below/1', '/other'].map((path) => link(path)) })]);
		const { ending: _, ...limited } = visit((await due(store))[0] ?? seed, { status: 429, due: at });
		await commit(store, [limited]);
		const host = await store.leases.claimHost('a.test');
		const urls = await store.frontier.pending(host?.id ?? 0, 'page', at + 1000, 100, [link('/below').url]);
		deepEqual(urlsOf(urls)[0], link('/other').url);
		equal(urls.length, 3);
	},
	async 'finds the outcome of a URL'(store) {
		const seed = await beginWithSeed(store);
		const ending = { outcome: 'fetched', reason: 'redirected' } as const;
		const target = { url: link('/to'), ending: { outcome: 'fetched' } as const };
		await commit(store, [visit(seed, { ending, redirectedTo: link('/to').url, target, content: content('To') })]);
		matches(await store.frontier.find(home), { ...ending, redirectedTo: link('/to').url });
		equal((await store.frontier.find(link('/to').url))?.outcome, 'fetched');
		equal((await store.pages.snapshot(link('/to').url))?.document.identity.title, 'To');
		equal(await store.pages.snapshot(home), undefined);
		equal(await store.frontier.find('http://never.test/'), undefined);
	},
	async 'judges URLs again when the scope has changed'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { found: [page('http://b.test/', { ending: outside })] })], {
			scopeExpansions: [home],
		});
		equal((await store.frontier.find('http://b.test/'))?.outcome, 'out-of-scope');
		deepEqual(await store.frontier.scopeExpansions(), [home]);
		equal(await store.frontier.reconsider(({ url }) => ({ host: new URL(url).hostname })), 1);
		deepEqual(urlsOf(await due(store, 'b.test')), ['http://b.test/']);
		equal(await store.frontier.hasUnjudged(), false);
	},
	async 'ends what waits, except for some'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { found: [link('/1'), link('/2'), link('/3', { kind: 'sitemap' })] })]);
		const host = await store.leases.claimHost('a.test');
		const [first] = await store.frontier.pending(host?.id ?? 0, 'page', at, 100);
		const where = { host: host?.id ?? 0, except: [first?.id ?? 0] };
		const ending = { outcome: 'deferred', reason: 'max-pages' } as const;
		deepEqual(await store.frontier.endPending(ending, at, where), { urls: 2, pages: 1 });
		equal(await store.frontier.waiting(host?.id ?? 0), 1);
		deepEqual(await store.frontier.endPending(ending, at), { urls: 1, pages: 1 });
		equal(await store.frontier.unfinished(), false);
		const { results, last } = await store.frontier.unvisited(0, { thisRun: true, documents: false });
		deepEqual(urlsOf(results), [link('/1').url, link('/2').url]);
		equal((await store.frontier.unvisited(last ?? 0, { thisRun: true, documents: false })).last, undefined);
	},
	async 'reopens URLs that were skipped, and aliases of a page'(store) {
		const seed = await beginWithSeed(store);
		const skipped = { outcome: 'out-of-scope', reason: 'trap-repeated-path' } as const;
		await commit(store, [visit(seed, { found: [link('/x', { ending: skipped }), link('/y')] })]);
		const alias = { outcome: 'out-of-scope', reason: 'alias', aliasOf: home } as const;
		await commit(store, [visit(only(await due(store)), { ending: alias })]);
		const host = await store.leases.claimHost('a.test');
		equal(await store.frontier.reopen(host?.id ?? 0, ['trap-repeated-path']), 1);
		equal(await store.frontier.reopenAliases([home]), 1);
		equal(await store.frontier.waiting(host?.id ?? 0), 2);
	},
	async 'keeps the learned address patterns of a host'(store) {
		await beginWithSeed(store);
		const host = await store.leases.claimHost('a.test');
		await commit(store, [], { learned: new Map([[host?.id ?? 0, '{"parts":{}}']]) });
		equal(await store.frontier.learned(host?.id ?? 0), '{"parts":{}}');
	},
	async 'counts outcomes'(store) {
		const seed = await beginWithSeed(store);
		const refused = { outcome: 'refused', reason: 'robots-disallow' } as const;
		const evidence = [{ mechanism: 'robots.txt', source: 'http://a.test/robots.txt', text: 'Disallow: /1', line: 2 }];
		await commit(store, [visit(seed, { found: [link('/1'), link('/2')] })]);
		const [first] = await due(store);
		await commit(store, [visit(first ?? seed, { ending: refused, evidence: evidence as never })]);
		const { pending, rows } = await store.frontier.tally();
		equal(pending, 1);
		const row = rows.find(({ outcome }) => outcome === 'refused');
		matches(row, { count: 1, evidence, examples: [link('/1').url] });
	},
};

const runs: Record<string, (store: Store) => Promise<void>> = {
	async 'resumes an interrupted run, with the positions of the sinks'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { found: [link('/1')] })], { positions: new Map([['out', '7']]) });
		await store.end(false, at);
		const state = await store.begin(request());
		deepEqual([state.mode, state.pending, state.positions.get('out')], ['resume', 1, '7']);
		deepEqual(urlsOf(await due(store)), [link('/1').url]);
	},
	async 'refreshes a complete run, with the validators of the last visit'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { content: content('A') })], { positions: new Map([['out', '7']]) });
		await store.end(true, at);
		deepEqual(await store.frontier.lastRun(), { mode: 'new', startedAt: at, endedAt: at, complete: true });
		const state = await store.begin(request());
		deepEqual([state.mode, state.pending], ['refresh', 1]);
		// Known as a sink of this store, from its beginning.
		ok(!state.positions.get('out'));
		const { last } = only(await due(store));
		deepEqual([last?.etag, last?.kept], ['"A"', true]);
	},
	async 'resumes URLs beyond a limit, and retries deferred ones'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { ending: { outcome: 'deferred', reason: 'max-pages' } })]);
		await store.end(true, at);
		const state = await store.begin(request());
		deepEqual([state.mode, state.pending], ['resume', 1]);
	},
};

const hosts: Record<string, (store: Store) => Promise<void>> = {
	async 'gives each host to one holder at a time, with its clock'(store) {
		await store.leases.recover(at);
		await store.begin(request({ seeds: [page(home), page('http://b.test/')] }));
		const claimed = await store.leases.claimHosts(10);
		deepEqual(claimed.map(({ name }) => name).sort(), ['a.test', 'b.test']);
		deepEqual(await store.leases.claimHosts(10), []);
		equal(await store.leases.claimHost('a.test'), undefined);
		const host = claimed.find(({ name }) => name === 'a.test');
		ok(host);
		await store.leases.releaseHost({ ...host, nextAt: at + 60_000, https: true, delay: 10_000 });
		const again = await store.leases.claimHost('a.test');
		matches(again, { id: host.id, https: true, delay: 10_000 });
		ok((again?.nextAt ?? 0) >= at + 60_000);
	},
	async 'claims only hosts with URLs that wait'(store) {
		const seed = await beginWithSeed(store);
		const host = only(await store.leases.claimHosts(10));
		await commit(store, [visit(seed)]);
		await store.leases.releaseHost(host);
		deepEqual(await store.leases.claimHosts(10), []);
		await commit(store, [visit(seed, { found: [link('/1')] })]);
		deepEqual(await store.leases.claimHosts(10, [host.id]), []);
		equal((await store.leases.claimHosts(10)).length, 1);
	},
	async 'ends a run with all hosts given back'(store) {
		await beginWithSeed(store);
		await store.leases.claimHosts(10);
		await store.end(false, at);
		equal((await store.leases.claimHosts(10)).length, 1);
	},
	async 'reserves documents, and lets the holder of hosts send requests'(store) {
		await beginWithSeed(store);
		equal((await store.leases.reserve(10, 2)).granted, 2);
		equal((await store.leases.assure())?.aborted ?? false, false);
		equal(await store.leases.wanted(), 0);
	},
};

const pages: Record<string, (store: Store) => Promise<void>> = {
	async 'keeps documents, and what identifies their content'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { content: content('A') })]);
		const snapshot = await store.pages.snapshot(home);
		deepEqual([snapshot?.document, snapshot?.etag, snapshot?.isCurrent], [document('A'), '"A"', true]);
		deepEqual(new Uint8Array(snapshot?.bodyHash ?? []), new Uint8Array([1, 2, 3]));
		await commit(store, [visit(seed, { at: at + 1000, ending: { outcome: 'unchanged' }, content: {} })]);
		const later = await store.pages.snapshot(home, snapshot);
		deepEqual([later?.checkedAt, later?.document], [at + 1000, document('A')]);
		deepEqual(await store.pages.snapshot(home, later), later);
		await commit(store, [visit(seed, { at: at + 1000, content: content('B') })]);
		deepEqual((await store.pages.snapshot(home, later))?.document, document('B'));
		await commit(store, [visit(seed, { revokedUrls: [home] })]);
		equal(await store.pages.snapshot(home), undefined);
		equal((await store.frontier.find(home))?.last?.etag, '"B"');
	},
	async 'emits documents once their page is current, in the order found'(store) {
		const seed = await beginWithSeed(store);
		const spent = { uses: { read: 'allow' }, limits: { once: true } } as never;
		await commit(store, [visit(seed, { content: content('A'), found: [link('/1'), link('/2'), link('/3')] })]);
		const [one, two, three] = await due(store);
		const once = { fetchedAt: at, document: document('2'), policy: spent };
		await commit(store, [
			visit(one ?? seed, { content: content('1') }),
			visit(two ?? seed, { ending: { outcome: 'unchanged' }, content: { snapshot: once } }),
			visit(three ?? seed, { ending: { outcome: 'gone', reason: 'http-410' } }),
		]);
		await commit(store, [visit(one ?? seed, { ending: { outcome: 'gone', reason: 'http-410' } })]);
		equal((await store.pages.snapshot(link('/1').url))?.isCurrent, false);
		const titles = async (options: object) =>
			(await gather(store.pages.results(options))).map(({ document: kept }) => kept?.identity.title);
		deepEqual(await titles({ spent: true }), ['A', '2']);
		equal((await titles({}))[0], 'A');
		equal((await gather(store.pages.results({ outcomes: true }))).length, 4);
		const emitted = store.pages.emitted({ otherRuns: false, upTo: 0, outcomes: true });
		equal((await gather(emitted)).length, 4);
	},
	async 'finds pages with a similar text, and by name or address'(store) {
		const seed = await beginWithSeed(store);
		const minHash = { value: [1, 2, 3, 4] as const, prose: 5 };
		await commit(store, [visit(seed, { content: content('A', { minHash }), names: ['name'] })]);
		deepEqual(await store.pages.lookalikes([1, 9, 9, 9]), [{ url: home, minHash: minHash.value, prose: 5 }]);
		deepEqual(await store.pages.lookalikes([9, 9, 3, 4]), []);
		const found = await store.pages.comparable(['name', 'other'], [home]);
		deepEqual(found.map(({ key, url, outcome, prose }) => [key, url, outcome, prose]).sort(), [
			[home, home, 'fetched', 5],
			['name', home, 'fetched', 5],
		]);
	},
	async 'keeps pages that were visited outside of a run, and forgets them by site'(store) {
		const keep = (url: string, fetchedAt: number) =>
			store.pages.keep({
				url: page(url),
				ending: { outcome: 'fetched' },
				at,
				content: content(url, { snapshot: { fetchedAt, document: document(url) } }),
			});
		await keep('http://a.test/2', at - 1);
		await keep('http://a.test/1', at);
		await keep('http://b.a.test/', at - 2);
		const own = { host: 'a.test', below: false };
		const all = { host: 'a.test', below: true };
		deepEqual(urlsOf(await store.pages.pagesOf(own, '', 10)), ['http://a.test/1', 'http://a.test/2']);
		deepEqual(urlsOf(await store.pages.pagesOf(all, 'http://a.test/1', 1)), ['http://a.test/2']);
		const oldest = await store.pages.documentsSince({ fetchedAt: 0, id: 0 }, 2);
		deepEqual(urlsOf(oldest), ['http://b.a.test/', 'http://a.test/2']);
		deepEqual(urlsOf(await store.pages.documentsSince(oldest[1]?.place ?? { fetchedAt: far, id: 0 }, 9)), [
			'http://a.test/1',
		]);
		deepEqual(await store.pages.forgetPages(own, 'http://a.test/1', 10), ['http://a.test/1']);
		deepEqual((await store.pages.forgetPages(all, undefined, 10)).sort(), ['http://a.test/2', 'http://b.a.test/']);
		equal(await store.pages.snapshot('http://a.test/2'), undefined);
	},
};

const policiesAndChanges: Record<string, (store: Store) => Promise<void>> = {
	async 'replaces policy files'(store) {
		const file = { url: 'http://a.test/robots.txt', fetchedAt: at, expiresAt: far, status: 404 };
		await store.policies.savePolicyFile(file);
		await store.policies.savePolicyFile({ ...file, status: 200, body: new Uint8Array([35]) });
		const kept = await store.policies.policyFile(file.url);
		deepEqual([kept?.status, kept?.body && [...kept.body]], [200, [35]]);
		equal(await store.policies.policyFile('http://b.test/robots.txt'), undefined);
	},
	async 'keeps replies to ask requests until they expire'(store) {
		const kept = { origin: 'http://a.test', identity: 'Bot/1.0', source: home, askedAt: at, expiresAt: at + 1000 };
		const answer = { ...kept, directive: 'train', answer: { decision: 'deny' } } as never;
		await store.policies.saveAskAnswer(answer);
		await store.policies.saveAskAnswer(answer);
		equal((await store.policies.askAnswers('http://a.test', 'Bot/1.0', at)).length, 1);
		deepEqual(await store.policies.askAnswers('http://a.test', 'Bot/1.0', at + 2000), []);
		deepEqual(await store.policies.askAnswers('http://a.test', 'Other/1.0', at), []);
	},
	async 'records manifests and their entries'(store) {
		const record = { state: 'read', checkedAt: at, cycle: 1, salt: 's', fresh: true, stayed: false } as const;
		const trust = { level: 'hint' } as never;
		const site = { ...record, id: 0, origin: 'http://a.test', trust, hints: { right: 1, wrong: 0 } };
		const id = await store.changes.saveSite(site);
		equal(await store.changes.saveSite({ ...site, id, siteRev: 4 }), id);
		deepEqual(await store.changes.site('http://a.test'), { ...site, id, siteRev: 4 });
		await store.changes.saveListed(id, [
			{ key: '/b', state: 'due', listedRev: 2 },
			{ key: '/a', state: 'listed', rev: 1, listedRev: 1 },
		]);
		deepEqual(
			(await store.changes.listed(id, '', 10)).map(({ key }) => key),
			['/a', '/b'],
		);
		deepEqual((await store.changes.listed(id, '/a', 10)).length, 1);
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { found: [link('/b')] })]);
		equal(await store.changes.unsettled(id, 'http://a.test'), 1);
		const listed = [{ site: id, key: '/b', state: 'listed', rev: 2 } as const];
		await commit(store, [visit(only(await due(store)), { listed })]);
		equal(await store.changes.unsettled(id, 'http://a.test'), 0);
		deepEqual((await store.changes.outlook(link('/b').url, 'page', id, '/b')).listed?.rev, 2);
		await store.changes.forgetListed(id);
		deepEqual(await store.changes.listed(id, '', 10), []);
	},
	async 'records how often a page has changed'(store) {
		const seed = await beginWithSeed(store);
		await commit(store, [visit(seed, { content: content('A'), check: { changed: true } })]);
		await store.changes.hint([{ url: home, modifiedAt: at + 5 }]);
		const later = at + 24 * 60 * 60 * 1000;
		await commit(store, [visit(seed, { at: later, check: { changed: true } })]);
		const { former, kept, history } = await store.changes.outlook(home, 'page', undefined, undefined);
		deepEqual([former?.outcome, kept], ['fetched', true]);
		matches(history, { visits: 1, changes: 1, checkedAt: later, hintedAt: at + 5 });
		const host = await store.leases.claimHost('a.test');
		await store.leases.releaseHost(host ?? { id: 0, name: '', nextAt: 0, https: false });
		await store.end(true, at);
		await store.begin(request());
		ok(Number.isFinite(await store.changes.urgencyOfLast(host?.id ?? 0, far, later + 1000, 1)));
		equal(await store.changes.urgencyOfLast(host?.id ?? 0, far, later + 1000, 2), Number.NEGATIVE_INFINITY);
	},
};

/** Contract of every `Store`. Each case gets a new, empty store, and leaves it open. */
export const storeContract: readonly ContractCase<Store>[] = [frontier, runs, hosts, pages, policiesAndChanges].flatMap(
	(cases) => Object.entries(cases).map(([name, run]) => ({ name, run })),
);
