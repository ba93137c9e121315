import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ListedUrl } from '../store/roles/changes.ts';
import { packListed, unpackListed } from './columns.ts';
import { ManifestReader } from './manifest-reader.ts';
import { readManifest } from './read-manifest.ts';

let reader: ManifestReader;
beforeEach(() => {
	reader = new ManifestReader(true);
});
afterEach(() => reader.close());

const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}` as const;

it('listed URLs come back from their columns as they were, in pieces', () => {
	const urls: ListedUrl[] = [
		{ key: '/', state: 'listed', rev: 0, listedRev: 0 },
		{ key: '/a?b', state: 'due', listedRev: 9_007_199_254_740_991, digest: digest('a') },
		{ key: '/%F0', state: 'decreased', rev: 3, listedRev: 2, digest: digest('b') },
		{ key: '/gone', state: 'removed', listedRev: 1 },
		{ key: '/other', state: 'undescribed', rev: 1, listedRev: 1 },
	];
	expect([...unpackListed(packListed(urls), 2)]).toEqual([urls.slice(0, 2), urls.slice(2, 4), urls.slice(4)]);
	expect([...unpackListed(packListed([]), 2)]).toEqual([]);
});

it('PD-53 a manifest of 8,000 URLs is read in a thread, with the same result as here', async () => {
	const keys = Array.from({ length: 8000 }, (_, at) => `/section-${at % 50}/page-${at}`);
	const entries = Object.fromEntries(
		keys.map((key, at) => [key, { rev: 2, ...(at % 3 === 0 && { digest: digest(key) }) }]),
	);
	const manifest = {
		version: 1,
		generated: '2026-11-28T00:00:00Z',
		site_rev: 8,
		coverage: { mode: 'complete' },
		entries,
	};
	const known = keys.slice(0, 6000).map((key, at): ListedUrl => {
		const rev = at % 1000 === 0 ? 1 : 2;
		return { key, state: 'listed', rev, listedRev: rev, ...(at % 3 === 0 && { digest: digest(key) }) };
	});
	const body = new TextEncoder().encode(JSON.stringify(manifest));
	const source = {
		body,
		settledRev: 7,
		seenRev: 7,
		known: packListed([...known, { key: '/old', state: 'listed', rev: 1, listedRev: 1 }]),
	};
	const reading = await reader.read(source);
	expect(reader.threads).toBe(1);
	expect(reading).toEqual(readManifest(source));
	if (reading.manifest === undefined) throw new Error('it was not read');
	expect(reading.changes.counts).toEqual({ changed: 6, added: 2000, removed: 1 });
	// Only what is listed otherwise than before has to be written.
	expect(reading.listed.states.length).toBe(2007);
	expect(reading.added.split('\n')).toHaveLength(2000);
});

it('a short one is read here', async () => {
	const body = new TextEncoder().encode('{}');
	expect(await reader.read({ body, settledRev: undefined, seenRev: undefined, known: packListed([]) })).toMatchObject({
		problems: expect.arrayContaining([expect.objectContaining({ code: 'pagedigest-missing-field' })]),
	});
	expect(reader.threads).toBe(0);
});

it('one that ends its thread is not read where it would end the crawl', async () => {
	const deadly = new ManifestReader(true, new URL('../testing/deadly-thread.ts', import.meta.url));
	const long = {
		body: new Uint8Array(1 << 20).fill(0x20),
		settledRev: undefined,
		seenRev: undefined,
		known: packListed([]),
	};
	expect(await deadly.read(long)).toEqual({ problems: [] });
	await deadly.close();
});

it('where no thread can be started, long ones are read here', async () => {
	const none = new ManifestReader(true, new URL('./no-such-thread.ts', import.meta.url));
	const long = {
		body: new Uint8Array(1 << 20).fill(0x20),
		settledRev: undefined,
		seenRev: undefined,
		known: packListed([]),
	};
	expect(await none.read(long)).toEqual(readManifest(long));
	await none.close();
});
