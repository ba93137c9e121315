import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ThreadError } from './error.ts';

export interface Request<Input> {
	readonly input: Input;
}

export type Reply<Output> =
	| { readonly output: Output; readonly error?: undefined }
	/** The error of the task. */
	| { readonly error: string };

export interface Task<Input, Output> {
	readonly input: Input;
	/** Milliseconds that it may take. */
	readonly limit: number;
	readonly resolve: (output: Output) => void;
	readonly reject: (error: unknown) => void;
}

/** Tasks given to a thread at a time: the next is there when one is done, however busy this thread is. */
const maxTasks = 2;
/** MiB for what is short-lived, twice the default: the tree of a page is gone before it has to be moved. */
const youngHeap = 96;
/** Milliseconds that a thread may take to load its module; a busy machine takes its time. */
const startLimit = 60_000;

/** One thread and the tasks that it was given, in their order. It ends with the first task that kills it. */
export class Thread<Input, Output> {
	readonly #worker: Worker;
	readonly #tasks: Task<Input, Output>[] = [];
	readonly #onChange: () => void;
	#timer: NodeJS.Timeout | undefined;
	#ready = false;
	#end: ThreadError | undefined;

	/** @param onChange called when a task is done, and when the thread has ended */
	constructor(entry: URL, heap: number, onChange: () => void) {
		this.#onChange = onChange;
		this.#worker = start(entry, {
			resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: youngHeap },
		});
		this.#worker.unref();
		this.#worker.on('message', (reply: Reply<Output> | 'ready') => this.#receive(reply));
		this.#worker.on('error', (error) => this.#stop(asThreadError(error, this.#ready)));
		this.#worker.on('exit', (code) =>
			this.#stop(new ThreadError('died', `the worker thread exited with code ${code}`)),
		);
	}

	get load(): number {
		return this.#tasks.length;
	}

	get hasRoom(): boolean {
		return this.#end === undefined && this.#tasks.length < maxTasks;
	}

	/** Why it has ended. */
	get end(): ThreadError | undefined {
		return this.#end;
	}

	/** @throws Error when the input cannot be cloned. */
	give(task: Task<Input, Output>): void {
		this.#worker.postMessage({ input: task.input } satisfies Request<Input>);
		this.#tasks.push(task);
		if (this.#tasks.length > 1) return;
		this.#worker.ref();
		this.#watch();
	}

	/** Ends the thread; the task that it was at fails, and those after it are given back. */
	stop(reason: ThreadError): Promise<unknown> {
		this.#stop(reason);
		return this.#worker.terminate();
	}

	/** Tasks that were not begun when the thread ended. */
	takeBack(): Task<Input, Output>[] {
		return this.#tasks.splice(0);
	}

	#receive(reply: Reply<Output> | 'ready'): void {
		if (this.#end !== undefined) return;
		if (reply === 'ready') {
			this.#ready = true;
			this.#watch();
			return;
		}
		const task = this.#tasks.shift();
		if (this.#tasks.length === 0) this.#worker.unref();
		this.#watch();
		if (reply.error === undefined) task?.resolve(reply.output);
		else task?.reject(new Error(reply.error));
		this.#onChange();
	}

	/** The clock of the task that is being done. */
	#watch(): void {
		clearTimeout(this.#timer);
		const [task] = this.#tasks;
		if (task === undefined) return;
		const limit = this.#ready ? task.limit : startLimit;
		this.#timer = setTimeout(() => {
			const why = this.#ready ? 'timed-out' : 'cannot-start';
			void this.stop(new ThreadError(why, `timed out after ${limit / 1000} seconds`));
		}, limit);
	}

	#stop(reason: ThreadError): void {
		if (this.#end !== undefined) return;
		this.#end = reason;
		clearTimeout(this.#timer);
		this.#tasks.shift()?.reject(reason);
		this.#onChange();
	}
}

function asThreadError(error: unknown, ready: boolean): ThreadError {
	const { code, message } = error as { code?: string; message?: string };
	if (code === 'ERR_WORKER_OUT_OF_MEMORY')
		return new ThreadError('out-of-memory', 'the worker thread ran out of memory', { cause: error });
	return new ThreadError(ready ? 'died' : 'cannot-start', message ?? String(error), { cause: error });
}

/** A thread needs its own loader for source files: `--import` of the process is not enough. */
function start(entry: URL, options: WorkerOptions): Worker {
	if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
	const [loader, module] = [import.meta.resolve('tsx/esm/api'), entry.href].map((url) => JSON.stringify(url));
	const code = `import(${loader}).then(({ register }) => { register(); return import(${module}); })`;
	return new Worker(code, { ...options, eval: true, execArgv: ['--conditions=wayleave-source'] });
}
