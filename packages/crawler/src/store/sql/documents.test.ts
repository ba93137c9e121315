import { cpSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStoreView } from '../../inspect/store-view.ts';
import { type Sites, useSites } from '../../testing/sites.ts';
import { useStorePlaces } from '../../testing/stores.ts';
import { htmlPage } from '../../testing/web.ts';
import { at, beginWithSeed, commit, content, visit } from '../contract/fixtures.ts';
import type { Store } from '../roles/store.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { openDocuments } from './documents-place.ts';
import { openStore } from './open.ts';

const sites = useSites();
const { places, file } = useStorePlaces();
const day = 24 * 3_600_000;

/** The objects of a place, without its marker. */
const objectsIn = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name !== 'wayleave-store.json')
		.map((entry) => join(entry.parentPath, entry.name));

const titlesIn = async (store: string): Promise<(string | undefined)[]> => {
	const view = await openStoreView(store);
	const titles: (string | undefined)[] = [];
	for await (const results of view.results())
		titles.push(...results.map(({ document }) => document?.identity.title ?? undefined));
	await view.close();
	return titles.sort();
};

describe.each(Object.entries(places))('documents of a store in %s', (_, place) => {
	const crawl = async (url: string, options: { documents?: string } & Record<string, unknown> = {}) => {
		const { documents, ...others } = options;
		const store = await openStore(url, { clock: sites.clock, ...(documents && { documents }) });
		try {
			await sites.crawl(['h.test/'], { ownSites: ['h.test'], delay: 0, store, sitemaps: false, ...others });
		} finally {
			await store.close();
		}
	};
	const served = (version = ''): Sites => ({
		'h.test/': htmlPage('Home', ['/a', '/b']),
		'h.test/a': htmlPage(`A${version}`),
		'h.test/b': { headers: { 'Content-Type': 'text/html', ETag: '"b"' }, body: htmlPage('B') },
	});
	const serve = async (): Promise<Sites> => {
		const pages = served();
		await sites.serve(pages);
		return pages;
	};

	it('lie in the place, and the store remembers it', async () => {
		await serve();
		const url = await place();
		const folder = file('documents');
		await crawl(url, { documents: `file:${folder}` });
		expect(objectsIn(folder)).toHaveLength(3);
		expect(await titlesIn(url)).toEqual(['A', 'B', 'Home']);
		const db = openDatabase(url);
		const { rows } = await sql<{ most: number }>`select max(length(content)) as most from page`.execute(db);
		await db.destroy();
		expect(rows[0]?.most).toBeLessThan(60);
		const view = await openStoreView(url);
		const { pages } = await view.status();
		expect(pages.bytes).toBe(objectsIn(folder).reduce((sum, path) => sum + readFileSync(path).length, 0));
		expect((await view.explain(sites.url('h.test/b')))?.page?.bytes).toBeGreaterThan(60);
		await view.close();

		const store = await openStore(url);
		expect(store.documents).toEqual({ place: `file:${folder}`, remembered: true });
		await store.close();
	});

	it('are read again after a refresh, the former ones too, and what no page names is collected when it is old', async () => {
		const url = await place();
		const folder = file('documents');
		const pages = await serve();
		for (const version of ['', ' second', ' third']) {
			Object.assign(pages, served(version));
			sites.clock.advance(60_000);
			await crawl(url, { documents: `file:${folder}`, refresh: true });
		}
		expect(await titlesIn(url)).toEqual(['A third', 'B', 'Home']);
		// Home and B did not change; of A there are three, of which two are named.
		const before = objectsIn(folder);
		const store = await openStore(url);
		const versions = await store.pages.versions(sites.url('h.test/a'));
		expect(versions.map(({ document }) => document.identity.title)).toEqual(['A third', 'A second']);
		const fresh = await store.prune({});
		expect(fresh.objects).toEqual({ count: 0, bytes: 0 });
		for (const path of before) utimesSync(path, new Date(Date.now() - 2 * day), new Date(Date.now() - 2 * day));
		const unnamed = (await store.prune({ dryRun: true })).objects?.count ?? 0;
		expect(unnamed).toBe(before.length - 4);
		expect(objectsIn(folder)).toEqual(before);
		expect((await store.prune({})).objects?.count).toBe(unnamed);
		await store.close();
		expect(objectsIn(folder)).toHaveLength(4);
		expect(await titlesIn(url)).toEqual(['A third', 'B', 'Home']);
	});

	it('of an earlier crawl stay in the database, and new ones go to the place', async () => {
		const pages = await serve();
		const url = await place();
		const folder = file('documents');
		await crawl(url);
		Object.assign(pages, served(' second'));
		sites.clock.advance(60_000);
		await crawl(url, { documents: `file:${folder}`, refresh: true });
		expect(await titlesIn(url)).toEqual(['A second', 'B', 'Home']);
		const store = await openStore(url);
		const versions = await store.pages.versions(sites.url('h.test/a'));
		expect(versions.map(({ document }) => document.identity.title)).toEqual(['A second', 'A']);
		await store.close();
	});

	it('that are gone are fetched again, and a damaged one is named', async () => {
		await serve();
		const url = await place();
		const folder = file('documents');
		await crawl(url, { documents: `file:${folder}` });
		for (const path of objectsIn(folder)) rmSync(path);
		await expect(titlesIn(url)).rejects.toMatchObject({
			code: 'store-failed',
			message: expect.stringMatching(/documents: the document documents\/\w\w\/\w{64} is missing: .*--refresh/),
		});
		await crawl(url, { refresh: true });
		expect(await titlesIn(url)).toEqual(['A', 'B', 'Home']);
		for (const path of objectsIn(folder)) writeFileSync(path, 'else');
		await expect(titlesIn(url)).rejects.toMatchObject({ message: expect.stringMatching(/is damaged/) });
	});

	it('go when the page is forgotten', async () => {
		await serve();
		const url = await place();
		const folder = file('documents');
		await crawl(url, { documents: `file:${folder}` });
		const view = await openStoreView(url);
		await view.forget({ url: sites.url('h.test/a') });
		await view.close();
		expect(objectsIn(folder)).toHaveLength(2);
		expect(await titlesIn(url)).toEqual(['B', 'Home']);
	});
});

describe('the place of documents', () => {
	const fill = async (store: Store): Promise<void> => {
		await commit(store, [visit(await beginWithSeed(store), { content: content('x') })]);
	};

	it('is refused when it is another one, unless the documents were copied there', async () => {
		const url = `sqlite:${file('crawl.db')}`;
		const [first, second] = [file('first'), file('second')];
		const store = await openStore(url, { documents: `file:${first}` });
		await fill(store);
		await store.close();
		await expect(openStore(url, { documents: `file:${second}` })).rejects.toMatchObject({
			code: 'bad-option',
			message: `this store keeps its documents in file:${first}, not in file:${second}: copy everything there first, wayleave-store.json included, or name the old place`,
		});
		cpSync(first, second, { recursive: true });
		rmSync(first, { recursive: true });
		await (await openStore(url, { documents: `file:${second}` })).close();
		expect(await titlesIn(url)).toEqual(['x']);
	});

	it('is refused when it is that of another store, and when it has lost its marker', async () => {
		const documents = `file:${file('documents')}`;
		const store = await openStore(`sqlite:${file('one.db')}`, { documents });
		await fill(store);
		await store.close();
		await expect(openStore(`sqlite:${file('two.db')}`, { documents })).rejects.toMatchObject({
			message: `${documents} holds the documents of another store: choose another prefix or folder`,
		});
		rmSync(file('documents/wayleave-store.json'));
		await expect(openStore(`sqlite:${file('one.db')}`)).rejects.toMatchObject({
			message: expect.stringMatching(/has documents, but no wayleave-store\.json/),
		});
	});

	it('has every document before the commit that names it, and loses those that the site no longer permits', async () => {
		const folder = file('documents');
		const store = await openStore('memory', { documents: `file:${folder}` });
		const url = await beginWithSeed(store);
		// The transaction fails after the document was written: it stays, unnamed.
		const impossible = { positions: new Map([['x', null as unknown as string]]) };
		await expect(commit(store, [visit(url, { content: content('lost') })], impossible)).rejects.toThrow();
		expect(objectsIn(folder)).toHaveLength(1);
		await commit(store, [visit(url, { content: content('x') })]);
		expect(objectsIn(folder)).toHaveLength(2);
		await commit(store, [visit(url, { content: { snapshot: { fetchedAt: at } } })]);
		expect(objectsIn(folder)).toHaveLength(1);
		await commit(store, [visit(url, { content: content('y') })]);
		await commit(store, [visit(url, { revokedUrls: [url.url] })]);
		expect(objectsIn(folder)).toHaveLength(1);
		await store.end(true, at);
		expect((await store.prune({ grace: -1000 })).objects?.count).toBe(1);
		await store.close();
	});
});

it('a worker that looked for the place before another one of the store claimed it has it too', async () => {
	const url = await places['an SQLite file']();
	const documents = `file:${file('documents-at-once')}`;
	await (await openStore(url, { documents })).close();
	let looked = false;
	const db = openDatabase<StoreSchema>(url).withPlugin({
		transformQuery: ({ node }) => node,
		async transformResult({ result }) {
			if (looked || result.rows[0]?.place === undefined) return result;
			looked = true;
			return { ...result, rows: [] };
		},
	});
	const opened = await openDocuments(db, { documents });
	expect([looked, opened.objects?.place]).toEqual([true, documents]);
	opened.objects?.close();
	await db.destroy();
});
