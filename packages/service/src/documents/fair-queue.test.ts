import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Work that is done when the test says so. */
function workshop(queue: FairQueue) {
	const begun: string[] = [];
	const ends = new Map<string, () => void>();
	const enter = (caller: string, host: string, name = `${caller}@${host}`) =>
		queue.enter(caller, host, () => {
			begun.push(name);
			return new Promise<void>((end) => ends.set(name, end));
		});
	/** Ends the work that has begun first and is not over, and lets the queue go on. */
	const endFirst = async () => {
		const [name] = ends.keys();
		ends.get(name!)!();
		ends.delete(name!);
		await new Promise((later) => setImmediate(later));
	};
	return { begun, ends, enter, endFirst };
}

describe('turns', () => {
	it('a thousand pages of one caller do not keep the page of another one', async () => {
		const { begun, enter, endFirst } = workshop(new FairQueue({ inFlight: 4, perCaller: 4 }));
		for (let page = 0; page < 1000; page++) enter('greedy', `h${page}.test`);
		enter('modest', 'own.test');
		await endFirst();
		expect(begun.slice(0, 6)).toContain('modest@own.test');
	});

	it('nor does one caller take all places', () => {
		const { begun, enter } = workshop(new FairQueue({ inFlight: 10, perCaller: 4 }));
		for (let page = 0; page < 1000; page++) enter('greedy', `h${page}.test`);
		expect(begun).toHaveLength(4);
		enter('modest', 'own.test');
		expect(begun).toHaveLength(5);
	});

	it('callers take turns at one host too', async () => {
		const { begun, enter, endFirst } = workshop(new FairQueue({ inFlight: 10, perCaller: 10 }));
		for (let page = 0; page < 6; page++) enter('a', 'h.test', `a${page}`);
		for (let page = 0; page < 3; page++) enter('b', 'h.test', `b${page}`);
		for (let turn = 0; turn < 8; turn++) await endFirst();
		expect(begun).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5']);
	});

	it('callers take turns at one host even when one of them is busy everywhere', async () => {
		const { begun, ends, enter } = workshop(new FairQueue({ inFlight: 3, perCaller: 3 }));
		for (let page = 0; page < 50; page++) enter('a', `h${page % 5}.test`, `a${page}`);
		for (let page = 0; page < 10; page++) enter('b', 'h0.test', `b${page}`);
		for (let turn = 0; turn < 40; turn++) {
			const [name] = ends.keys();
			ends.get(name!)!();
			ends.delete(name!);
			await new Promise((later) => setImmediate(later));
		}
		const ofB = begun.flatMap((name, at) => (name.startsWith('b') ? [at] : []));
		expect(ofB.length).toBeGreaterThanOrEqual(5);
	});

	it('one piece of work at a time for a host; others do not wait for it', async () => {
		const { begun, enter } = workshop(new FairQueue({ inFlight: 10, perCaller: 10 }));
		for (let page = 0; page < 3; page++) enter('a', 'slow.test', `slow${page}`);
		enter('a', 'quick.test', 'quick');
		expect(begun).toEqual(['slow0', 'quick']);
	});

	it('as many as the host takes', () => {
		const { begun, enter } = workshop(new FairQueue({ inFlight: 10, perCaller: 10, perHost: () => 3 }));
		for (let page = 0; page < 5; page++) enter('a', 'own.test', `own${page}`);
		expect(begun).toEqual(['own0', 'own1', 'own2']);
	});

	it('a removed task never begins, and leaves nothing behind', async () => {
		const queue = new FairQueue({ inFlight: 1, perCaller: 1 });
		const { begun, enter, endFirst } = workshop(queue);
		enter('a', 'h.test', 'first');
		const second = enter('a', 'h.test', 'second');
		enter('b', 'h.test', 'third');
		second.cancel();
		second.cancel();
		expect(queue.waiting).toBe(1);
		await endFirst();
		expect(begun).toEqual(['first', 'third']);
		await endFirst();
		expect([queue.busy, queue.waiting]).toEqual([0, 0]);
	});

	it('work that fails ends its turn', async () => {
		const queue = new FairQueue({ inFlight: 1, perCaller: 1 });
		queue.enter('a', 'h.test', () => Promise.reject(new Error('no')));
		const begun = await new Promise<string>((resolve) => queue.enter('a', 'h.test', async () => resolve('second')));
		expect(begun).toBe('second');
	});

	it('everything is begun once, whatever the order of things', async () => {
		const queue = new FairQueue({ inFlight: 7, perCaller: 3, perHost: (host) => (host === 'h0' ? 2 : 1) });
		const counts = new Map<string, number>();
		let atHost = 0;
		let most = 0;
		const all = Array.from({ length: 500 }, (_, index) => {
			const name = `${index}`;
			return new Promise<void>((done) =>
				queue.enter(`c${index % 5}`, `h${(index * 7) % 11}`, async () => {
					counts.set(name, (counts.get(name) ?? 0) + 1);
					most = Math.max(most, ++atHost);
					await new Promise((later) => setImmediate(later));
					atHost--;
					done();
				}),
			);
		});
		await Promise.all(all);
		expect(counts.size).toBe(500);
		expect([...counts.values()].every((count) => count === 1)).toBe(true);
		expect(most).toBe(7);
	});
});
