import { initialTrust } from '@wayleave/protocols/pagedigest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useStorePlaces, visitAt } from '../../testing/stores.ts';
import type { ListedUrl, SiteRecord } from '../roles/changes.ts';
import type { Visit } from '../roles/commit.ts';
import type { NewUrl } from '../roles/frontier.ts';
import type { Store } from '../roles/store.ts';
import { openStore } from '../sql/open.ts';

const at = Date.UTC(2026, 10, 28);
const hour = 3600_000;
const origin = 'http://a.test';
const digest = `sha256:${'ab'.repeat(32)}` as const;

const { places } = useStorePlaces();

describe.each(Object.entries(places))('what has changed, in %s', (_, place) => {
	let url: string;
	let store: Store;
	beforeEach(async () => {
		url = await place();
		store = await openStore(url);
	});
	afterEach(() => store.close());

	const site: SiteRecord = {
		id: 0,
		origin,
		state: 'read',
		checkedAt: at,
		cycle: 3,
		salt: 'pepper',
		siteRev: 9_007_199_254_740_991,
		settledRev: 4,
		generated: '2026-11-28T00:00:00Z',
		coverage: { mode: 'prefixes', prefixes: ['/a/'] },
		etag: '"x"',
		lastModified: 'Sat, 28 Nov 2026 00:00:00 GMT',
		fresh: true,
		stayed: false,
		trust: { ...initialTrust, urls: { '/x': { faults: 1, transient: true, matches: 0 } } },
		hints: { right: 1, wrong: 2 },
	};
	const page = (path: string): NewUrl => ({ url: origin + path, kind: 'page', host: 'a.test', depth: 0, dates: 0 });
	const begin = (seeds: string[], refresh = false) =>
		store.begin({
			seeds: seeds.map((path) => ({ ...page(path), seed: true })),
			scope: 'host',
			refresh,
			at,
			reconsider: () => undefined,
		});
	async function waiting() {
		const host = (await store.leases.claimHost('a.test'))!;
		const rows = await store.frontier.pending(host.id, 'page', at, 100);
		return { host, rows };
	}
	const visit = visitAt(at);
	const commit = (visits: Visit[]) => store.commit({ visits, hosts: [], positions: new Map(), scopeExpansions: [] });

	it('a site is remembered with everything, from one process to the next', async () => {
		expect(await store.changes.site(origin)).toBeUndefined();
		const id = await store.changes.saveSite(site);
		await store.close();
		store = await openStore(url);
		expect(await store.changes.site(origin)).toEqual({ ...site, id });
		const { etag: _, coverage: __, settledRev: ___, ...less } = site;
		expect(await store.changes.saveSite({ ...less, state: 'anomalous' })).toBe(id);
		expect(await store.changes.site(origin)).toEqual({ ...less, id, state: 'anomalous' });
	});

	it('PD-16 listed URLs are remembered by their keys, byte for byte, and given piece by piece', async () => {
		const id = await store.changes.saveSite(site);
		const urls: ListedUrl[] = ['/', '/A', '/a', '/a/', '/x%2F', '/x%2f'].map((key, rev) => ({
			key,
			state: 'listed',
			rev,
			listedRev: rev,
			...(rev % 2 === 0 && { digest }),
		}));
		await store.changes.saveListed(id, urls);
		const first = await store.changes.listed(id, '', 4);
		expect(first).toEqual(urls.slice(0, 4));
		expect(await store.changes.listed(id, first.at(-1)!.key, 4)).toEqual(urls.slice(4));
		await store.changes.saveListed(id, [{ key: '/a', state: 'due', listedRev: 7 }]);
		expect(await store.changes.listed(id, '/A', 1)).toEqual([{ key: '/a', state: 'due', listedRev: 7 }]);
		await store.changes.forgetListed(id);
		expect(await store.changes.listed(id, '', 10)).toEqual([]);
	});

	it('PD-33 AMB-89 a revision commits with the visit, and a cycle is settled when nothing that is wanted is left', async () => {
		await begin(['/', '/b', '/c']);
		const id = await store.changes.saveSite(site);
		const due = ['/', '/b', '/c', '/nobody-asks'].map((key) => ({ key, state: 'due', listedRev: 2 }) as const);
		await store.changes.saveListed(id, due);
		expect(await store.changes.unsettled(id, origin)).toBe(3);
		const { rows } = await waiting();
		await commit([
			visit(rows[0]!.id, { listed: [{ site: id, key: '/', state: 'listed', rev: 2 }] }),
			visit(rows[1]!.id, { ending: { outcome: 'refused', reason: 'robots-disallow' } }),
			visit(rows[2]!.id, { ending: { outcome: 'failed', reason: 'http-500' } }),
		]);
		expect(await store.changes.unsettled(id, origin)).toBe(1);
		expect((await store.changes.outlook(`${origin}/`, 'page', id, '/')).listed).toMatchObject({
			state: 'listed',
			rev: 2,
		});
		await commit([visit(rows[2]!.id, { listed: [{ site: id, key: '/c', state: 'listed', rev: undefined }] })]);
		expect(await store.changes.unsettled(id, origin)).toBe(0);
		expect((await store.changes.outlook(`${origin}/c`, 'page', id, '/c')).listed).toEqual({
			key: '/c',
			state: 'listed',
			listedRev: 2,
		});
	});

	it('while a page waits for another look, the outcome of the last one can be seen', async () => {
		await begin(['/', '/b']);
		const { host, rows } = await waiting();
		await commit([
			visit(rows[0]!.id, { redirectedTo: `${origin}/c`, ending: { outcome: 'fetched', reason: 'redirected' } }),
			visit(rows[1]!.id, { ending: { outcome: 'gone', reason: 'http-404' } }),
		]);
		await store.leases.releaseHost(host);
		await store.end(true, at);
		expect((await begin(['/', '/b'])).mode).toBe('refresh');
		expect((await store.changes.outlook(`${origin}/`, 'page', undefined, undefined)).former).toEqual({
			outcome: 'fetched',
			reason: 'redirected',
			redirectedTo: `${origin}/c`,
		});
		expect((await store.changes.outlook(`${origin}/b`, 'page', undefined, undefined)).former?.outcome).toBe('gone');
		// To everybody else it only waits.
		expect(await store.frontier.find(`${origin}/`)).not.toHaveProperty('redirectedTo');
		expect((await store.frontier.find(`${origin}/b`))?.outcome).toBeUndefined();
		expect(await store.frontier.lastRun()).toEqual({ mode: 'refresh', startedAt: at });
	});

	it('looks become the history of a page, dates are hints, and the most urgent pages are found', async () => {
		const paths = Array.from({ length: 6 }, (_, path) => `/${path}`);
		await begin(paths);
		const { host, rows } = await waiting();
		const ids = rows.map(({ id }) => id);
		const rules = { first: hour, longest: 24 * hour };
		const again = { check: { changed: false, rules } };
		await commit(ids.slice(0, 5).map((id) => visit(id, again)));
		await commit(
			ids.slice(0, 5).map((id, index) => {
				const { ending: _, ...waits } = visit(id, { at: at + 2 * hour, check: { changed: index < 2, rules } });
				return waits;
			}),
		);
		const { history } = await store.changes.outlook(`${origin}/1`, 'page', undefined, undefined);
		expect(history).toMatchObject({ visits: 1, changes: 1, checkedAt: at + 2 * hour, changedAt: at + 2 * hour });
		await store.changes.hint([
			{ url: `${origin}/1`, modifiedAt: at },
			{ url: `${origin}/1`, modifiedAt: at + hour },
			{ url: `${origin}/nowhere`, modifiedAt: at },
		]);
		await store.changes.hint([{ url: `${origin}/1`, modifiedAt: at }]);
		expect((await store.changes.outlook(`${origin}/1`, 'page', undefined, undefined)).history?.hintedAt).toBe(
			at + hour,
		);
		// Five with a history, one without: of three, one goes to that, and two to those that change.
		const now = at + 10 * hour;
		const third = await store.changes.urgencyOfLast(host.id, now, now, 3);
		const fourth = await store.changes.urgencyOfLast(host.id, now, now, 4);
		expect(third).toBeGreaterThan(2 * fourth);
		expect(await store.changes.urgencyOfLast(host.id, now, now, 1)).toBe(Number.POSITIVE_INFINITY);
		expect(await store.changes.urgencyOfLast(host.id, now, now, 100)).toBe(Number.NEGATIVE_INFINITY);
	});

	it('URLs that no visit has found wait like others', async () => {
		await begin(['/']);
		expect([...(await store.frontier.offer([page('/new'), page('/new'), page('/')]))]).toEqual([['a.test', 1]]);
		expect((await waiting()).rows.map((row) => row.url)).toEqual([`${origin}/`, `${origin}/new`]);
	});
});
