import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StaticServer, serveFolder } from './static-server.ts';

let server: StaticServer;
let base: string;

beforeAll(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-static-'));
	mkdirSync(join(folder, 'docs'));
	writeFileSync(join(folder, 'docs/index.html'), '<link rel="canonical" href="https://site.example/docs/">');
	writeFileSync(join(folder, '_redirects'), '/old /docs/ 301\n/retired - 410\n');
	server = await serveFolder(folder, { origin: 'https://site.example' });
	base = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

it('serves the index of a folder under the address of the server', async () => {
	const response = await fetch(`${base}/docs/`);
	expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
	expect(await response.text()).toBe(`<link rel="canonical" href="${base}/docs/">`);
});

it('answers 304 to the ETag that it gave', async () => {
	const etag = (await fetch(`${base}/docs/`)).headers.get('etag')!;
	expect((await fetch(`${base}/docs/`, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

it('redirects and retires by rule', async () => {
	const moved = await fetch(`${base}/old`, { redirect: 'manual' });
	expect([moved.status, moved.headers.get('location')]).toEqual([301, '/docs/']);
	expect((await fetch(`${base}/retired`)).status).toBe(410);
});

it('never leaves the folder', async () => {
	for (const path of ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/docs/%00', '/%zz', '/nope']) {
		expect((await fetch(base + path)).status, path).toBe(404);
	}
});
