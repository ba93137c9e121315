import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { parseManifest } from '@wayleave/protocols/pagedigest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasSwift, type SwiftServer, startSwift } from '../../../../io/src/testing/swift.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

// A real server for objects: OpenStack Swift, by its door for the protocol of S3.
describe.skipIf(!hasSwift)('publish into OpenStack Swift (needs swift-proxy-server and memcached)', () => {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-swift-'));
	let swift: SwiftServer;
	let client: S3Client;
	beforeAll(async () => {
		swift = await startSwift();
		const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = swift.owner;
		const credentials = { accessKeyId, secretAccessKey };
		client = new S3Client({ endpoint: swift.endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
		await swift.createBucket('www');
	});
	afterAll(async () => {
		vi.unstubAllEnvs();
		await swift.stop();
		rmSync(cwd, { recursive: true });
	});

	const put = (name: string, title: string) => {
		mkdirSync(dirname(join(cwd, name)), { recursive: true });
		writeFileSync(
			join(cwd, name),
			`<!doctype html><title>${title}</title><main><h1>${title}</h1><p>The water comes and goes.</p></main>`,
		);
	};
	async function publish(env: Readonly<Record<string, string>> = swift.owner) {
		for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
		const terminal = recordingTerminal(cwd);
		const out = `s3://www/site?endpoint=${swift.endpoint}`;
		const code = await run(['publish', 'site', '--origin', 'https://tides.example', '--out', out], terminal, commands);
		return { code, out: terminal.stdout(), err: terminal.stderr() };
	}
	const get = async (key: string) => {
		const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket: 'www', Key: `site/${key}` }));
		return { text: (await Body?.transformToString()) ?? '', type: ContentType };
	};
	const manifest = async () => parseManifest((await get('.well-known/pagedigest.json')).text).value!;

	it('serves pages, their other forms and the manifest with media types, and follows changes', async () => {
		put('site/index.html', 'Home');
		put('site/notes/a b ü+(1).html', 'A b');
		expect(await publish()).toMatchObject({ code: 0, err: '' });
		expect((await get('notes/a b ü+(1).html')).type).toBe('text/html; charset=utf-8');
		expect(await get('notes/a b ü+(1).md')).toMatchObject({ type: 'text/markdown; charset=utf-8' });
		expect((await manifest()).siteRev).toBe(1);
		put('site/index.html', 'Home, changed');
		rmSync(join(cwd, 'site/notes'), { recursive: true });
		expect((await publish()).out).toContain('sent 6 objects, removed 3\n');
		expect((await get('index.md')).text).toContain('Home, changed');
		await expect(get('notes/a b ü+(1).html')).rejects.toThrow();
		expect((await publish()).out).toContain('sent 0 objects\n');
	});

	it('names a lack of rights, and leaves the manifest as it was', async () => {
		const before = (await manifest()).siteRev;
		put('site/index.html', 'Home, changed again');
		const { code, err } = await publish(swift.stranger);
		expect([code, err]).toEqual([3, expect.stringContaining('these credentials may not')]);
		expect((await manifest()).siteRev).toBe(before);
		expect((await publish()).code).toBe(0);
		expect((await manifest()).siteRev).toBe(before + 1);
	});

	it('waits for a server that is killed and started again', async () => {
		put('site/more.html', 'More');
		await swift.setDoor(false);
		const publishing = publish();
		await swift.setDoor(true);
		expect((await publishing).code).toBe(0);
		expect((await get('more.md')).text).toContain('More');
	});
});
