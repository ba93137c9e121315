import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseManifest } from '@wayleave/protocols/pagedigest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type S3Double, startS3Double } from '../../../../io/src/testing/s3-double.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

let s3: S3Double;
let cwd: string;
beforeAll(async () => {
	s3 = await startS3Double();
});
beforeEach(() => {
	vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
	vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
	s3.objects.clear();
	s3.requests.length = 0;
	s3.fault = undefined;
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-bucket-'));
	put('site/index.html', page('Home'));
	put('site/notes/a b ü.html', page('A b'));
	put('site/style.css', 'p {}');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => s3.close());

const page = (title: string) =>
	`<!doctype html><title>${title}</title><main><h1>${title}</h1><p>The water comes and goes twice a day.</p></main>`;
const put = (name: string, content: string) => {
	mkdirSync(dirname(join(cwd, name)), { recursive: true });
	writeFileSync(join(cwd, name), content);
};

async function publish(bucket = 'bucket', ...argv: string[]) {
	const terminal = recordingTerminal(cwd, { SOURCE_DATE_EPOCH: '1755268200' });
	const out = `s3://${bucket}/www?endpoint=${s3.endpoint}`;
	const code = await run(
		['publish', 'site', '--origin', 'https://tides.example', '--out', out, ...argv],
		terminal,
		commands,
	);
	return { code, out: terminal.stdout(), err: terminal.stderr() };
}

const manifestKey = 'bucket/www/.well-known/pagedigest.json';
const manifest = () => parseManifest(s3.objects.get(manifestKey)!.body).value!;
const written = () => s3.requests.filter(({ method }) => method === 'PUT').map(({ path }) => path.slice(1));
const keys = () => [...s3.objects.keys()].map((key) => key.slice('bucket/www/'.length)).sort();

describe('publish --out s3://', () => {
	it('writes the whole site with media types, its manifest last', async () => {
		const { code, out, err } = await publish();
		expect([code, err]).toEqual([0, '']);
		expect(out).toContain('site_rev 1: 2 URLs, 2 new, 0 changed, 0 gone\n');
		expect(out).toContain(`sent ${s3.objects.size} objects\n`);
		expect(keys()).toEqual([
			'.well-known/pagedigest.json',
			'_headers',
			'index.html',
			'index.md',
			'index.som.json',
			'llms.txt',
			'notes/a b ü.html',
			'notes/a b ü.md',
			'notes/a b ü.som.json',
			'robots.txt',
			'style.css',
		]);
		expect(written().at(-1)).toBe(manifestKey);
		const type = (key: string) => s3.objects.get(`bucket/www/${key}`)?.type;
		expect(['index.html', 'index.md', 'index.som.json', 'style.css', 'robots.txt'].map(type)).toEqual([
			'text/html; charset=utf-8',
			'text/markdown; charset=utf-8',
			'application/som+json',
			'text/css; charset=utf-8',
			'text/plain; charset=utf-8',
		]);
		expect(s3.objects.get(manifestKey)).toMatchObject({
			type: 'application/json',
			cacheControl: 'public, max-age=300',
		});
		expect(readFileSync(join(cwd, 'site/index.html'), 'utf8')).toBe(page('Home'));
	});

	it('sends only what changed, removes what is gone after the manifest, and nothing of others', async () => {
		await publish();
		s3.objects.set('bucket/www/of-others.txt', { body: Buffer.from('x'), at: 0 });
		s3.requests.length = 0;
		expect((await publish()).out).toContain('sent 0 objects\n');
		expect(written()).toEqual([]);
		put('site/index.html', page('Changed'));
		rmSync(join(cwd, 'site/notes'), { recursive: true });
		expect((await publish('bucket', '--json')).out).toContain('"sent":6,"removed":3');
		expect(s3.requests.map(({ method }) => method).lastIndexOf('PUT')).toBeLessThan(
			s3.requests.findIndex(({ method }) => method === 'DELETE'),
		);
		expect(keys()).not.toContain('notes/a b ü.md');
		expect(keys()).toContain('of-others.txt');
		expect(manifest().siteRev).toBe(2);
	});

	it('after a fault in the middle the manifest is the one before, and the next run sends the rest', async () => {
		await publish();
		put('site/index.html', page('Changed'));
		put('site/new.html', page('New'));
		s3.fault = ({ method, path }) =>
			method === 'PUT' && path.endsWith('/new.html') ? { status: 403, code: 'AccessDenied' } : undefined;
		const failed = await publish();
		expect(failed.code).toBe(3);
		expect(failed.err).toContain('these credentials may not write objects');
		expect(manifest().siteRev).toBe(1);
		s3.fault = undefined;
		s3.requests.length = 0;
		expect((await publish()).code).toBe(0);
		expect(manifest().siteRev).toBe(2);
		expect(keys()).toContain('new.html');
		expect(written()).not.toContain('bucket/www/style.css');
	});

	it('sends again what the bucket lost, and goes on above its manifest where the state was lost', async () => {
		await publish();
		s3.objects.delete('bucket/www/index.md');
		s3.requests.length = 0;
		await publish();
		expect(written()).toEqual(['bucket/www/index.md']);
		rmSync(join(cwd, '.wayleave'), { recursive: true });
		put('site/index.html', page('Changed'));
		const { err } = await publish();
		expect(err).toContain('pagedigest-revisions-behind');
		expect(manifest().siteRev).toBeGreaterThan(1);
	});

	it('names a bucket that does not exist before it writes anything', async () => {
		const { code, err } = await publish('other-bucket');
		expect(code).toBe(3);
		expect(err).toContain('other-bucket does not exist');
		expect(s3.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(await publish('b')).toMatchObject({
			code: 2,
			err: expect.stringContaining('cannot be the name of a bucket'),
		});
	});
});
