import { createFetcher } from '@wayleave/io/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileServer, hostileHosts, startHostileServer } from '../../../io/src/testing/hostile-server.ts';
import type { Summary } from '../model/events.ts';
import type { Result } from '../model/result.ts';
import type { Store } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { simpleReader } from '../testing/simple-reader.ts';
import { crawlWith } from './crawl.ts';

const hosts = Object.entries(hostileHosts as Record<string, (typeof hostileHosts)[keyof typeof hostileHosts]>);
let server: HostileServer;
let store: Store;
let summary: Summary;
const results: Result[] = [];

beforeAll(async () => {
	server = await startHostileServer();
	const fetcher = createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://bot.test/; Testbot)',
		lookup: server.lookup,
		allowPrivate: server.allowPrivate,
		limits: {
			dns: 2000,
			connect: 2000,
			headers: 3000,
			bodyIdle: 5000,
			total: 8000,
			bodyBytes: 2 << 20,
			keepAlive: 1000,
		},
	});
	store = await openStore('memory');
	const names = hosts.map(([host]) => host);
	// Some hosts name a moment by the clock of the machine.
	const options = { clock: new FakeClock(Date.now()), fetcher, delay: 0, ownSites: names, concurrency: 16, store };
	// Where a redirect is to lead out of the scope, the other hosts must not be seeds.
	const leavesScope = ([, { crawl }]: (typeof hosts)[number]) => crawl.reason === 'redirect-out-of-scope';
	for (const part of [hosts.filter(leavesScope), hosts.filter((host) => !leavesScope(host))]) {
		const crawling = crawlWith(
			simpleReader,
			part.map(([host]) => server.url(host, '/')),
			options,
		);
		for await (const result of crawling) results.push(result);
		summary = await crawling.summary;
	}
	await fetcher.close();
}, 180_000);
afterAll(async () => {
	await store.close();
	await server.close();
});

const endsOf = (host: string) => results.filter(({ url }) => new URL(url).hostname === host);

describe('all hostile hosts in one crawl: each ends as one would want', () => {
	it.each(hosts)('%s', async (host, { crawl }) => {
		const url = server.url(host, crawl.path);
		const known = await store.frontier.find(url);
		expect({ path: crawl.path, outcome: known?.outcome }).toEqual({ path: crawl.path, outcome: crawl.outcome });
		if (crawl.reason !== undefined) expect(known?.reason).toBeOneOf([crawl.reason].flat());
		const result = results.find((each) => each.url === url);
		if (known?.outcome !== 'fetched') expect(result?.document).toBeUndefined();
	});

	it('the crawl is complete, and nothing is left', () => {
		expect(summary).toMatchObject({ complete: true, pending: 0 });
	});
});

describe('traps end by themselves, with a reason that says so', () => {
	it.each(hosts.filter(([, behaviour]) => 'trap' in behaviour && behaviour.trap !== undefined))(
		'CB-85 %s',
		(host, behaviour) => {
			expect(summary.rows.map(({ reason }) => reason)).toContain(behaviour.trap);
			expect(endsOf(host).filter(({ outcome }) => outcome === 'fetched').length).toBeLessThan(700);
			expect(endsOf(host).map(({ url }) => new URL(url).pathname)).toContain('/guide/second');
		},
	);
});
