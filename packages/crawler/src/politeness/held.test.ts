import { afterEach, beforeEach, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { crawlWith } from '../engine/crawl.ts';
import type { HostRecord } from '../store/roles/leases.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { htmlPage, startWeb, type TestWeb } from '../testing/web.ts';

// What a site says of itself may lie on a host that another worker of the fleet holds.

let web: TestWeb;
let stores: Store[];
let held: HostRecord;
beforeEach(async () => {
	web = await startWeb(({ host, path }) => {
		if (path === '/robots.txt' && host === 'a.test')
			return { status: 301, headers: { Location: web.url('b.test', '/robots.txt') } };
		if (path === '/robots.txt')
			return { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /x' };
		return path === '/' ? htmlPage('Home', ['/x', '/y']) : path === '/y' ? htmlPage('Y') : undefined;
	});
	const url = await newDatabase();
	stores = [await openStore(url), await openStore(url)];
	held = (await stores[1]!.leases.claimHost('b.test'))!;
});
afterEach(async () => {
	for (const store of stores) await store.close();
	await web.close();
});

function crawl() {
	const seeds = [web.url('a.test'), web.url('b.test')];
	const options = { store: stores[0]!, lookup: web.lookup, ownSites: ['a.test', 'b.test'], delay: 0, sitemaps: false };
	return crawlWith(simpleReader, seeds, options);
}

const ends = async () => {
	const { pending, rows } = await stores[1]!.frontier.tally();
	return { pending, ...Object.fromEntries(rows.map(({ outcome, reason, count }) => [reason ?? outcome, count])) };
};

const moment = () => new Promise((resolve) => setTimeout(resolve, 20));

it('robots.txt is redirected there: the pages wait, and are not taken for those of a site that does not answer', async () => {
	const [, other] = stores;
	const crawling = crawl();
	const states: string[] = [];
	crawling.on('robots', ({ url, state }) => states.push(`${new URL(url).hostname} ${state}`));
	const done = crawling.run();
	while (!web.paths('a.test').includes('/robots.txt')) await moment();
	// The other one may need this host: it gets it meanwhile.
	let own: HostRecord | undefined;
	while (own === undefined) {
		await moment();
		own = await other!.leases.claimHost('a.test');
	}
	expect(await ends()).toEqual({ pending: 2 });
	expect(await other!.policies.policyFile(web.url('a.test', '/robots.txt'))).toBeUndefined();
	for (const host of [own, held]) await other!.leases.releaseHost(host);
	await done;
	expect(await ends()).toEqual({ pending: 0, fetched: 4, 'robots-disallow': 2 });
	expect(web.paths('a.test')).not.toContain('/x');
	expect(states.filter((state) => state.endsWith('unreachable'))).toEqual([]);
});

it('robots.txt is redirected to one that the other worker has read: that counts, and nobody waits', async () => {
	const [, other] = stores;
	const now = Date.now();
	await other!.policies.savePolicyFile({
		url: web.url('b.test', '/robots.txt'),
		fetchedAt: now,
		expiresAt: now + 3_600_000,
		status: 200,
		body: Buffer.from('User-agent: *\nDisallow: /y'),
		contentType: 'text/plain',
	});
	const done = crawl().run();
	while ((await ends()).pending !== 1) await moment();
	expect(await ends()).toEqual({ pending: 1, fetched: 1, 'robots-disallow': 1, 'http-404': 1 });
	expect(web.paths('a.test')).not.toContain('/y');
	expect(web.paths('b.test')).toEqual([]);
	await other!.leases.releaseHost(held);
	await done;
});
