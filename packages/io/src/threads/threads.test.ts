import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { serveTasks } from './serve-tasks.ts';
import type { OddTask } from './testing/odd-thread.ts';
import { ThreadPool, threadEntry } from './thread-pool.ts';

const pools: ThreadPool<OddTask, unknown>[] = [];

function open(options: Partial<ConstructorParameters<typeof ThreadPool>[1]> = {}, module = './testing/odd-thread') {
	const pool = new ThreadPool<OddTask, unknown>(threadEntry(module, import.meta.url), { threads: 1, ...options });
	pools.push(pool);
	return pool;
}

afterEach(async () => {
	for (const pool of pools.splice(0)) await pool.close();
});

const limit = 60_000;

describe('a pool of threads', () => {
	it('starts no thread before there is work, and no more than may be', async () => {
		const pool = open({ threads: 2 });
		expect(pool.size).toBe(0);
		expect(await pool.run({ say: 'one' }, { limit })).toBe('one 0');
		expect(pool.size).toBe(1);
		const said = await Promise.all(Array.from({ length: 20 }, (_, at) => pool.run({ say: String(at) }, { limit })));
		expect(said).toEqual(Array.from({ length: 20 }, (_, at) => `${at} 0`));
		expect(pool.size).toBe(2);
	});

	it('has more threads, or fewer, when it is resized', async () => {
		const pool = open({ threads: 1 });
		const twenty = () => Promise.all(Array.from({ length: 20 }, () => pool.run('name your thread', { limit })));
		const [first] = await twenty();
		expect(pool.size).toBe(1);
		pool.resize(2);
		// Both have started.
		await twenty();
		const many = twenty();
		expect([pool.size, pool.waiting]).toEqual([2, 16]);
		pool.resize(1);
		// The thread too many does what it was given, and no more of what waits.
		expect((await many).filter((thread) => thread !== first)).toHaveLength(2);
		expect(new Set(await twenty())).toEqual(new Set([first]));
		expect([pool.size, pool.waiting]).toEqual([1, 0]);
	});

	it('leaves what it was given as it was', async () => {
		const bytes = new Uint8Array(1 << 20);
		expect(await open().run({ say: 'bytes', bytes }, { limit })).toBe('bytes 1048576');
		expect(bytes.length).toBe(1 << 20);
	});

	it('reports the error of a task, and the thread continues', async () => {
		const pool = open();
		await expect(pool.run('throw', { limit })).rejects.toThrow('not this one');
		await expect(pool.run('not cloneable', { limit })).rejects.toThrow(/clone/);
		await expect(pool.run({ say: 'x', bytes: (() => {}) as never }, { limit })).rejects.toThrow(/clone/);
		expect(await pool.run({ say: 'after' }, { limit })).toBe('after 0');
	});

	it.each([
		['loop', 'timed-out'],
		['fill memory', 'out-of-memory'],
		['exit', 'died'],
		['throw later', 'died'],
	] as const)('a task that does not end well (%s) fails alone', async (odd, code) => {
		const pool = open({ heap: 64 });
		// So that the limit below is of the task alone.
		await pool.run({ say: 'ready' }, { limit });
		const failing = pool.run(odd, { limit: odd === 'loop' ? 100 : limit });
		const next = [1, 2, 3].map((at) => pool.run({ say: `next ${at}` }, { limit }));
		await expect(failing).rejects.toMatchObject({ name: 'ThreadError', code });
		expect(await Promise.all(next)).toEqual(['next 1 0', 'next 2 0', 'next 3 0']);
		expect(pool.size).toBe(1);
	});

	it('a module that does not load fails what waits, and says why', async () => {
		const pool = open({}, './testing/broken-thread');
		const tasks = [1, 2, 3, 4].map(() => pool.run('throw', { limit }));
		for (const task of tasks)
			await expect(task).rejects.toMatchObject({ code: 'cannot-start', message: 'this module does not load' });
		expect(pool.size).toBe(0);
	});

	it('tells when tasks pile up and when they are done', async () => {
		const told: boolean[] = [];
		const pool = open({ onFull: (full) => told.push(full) });
		await Promise.all(Array.from({ length: 3 }, () => pool.run({ say: 'few' }, { limit })));
		expect(told).toEqual([]);
		await Promise.all(Array.from({ length: 10 }, () => pool.run({ say: 'many' }, { limit })));
		expect(told).toEqual([true, false]);
	});

	it('closing ends what is being done and what waits', async () => {
		const pool = open();
		const tasks = Array.from({ length: 5 }, () => pool.run('loop', { limit }));
		const ends = Promise.allSettled(tasks);
		await pool.close();
		for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'closed' } });
		await expect(pool.run({ say: 'late' }, { limit })).rejects.toMatchObject({ code: 'closed' });
	});

	it('does not keep a process alive that has nothing else to do', () => {
		const code = `
			import { ThreadPool } from ${JSON.stringify(new URL('./thread-pool.ts', import.meta.url).href)};
			const pool = new ThreadPool(new URL(${JSON.stringify(new URL('./testing/odd-thread.ts', import.meta.url).href)}), { threads: 2 });
			console.log(await pool.run({ say: 'done' }, { limit: ${limit} }));`;
		const loader = ['--conditions=wayleave-source', '--import', 'tsx', '--input-type=module', '-e', code];
		const cwd = fileURLToPath(new URL('../../../..', import.meta.url));
		const { stdout, status } = spawnSync(process.execPath, loader, { cwd, encoding: 'utf8', timeout: 60_000 });
		expect({ stdout, status }).toEqual({ stdout: 'done 0\n', status: 0 });
	});

	it('the work of a thread can be done in a thread only', () => {
		expect(() => serveTasks(() => {})).toThrow('runs only in a worker thread');
	});
});
