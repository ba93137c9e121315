import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import { testSites } from '../testing/start-service.ts';
import { openService, type Service } from './build-service.ts';
import { type Listening, listen } from './listen.ts';

let web: TestWeb;
let service: Service;
let listening: Listening;

beforeAll(async () => {
	web = await startWeb(({ path }) => (path.startsWith('/robots') ? undefined : htmlPage(path)));
	service = await openService({ open: true, fetching: testSites(web.lookup, 'a.test') });
	listening = await listen(service, 0, '127.0.0.1');
});
afterAll(async () => {
	await listening.close(0);
	await web.close();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are in use once the collector has been everywhere. */
function used(): number {
	for (let times = 0; times < 3; times++) collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

it('memory is flat over 100,000 requests: stored, fetched, refused, failed', async () => {
	const address = `http://127.0.0.1:${listening.address.port}/v1/aidocument`;
	const headers = { 'content-type': 'application/json' };
	let count = 0;
	const caller = async (requests: number) => {
		for (let request = 0; request < requests; request++) {
			const number = count++;
			// One in fifty is a page that was never asked for.
			const path = number % 50 === 0 ? `/new/${number}` : `/${number % 100}`;
			const url = number % 10 === 1 ? `http://10.0.0.${number % 250}/` : web.url('a.test', path);
			const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ url }) });
			await response.arrayBuffer();
		}
	};
	const run = (requests: number) => Promise.all(Array.from({ length: 20 }, () => caller(requests / 20)));
	const measured: number[] = [];
	for (let tenth = 0; tenth < 10; tenth++) {
		await run(10_000);
		(web.log as unknown[]).length = 0;
		measured.push(used());
	}
	const mib = measured.map((bytes) => Math.round((bytes / 2 ** 20) * 10) / 10);
	console.log(`memory after each 10,000 of 100,000 requests: ${mib.join(', ')} MiB`);
	// The store is in memory here, and 2,000 pages of 100,000 requests are new ones.
	expect(measured.at(-1)! - measured[2]!).toBeLessThan(24 << 20);
});
