import { expect, it } from 'vitest';
import type { Visited } from '../fetch/visited.ts';
import type { Sink } from '../sinks/types.ts';
import type { Batch } from '../store/roles/commit.ts';
import type { Store } from '../store/roles/store.ts';
import { Committer } from './committer.ts';

const host = { id: 1, name: 'h.test', nextAt: 0, https: false };
const visited = (id: number): Visited => ({
	visit: { id, ending: { outcome: 'fetched' }, attempts: 1, at: 0, found: [] },
	results: [{ url: `http://h.test/${id}`, outcome: 'fetched', depth: 0, at: '' }],
	keep: true,
	scopeExpansions: [],
	claims: [],
});

/** A sink whose position is the number of results, and a store that remembers its batches. */
function pair(commit: (batch: Batch) => Promise<void>, busy = () => false) {
	const batches: Batch[] = [];
	let written = 0;
	const sink: Sink = {
		name: 's',
		persistent: true,
		async open() {},
		async write(results) {
			written += results.length;
			return String(written);
		},
		async close() {},
	};
	const store = {
		async commit(batch: Batch) {
			await commit(batch);
			batches.push(batch);
			return { added: new Map(), newLinks: batch.visits.map(() => 0) };
		},
	} as unknown as Store;
	const told: number[] = [];
	const committer = new Committer({ store, sinks: [sink], onCommit: ({ visit }) => told.push(visit.id), busy });
	return { committer, batches, told, written: () => written };
}

it('visits that end while a commit runs make the next batch, with the position behind their own lines', async () => {
	const { committer, batches, told } = pair(() => new Promise((resolve) => setTimeout(resolve, 5)));
	const first = committer.submit(visited(1), host);
	await new Promise((resolve) => setTimeout(resolve));
	await Promise.all([first, ...[2, 3, 4].map((id) => committer.submit(visited(id), host))]);
	expect(batches.map(({ visits }) => visits.map(({ id }) => id))).toEqual([[1], [2, 3, 4]]);
	expect(batches.map(({ positions }) => positions.get('s'))).toEqual(['1', '4']);
	expect(told).toEqual([1, 2, 3, 4]);
});

it('after a commit that failed nothing more is written or committed', async () => {
	let calls = 0;
	const { committer, batches, told, written } = pair(async () => {
		if (++calls === 1) throw new Error('disk full');
	});
	const first = committer.submit(visited(1), host);
	await Promise.resolve();
	const ends = await Promise.allSettled([first, ...[2, 3].map((id) => committer.submit(visited(id), host))]);
	expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
	await expect(committer.submit(visited(4), host)).rejects.toMatchObject({ code: 'store-failed' });
	expect({ batches, told, written: written() }).toEqual({ batches: [], told: [], written: 1 });
});

it('a commit grows while pages wait to be read, but not for ever', async () => {
	let asked = 0;
	let third: Promise<unknown> | undefined;
	const busyFor = (times: number) => () => {
		if (asked === 1) third ??= committer.submit(visited(3), host);
		return asked++ < times;
	};
	let busy = busyFor(3);
	const { committer, batches } = pair(
		async () => {},
		() => busy(),
	);
	await Promise.all([1, 2].map((id) => committer.submit(visited(id), host)));
	await third;
	expect(asked).toBe(4);
	busy = busyFor(Number.POSITIVE_INFINITY);
	await committer.submit(visited(4), host);
	expect(batches.map(({ visits }) => visits.map(({ id }) => id))).toEqual([[1, 2, 3], [4]]);
});
