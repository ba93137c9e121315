import { expect, it } from 'vitest';
import { watchAndKill } from '../testing/watch-and-kill.ts';

it('2,000 pages, 100 edits in three cycles, kill -9 at five moments: exactly a hundred notices, in order', async () => {
	const { edits, taken, repeated, kills, counts, notices } = await watchAndKill({
		pages: 2000,
		edits: [34, 33, 33],
		// In the middle of a crawl, at a notice, behind its response, in the middle of the next crawl, at its last requests.
		kills: [
			[],
			[{ requests: 700 }, { notice: 4, answered: false }],
			[{ notice: 6, answered: true }, { requests: 1200 }],
			[{ requests: 1990 }],
		],
		down: 2,
		slow: 100,
	});
	console.log(
		JSON.stringify({ edits: edits.length, taken: taken.map(({ length }) => length), repeated, kills, counts }),
	);
	expect([edits.length, kills]).toEqual([100, 5]);
	for (const each of taken) {
		expect(each).toHaveLength(100);
		expect([...each].sort()).toEqual([...edits].sort());
	}
	expect(counts.map(({ waiting, kept }) => waiting + kept)).toEqual([0, 0]);
	// A page that has changed in several cycles: its versions in order.
	const versions = new Map<string, (number | undefined)[]>();
	for (const { data } of notices)
		if (data.kind === 'changed') versions.set(data.url, [...(versions.get(data.url) ?? []), data.before?.version]);
	for (const [, of] of versions) expect(of).toEqual(of.map((_, at) => at + 1));
	expect(Math.max(...[...versions.values()].map(({ length }) => length))).toBeGreaterThan(1);
}, 3_600_000);
