import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Behaviour } from '../testing/hostile/behaviour.ts';
import { type HostileServer, hostileHosts, startHostileServer } from '../testing/hostile-server.ts';
import { createFetcher } from './fetcher.ts';
import type { Fetcher } from './types.ts';

const limits = { bodyBytes: 8 << 20 };
/** For hosts whose time is to run out; on a busy machine the others need more. */
const impatient = { headers: 400, bodyIdle: 400, total: 1500 };
const userAgent = 'AIWebIndex/2.0 (+https://example.com/bot; HostileTest)';

/** Cases of public reports that one fetch of a host shows. */
const cases: Readonly<Record<string, string>> = {
	'no-last-chunk.test': 'CB-139 ',
	'gzip-cut.test': 'CB-139 ',
	'same-lengths.test': 'CB-140 ',
	'two-lengths.test': 'CB-140 ',
	'latin1-header.test': 'CB-142 ',
	'bad-header-name.test': 'CB-143 ',
	'huge-headers.test': 'CB-144 ',
	'gzip-bomb.test': 'CB-146 CB-147 ',
	'br-bomb.test': 'CB-146 CB-147 ',
	'deflate-bomb.test': 'CB-146 CB-147 ',
	'zstd-bomb.test': 'CB-146 CB-147 ',
	'big-pdf.test': 'CB-148 ',
	'a_b.test': 'CB-79 ',
	'hg--69.test': 'CB-81 ',
};

let server: HostileServer;
let fetcher: Fetcher;

beforeAll(async () => {
	server = await startHostileServer({ unit: 10 });
	fetcher = createFetcher({ userAgent, limits, lookup: server.lookup, allowPrivate: server.allowPrivate });
});

afterAll(async () => {
	await fetcher.close();
	await server.close();
});

describe('each hostile host, one fetch', () => {
	const hosts: [string, Behaviour][] = Object.entries(hostileHosts);
	it.each(hosts.map(([host, { does, fetch }]) => [`${cases[host] ?? ''}${host} ${does}: ${fetch}`, host, fetch]))(
		'%s',
		async (_title, host, fetch) => {
			const response = await fetcher.get(server.url(host), /timeout/.test(`${fetch}`) ? { timeouts: impatient } : {});
			expect(response.ok ? response.status : response.reason, response.ok ? '' : response.detail).toBeOneOf(
				[fetch].flat(),
			);
		},
	);

	it('the other hosts keep going while one of each kind misbehaves', async () => {
		const waiting = [
			'slow-headers.test',
			'slow-body.test',
			'dripping-body.test',
			'endless-body.test',
			'gzip-bomb.test',
		];
		const bad = Promise.all(waiting.map((host) => fetcher.get(server.url(host), { timeouts: impatient })));
		for (let visit = 0; visit < 20; visit++) {
			expect(await fetcher.get(server.url('ordinary.test', '/about'))).toMatchObject({ ok: true, status: 200 });
		}
		expect((await bad).every(({ ok }) => !ok)).toBe(true);
	});
});
