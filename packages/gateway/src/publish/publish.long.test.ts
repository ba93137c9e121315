import { existsSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@wayleave/io/sql';
import { parseManifest } from '@wayleave/protocols/pagedigest';
import { expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { prepareRevisions } from '../pagedigest/revision-store.ts';
import type { RevisionSchema } from '../pagedigest/schema.ts';
import { writeManifest } from './manifest-file.ts';
import { publish } from './publish.ts';

const config = checkConfig({ origin: 'https://many.example' });
const text = (words: string) =>
	`<!doctype html><title>${words}</title><main><h1>${words}</h1><p>${words} and more.</p></main>`;

it('10,000 pages with 20 edits: 20 pages read, 20 revisions and one site revision moved', {
	timeout: 600_000,
}, async () => {
	const base = mkdtempSync(join(tmpdir(), 'wayleave-publish-'));
	const path = (index: number) => join(base, `site/s${index % 100}/p${index}.html`);
	const past = new Date(Date.now() - 3_600_000);
	for (let index = 0; index < 10_000; index++) {
		if (index < 100) mkdirSync(join(base, `site/s${index}`), { recursive: true });
		writeFileSync(path(index), text(`Page ${index}`));
		utimesSync(path(index), past, past);
	}
	const run = () => publish(join(base, 'site'), config, { base });
	const manifest = () => parseManifest(readFileSync(join(base, 'site/.well-known/pagedigest.json'))).value!;
	expect(await run()).toMatchObject({ read: 10_000, listed: 10_000, siteRev: 1 });
	expect(await run()).toMatchObject({ read: 0, pageFiles: 0, files: [], siteRev: 1 });
	const before = manifest();
	for (let index = 0; index < 20; index++) writeFileSync(path(index * 371), text(`Page ${index}, edited`));
	expect(await run()).toMatchObject({ read: 20, changed: 20, added: 0, gone: 0, siteRev: 2 });
	const moved = [...manifest().entries].filter(([key, { rev }]) => before.entries.get(key)!.rev !== rev);
	expect([moved.length, manifest().siteRev - before.siteRev]).toEqual([20, 1]);
});

it('PD-54 a manifest that consumers would not read is refused, and the one before goes', {
	timeout: 60_000,
}, async () => {
	const base = mkdtempSync(join(tmpdir(), 'wayleave-publish-'));
	const db = openDatabase<RevisionSchema>('sqlite::memory:');
	await prepareRevisions(db);
	const pages = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			key: `/page-with-a-long-name-${index}`,
			fingerprint: 'x',
			digest: `sha256:${'a'.repeat(64)}` as const,
		}));
	const index = { written: new Map<string, string>(), wroteElsewhere: () => false };
	const task = { db, config, index, path: join(base, 'pagedigest.json'), published: undefined, time: 0 };
	expect(await writeManifest({ ...task, pages: pages(10) })).toMatchObject({ written: true, counts: { siteRev: 1 } });
	const refused = await writeManifest({ ...task, pages: pages(100_000) });
	expect(refused.counts).toBeUndefined();
	expect(refused.problems.map(({ code, severity }) => [code, severity])).toEqual([['pagedigest-too-large', 'error']]);
	expect(existsSync(task.path)).toBe(false);
	await db.destroy();
});
