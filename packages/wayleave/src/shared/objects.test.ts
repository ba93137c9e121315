import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type S3Double, startS3Double } from '../../../io/src/testing/s3-double.ts';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

let s3: S3Double;
beforeAll(async () => {
	s3 = await startS3Double();
});
beforeEach(() => {
	vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
	vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => s3.close());

async function call(...argv: string[]) {
	const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-s3-')));
	const code = await run(argv, terminal, commands);
	return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

const put = (key: string, text: string) => s3.objects.set(`bucket/${key}`, { body: Buffer.from(text), at: Date.now() });
const at = (key: string) => `s3://bucket/${key}?endpoint=${s3.endpoint}`;

const page =
	'<!doctype html><title>Kept</title><main><h1>Kept</h1><p>A page in an archive that is in a bucket.</p></main>';
const response = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`;
const record = [
	'WARC/1.1',
	'WARC-Type: response',
	'WARC-Record-ID: <urn:uuid:12345678-1234-4234-8234-123456789012>',
	'WARC-Date: 2026-11-01T00:00:00Z',
	'WARC-Target-URI: https://site.example/kept',
	'Content-Type: application/http;msgtype=response',
	`Content-Length: ${response.length}`,
	'',
	`${response}\r\n\r\n`,
].join('\r\n');

// The first command loads all that it needs.
it('convert reads an archive from a bucket and writes objects there', { timeout: 240_000 }, async () => {
	put('in/one.warc', record);
	const { code, stderr } = await call('convert', at('in/one.warc'), '--out', at('out/*.jsonl.gz'));
	expect([code, stderr]).toEqual([0, expect.stringContaining('1 document written')]);
	const object = s3.objects.get('bucket/out/000001.jsonl.gz');
	expect(JSON.parse(gunzipSync(object?.body ?? '').toString()).url).toBe('https://site.example/kept');

	const again = await call('convert', at('in/one.warc'), '--out', at('out/*.jsonl.gz'));
	expect(again.code).not.toBe(0);
	expect(again.stderr).toContain('has such files already: delete them, or choose another folder');
	expect((await call('convert', at('in/one.warc'), '--out', at('out/one.parquet'))).code).toBe(0);
	expect(s3.objects.get('bucket/out/one.parquet')?.body.subarray(0, 4).toString()).toBe('PAR1');
});

it('what is not in the bucket, or is no archive, is named', async () => {
	const missing = await call('convert', at('in/none.warc.gz'), '--out', 'x.jsonl');
	expect(missing.code).not.toBe(0);
	expect(missing.stderr).toContain('there is no object in/none.warc.gz');
	const other = await call('convert', at('in/page.html'));
	expect([other.code, other.stderr]).toEqual([
		2,
		expect.stringContaining('convert reads web archives from object storage'),
	]);
});

it('lint reads an object', async () => {
	put('site/robots.txt', 'User-agent: *\nDisalow: /x\n');
	const { stdout } = await call('lint', at('site/robots.txt'), '--format', 'robots');
	expect(stdout).toMatch(/robots\.txt\?endpoint=.*:2:1 \w+ \S+/);
	const none = await call('lint', at('site/none.txt'));
	expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('there is no object site/none.txt')]);
});

it('a crawl names a place that cannot be one, and a name without a star', async () => {
	expect(await call('crawl', 'http://127.0.0.1:1/', '--documents', 's3:x')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--documents s3:x: write s3://bucket/prefix, or file:FOLDER'),
	});
	expect(await call('crawl', 'http://127.0.0.1:1/', '--out', at('run/all.jsonl.gz'))).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('put a * into the name'),
	});
});
