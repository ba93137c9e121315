import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from '@wayleave/extract/tokens';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { publish } from './publish.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-tokens-'));
	mkdirSync(join(folder, 'site'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const page = `<!doctype html><html lang="en"><head><title>Quay</title></head><body><main><h1>Quay</h1>${Array.from(
	{ length: 8 },
	(_, at) => `<p>The quay wall was built of granite from the island and repaired after the flood, in year ${at}.</p>`,
).join('')}</main></body></html>`;

it('P2-160 P2-161 the counts match the served text, and stay if nothing is read again', async () => {
	writeFileSync(join(folder, 'site/index.html'), page);
	const config = checkConfig({ origin: 'https://a.test', policy: { read: 'yes' }, som: { endpoint: '/v1/som' } });
	const run = () => publish(join(folder, 'site'), config, { base: folder, out: join(folder, 'out'), tags: true });
	await run();
	const stated = () => {
		const html = readFileSync(join(folder, 'out/index.html'), 'utf8');
		return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}');
	};
	const first = stated();
	const served = readFileSync(join(folder, 'out/index.som.json'), 'utf8');
	expect(first.tokenCount).toBe(countTokens(served));
	expect(first.compressionRatio).toBe(Math.round((countTokens(page) / countTokens(served)) * 10) / 10);
	await run();
	expect(stated()).toEqual(first);
});

it('opens the index of an earlier version: pages are read again, own files are still known', async () => {
	const config = (train: string) =>
		checkConfig({
			origin: 'https://a.test',
			policy: { read: 'yes', train },
			som: { endpoint: '/v1/som' },
			pagedigest: {},
		});
	const files = { 'index.html': page, 'gone.html': page.replaceAll('Quay', 'Pier') };
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(join(folder, 'site'), { recursive: true });
		writeFileSync(join(folder, 'site', name), text);
	}
	const run = (train: string) => publish(join(folder, 'site'), config(train), { base: folder, tags: true });
	await run('yes');
	const read = (name: string) => readFileSync(join(folder, 'site', name), 'utf8');
	const before = { page: read('index.html'), manifest: JSON.parse(read('.well-known/pagedigest.json')) };

	// As version 001 of the index left it: without counts, read and dressed by the rules of then.
	const db = openDatabase(`sqlite:${join(folder, '.wayleave/revisions.db')}`, { brief: true });
	await sql`alter table publish_file drop column html_tokens`.execute(db);
	await sql`alter table publish_file drop column som_tokens`.execute(db);
	await sql`update publish_file set recipe = 'earlier', dress = 'earlier'`.execute(db);
	await sql`delete from wayleave_migrations where component = 'publish' and name = '002-tokens'`.execute(db);
	await db.destroy();
	rmSync(join(folder, 'site/gone.html'));

	await run('no');
	expect(read('index.html').replace('<meta name="robots" content="noai">', '')).toBe(before.page);
	expect(read('index.html')).toContain('"tokenCount"');
	const manifest = JSON.parse(read('.well-known/pagedigest.json'));
	expect(manifest.entries['/'].rev).toBe(before.manifest.entries['/'].rev);
	expect(Object.keys(manifest.entries)).not.toContain('/gone');
	// Files that the earlier version wrote are its own: they follow the policy.
	expect(read('robots2.txt')).toMatch(/^train: no$/m);
	expect(existsSync(join(folder, 'site/gone.som.json'))).toBe(false);
});
