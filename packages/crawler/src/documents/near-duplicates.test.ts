import { expect, it } from 'vitest';
import { Duplicates } from './near-duplicates.ts';

it('of two pages that are alike and looked up at the same time one is the first', async () => {
	const duplicates = new Duplicates({ lookalikes: async () => [] } as never);
	const [first, second] = ['http://h.test/a', 'http://h.test/b'] as const;
	const found = await Promise.all([first, second].map((url) => duplicates.find(url, [1, 2, 3, 4])));
	expect(found).toEqual([undefined, { url: first }]);
});
