import { ThreadError } from './error.ts';
import { type Task, Thread } from './thread.ts';

export interface ThreadPoolOptions {
	/** Threads at most. They start when there is work for them. */
	readonly threads: number;
	/** MiB of heap that one thread may use. Default 1024. */
	readonly heap?: number;
	/** Called when tasks pile up, and when they no longer do: the producer should pause in between. */
	readonly onFull?: (full: boolean) => void;
}

/**
 * Does tasks in threads. The module at `entry` says what the work is:
 *
 * ```ts
 * // count-thread.ts, with `import { serveTasks } from '@wayleave/io/threads'`
 * serveTasks((text: string) => text.split(/\s+/).length);
 *
 * // Here the ending is that of this file: `.ts` from source, `.js` when built.
 * const pool = new ThreadPool<string, number>(threadEntry('./count-thread', import.meta.url), { threads: 2 });
 * await pool.run('three short words', { limit: 1000 });
 * await pool.close();
 * ```
 *
 * A thread that dies, or takes longer over a task than its limit, is replaced: that task fails with a `ThreadError`,
 * and no other does.
 */
export class ThreadPool<Input, Output> {
	readonly #entry: URL;
	#most: number;
	readonly #heap: number;
	readonly #onFull: (full: boolean) => void;
	readonly #threads = new Set<Thread<Input, Output>>();
	#waiting: Task<Input, Output>[] = [];
	#full = false;
	#closed = false;

	constructor(entry: URL, { threads, heap = 1024, onFull = () => {} }: ThreadPoolOptions) {
		this.#entry = entry;
		this.#most = Math.max(1, threads);
		this.#heap = heap;
		this.#onFull = onFull;
	}

	/** Threads that have been started and are there. */
	get size(): number {
		return this.#threads.size;
	}

	/** Tasks that no thread has been given yet. */
	get waiting(): number {
		return this.#waiting.length;
	}

	/** Changes how many threads there may be; a thread too many ends with its last task. */
	resize(threads: number): void {
		this.#most = Math.max(1, threads);
		this.#endSurplus();
		this.#pump();
	}

	/**
	 * @param limit milliseconds that the task may take once it is begun
	 * @throws Error what the task threw, by its message
	 * @throws ThreadError when the task was given up
	 */
	run(input: Input, { limit }: { readonly limit: number }): Promise<Output> {
		return new Promise((resolve, reject) => {
			if (this.#closed) throw closed();
			this.#waiting.push({ input, limit, resolve, reject });
			this.#pump();
		});
	}

	/** Ends all threads. What is not done by now fails. */
	async close(): Promise<void> {
		this.#closed = true;
		const threads = [...this.#threads];
		await Promise.all(threads.map((thread) => thread.stop(closed())));
		for (const { reject } of this.#waiting.splice(0)) reject(closed());
	}

	#pump(): void {
		while (!this.#closed) {
			const [task] = this.#waiting;
			const thread = task && this.#free();
			if (task === undefined || thread === undefined) break;
			this.#waiting.shift();
			try {
				thread.give(task);
			} catch (error) {
				task.reject(error);
			}
		}
		const full = this.#waiting.length > this.#most;
		if (full !== this.#full) {
			this.#full = full;
			this.#onFull(full);
		}
	}

	/** One that is idle, else a new one, else one that will be done with a single task. */
	#free(): Thread<Input, Output> | undefined {
		let free: Thread<Input, Output> | undefined;
		for (const thread of [...this.#threads].slice(0, this.#most))
			if (thread.hasRoom && (free === undefined || thread.load < free.load)) free = thread;
		if (free?.load === 0 || this.#threads.size >= this.#most) return free;
		const thread: Thread<Input, Output> = new Thread(this.#entry, this.#heap, () => this.#onChange(thread));
		this.#threads.add(thread);
		return thread;
	}

	#endSurplus(): void {
		for (const thread of [...this.#threads].slice(this.#most)) if (thread.load === 0) void thread.stop(closed());
	}

	#onChange(thread: Thread<Input, Output>): void {
		if (thread.end !== undefined && this.#threads.delete(thread)) {
			const back = thread.takeBack();
			// Where none can start, there is nothing to wait for.
			if (thread.end.code === 'cannot-start')
				for (const { reject } of [...back, ...this.#waiting.splice(0)]) reject(thread.end);
			else this.#waiting = [...back, ...this.#waiting];
		}
		this.#endSurplus();
		this.#pump();
	}
}

const closed = () => new ThreadError('closed', 'the worker threads were stopped');

/** The module of a thread beside the module that starts it, from source as well as built. */
export function threadEntry(name: string, base: string): URL {
	return new URL(`${name}${base.endsWith('.ts') ? '.ts' : '.js'}`, base);
}
