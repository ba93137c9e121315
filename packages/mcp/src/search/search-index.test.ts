import type { KeptDocument } from '@wayleave/crawler';
import { openDatabase } from '@wayleave/io/sql';
import { expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { SearchIndex } from './search-index.ts';

function kept(id: number, url: string, markdown: string, once: boolean): KeptDocument {
	const document = { identity: { title: url }, content: { markdown } } as unknown as KeptDocument['document'];
	return { place: { fetchedAt: id, id }, url, document, ...(once && { policy: { uses: {}, limits: { once } } }) };
}

it('AMB-56 does not index pages allowed once, and removes pages that become so', async () => {
	const documents = [kept(1, 'https://a.test/open', 'words of a heron', false)];
	const db = openDatabase<unknown>('sqlite::memory:');
	const index = await SearchIndex.open(db, async ({ fetchedAt }) =>
		documents.filter(({ place }) => place.fetchedAt > fetchedAt),
	);
	const found = async () => (await index.search('heron', { limit: 9 })).map(({ url }) => url);
	try {
		documents.push(kept(2, 'https://a.test/once', 'once upon a heron', true));
		expect(await found()).toEqual(['https://a.test/open']);
		documents.push(kept(3, 'https://a.test/open', 'words of a heron', true));
		expect(await found()).toEqual([]);
	} finally {
		await db.destroy();
	}
});

it('does not find a file by the anchors of its pages', async () => {
	const documents = [
		kept(1, 'https://a.test/a.pdf', '<a id="page-1"></a>\n\n# Herons\n\n<a id="page-2"></a>\n\nNests.', false),
	];
	const db = openDatabase<unknown>('sqlite::memory:');
	const index = await SearchIndex.open(db, async ({ fetchedAt }) =>
		documents.filter(({ place }) => place.fetchedAt > fetchedAt),
	);
	try {
		expect(await index.search('page', { limit: 9 })).toEqual([]);
		expect(await index.search('nests', { limit: 9 })).toMatchObject([{ excerpt: '# Herons\n\n**Nests**.' }]);
	} finally {
		await db.destroy();
	}
});

const stores = [
	['SQLite', async () => 'sqlite::memory:'],
	['PostgreSQL', newDatabase],
] as const;

it.each(stores)('%s lists all addresses, one page at a time', async (_, url) => {
	const documents = Array.from({ length: 25 }, (_, at) => kept(at + 1, `https://a.test/${at}`, 'words', false));
	const db = openDatabase<unknown>(await url());
	const index = await SearchIndex.open(db, async ({ fetchedAt }) =>
		documents.filter(({ place }) => place.fetchedAt > fetchedAt),
	);
	try {
		const seen: string[] = [];
		let after: string | undefined;
		do {
			const piece = await index.list(after, 10);
			seen.push(...piece.urls);
			after = piece.next;
		} while (after !== undefined);
		expect(seen.toSorted()).toEqual(documents.map((each) => each.url).toSorted());
	} finally {
		await db.destroy();
	}
});
