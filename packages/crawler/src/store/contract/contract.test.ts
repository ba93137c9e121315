import { describe, it } from 'vitest';
import { useStorePlaces } from '../../testing/stores.ts';
import { openStoreForReading } from '../groups/open-for-reading.ts';
import type { Store } from '../roles/store.ts';
import { openStore } from '../sql/open.ts';
import { readerContract, storeContract } from './index.ts';

const { places, file } = useStorePlaces();

describe.each(Object.entries({ ...places, memory: async (): Promise<string> => 'memory' }))(
	'a store in %s',
	(_, place) => {
		it.each(storeContract)('$name', async ({ run }) => {
			const store = await openStore(await place());
			await run(store);
			await store.close();
		});
	},
);

describe.each(Object.entries(places))('a reader of a store in %s', (_, place) => {
	it.each(readerContract)('$name', ({ run }) =>
		run(async (fill) => {
			const url = await place();
			const store = await openStore(url);
			await fill(store);
			await store.close();
			return openStoreForReading(url);
		}),
	);
});

describe('a store of a crawl, read', () => {
	it.each(readerContract)('$name', ({ run }) =>
		run(async (fill) => {
			const store: Store = await openStore('memory');
			await fill(store);
			return store;
		}),
	);
});

describe('a store with its documents in a folder', () => {
	it.each(storeContract)('$name', async ({ run }) => {
		const store = await openStore('memory', { documents: `file:${file('documents')}` });
		await run(store);
		await store.close();
	});

	it.each(readerContract)('read: $name', ({ run }) =>
		run(async (fill) => {
			const url = `sqlite:${file('crawl.db')}`;
			const store = await openStore(url, { documents: `file:${file('documents')}` });
			await fill(store);
			await store.close();
			return openStoreForReading(url);
		}),
	);
});
