import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { htmlPage, startWeb, type TestWeb } from '../../packages/crawler/src/testing/web.ts';
import { startService, type TestService, testSites } from '../../packages/service/src/testing/start-service.ts';

const run = promisify(execFile);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let web: TestWeb;
let service: TestService;

beforeAll(async () => {
	web = await startWeb(({ path }) => (path.startsWith('/robots') ? undefined : htmlPage(`Page ${path}`)));
	service = await startService({ fetching: testSites(web.lookup, 'a.test') });
});
afterAll(async () => {
	await service.close();
	await web.close();
});

it('the client in TypeScript', async () => {
	const source = ['--conditions=wayleave-source', '--import', 'tsx', file('client.ts')];
	const { stdout } = await run(process.execPath, [...source, service.url, web.url('a.test', '/1')]);
	expect(stdout).toContain('Page /1 (miss)\nthe site asks: nothing\n');
	expect(stdout).toMatch(/http:\/\/a\.test:\d+\/1 \d+\n/);
});

it('the client with curl', async () => {
	const { stdout } = await run('sh', [file('curl.sh'), service.url, web.url('a.test', '/2')]);
	const [document, ...more] = stdout.split('\n').filter((line) => line.startsWith('{'));
	expect(JSON.parse(document!).cache.status).toBe('miss');
	expect(stdout).toContain('# Page /2');
	expect(
		more.map((line) => JSON.parse(line).status ?? JSON.parse(line).outcome ?? JSON.parse(line).cache.status),
	).toEqual(['hit', 'unchanged', 'queued']);
});
