import { expect, it } from 'vitest';
import { watchAndKill } from '../testing/watch-and-kill.ts';

it('kill -9 of a watched crawl: each edit is one notice for each receiver', async () => {
	const { edits, taken, kills, counts } = await watchAndKill({
		pages: 60,
		edits: [10],
		kills: [[], [{ notice: 3, answered: true }]],
		slow: 20,
	});
	expect(kills).toBe(1);
	for (const each of taken) expect([...each].sort()).toEqual([...edits].sort());
	expect(counts.map(({ waiting, kept }) => waiting + kept)).toEqual([0, 0]);
}, 120_000);
