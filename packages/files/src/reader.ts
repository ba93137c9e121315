import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FileError } from './errors.ts';
import type { FileCost, FileReply, FileRequest } from './messages.ts';
import { entryBeside } from './source-entry.ts';
import { defaultLimits, type FileContent, type FileKind, type FileLimits } from './types.ts';

export interface FileReaderOptions {
	/** Default: 2000 pages, 60 seconds of processor time, 1024 MiB of memory, 128 MiB a file. */
	readonly limits?: Partial<FileLimits>;
	/** Milliseconds after which the process ends that has nothing to do. Default 30,000. */
	readonly idle?: number;
	/** Called after each file with what reading it has cost; not for one that has ended the process. */
	readonly onCost?: (cost: FileCost) => void;
	/** Told when files wait to be read, and when they do so no more. */
	readonly onFull?: (full: boolean) => void;
}

/** Reads files one after the other in a process of its own, which starts with the first file. */
export interface FileReader {
	/**
	 * @throws FileError with the reason when the file makes no document
	 */
	read(bytes: Uint8Array, kind: FileKind): Promise<FileContent>;
	/** Ends the process; files that wait fail. */
	close(): Promise<void>;
}

/**
 * ```ts
 * const files = openFileReader();
 * const { html, pages } = await files.read(await readFile('report.pdf'), 'pdf');
 * await files.close();
 * ```
 *
 * A file that crashes the process, or needs more time or memory than its limits, fails alone: the next one gets a new
 * process.
 */
export function openFileReader(options: FileReaderOptions = {}): FileReader {
	return new ProcessReader(options);
}

interface Task {
	readonly request: FileRequest;
	readonly resolve: (content: FileContent) => void;
	readonly reject: (error: Error) => void;
}

/** Files that may wait before the caller is asked to pause. */
const fullAt = 2;
/** Milliseconds that the process may take to start, and how long a file may take by the clock for each of its seconds. */
const startLimit = 60_000;
const clockFactor = 2;

class ProcessReader implements FileReader {
	readonly #limits: FileLimits;
	readonly #idle: number;
	readonly #onFull: (full: boolean) => void;
	readonly #onCost: (cost: FileCost) => void;
	readonly #tasks: Task[] = [];
	#child: ChildProcess | undefined;
	#ready = false;
	#timer: NodeJS.Timeout | undefined;
	#next = 1;
	#full = false;
	#closed = false;

	constructor({ limits, idle = 30_000, onFull = () => {}, onCost = () => {} }: FileReaderOptions) {
		this.#limits = { ...defaultLimits, ...limits };
		this.#idle = idle;
		this.#onFull = onFull;
		this.#onCost = onCost;
	}

	async read(bytes: Uint8Array, kind: FileKind): Promise<FileContent> {
		if (this.#closed) throw new Error('the file reader was closed');
		const limits = this.#limits;
		if (bytes.length > limits.size << 20)
			throw new FileError('file-over-limit', `the file has ${bytes.length} bytes; at most ${limits.size} MiB are read`);
		return new Promise((resolve, reject) => {
			this.#tasks.push({ request: { id: this.#next++, kind, bytes, limits }, resolve, reject });
			if (this.#tasks.length === 1) this.#begin();
			this.#report();
		});
	}

	async close(): Promise<void> {
		this.#closed = true;
		const child = this.#child;
		this.#end();
		for (const { reject } of this.#tasks.splice(0)) reject(new Error('the file reader was closed'));
		if (child?.exitCode !== null || child.signalCode !== null) return;
		// An idle process does not keep this one alive, but it is waited for.
		child.ref();
		await new Promise((done) => child.once('exit', done));
	}

	/** Sends the first task, if the process is there. */
	#begin(): void {
		const [task] = this.#tasks;
		clearTimeout(this.#timer);
		if (task === undefined) {
			this.#child?.unref();
			this.#child?.channel?.unref();
			this.#timer = setTimeout(() => this.#end(), this.#idle);
			this.#timer.unref();
			return;
		}
		this.#child ??= this.#start();
		const child = this.#child;
		child.ref();
		child.channel?.ref();
		const limit = this.#ready ? this.#limits.seconds * 1000 * clockFactor : startLimit;
		this.#timer = setTimeout(() => this.#fail('file-over-limit', `no result after ${limit / 1000} seconds`), limit);
		if (this.#ready) child.send(task.request, (error) => error && this.#lost(child));
	}

	#start(): ChildProcess {
		const { url, isSource } = entryBeside('./child', import.meta.url);
		const loader = isSource ? ['--conditions=wayleave-source', `--import=${import.meta.resolve('tsx')}`] : [];
		// Nothing of the caller reaches a process that reads a stranger's file.
		const child = fork(fileURLToPath(url), [], {
			serialization: 'advanced',
			stdio: 'ignore',
			// In a group of its own: Ctrl-C in a terminal goes to all processes of a group.
			detached: process.platform !== 'win32',
			execArgv: loader,
			env: { PATH: process.env.PATH },
		});
		child.on('message', (reply: FileReply) => child === this.#child && this.#receive(reply));
		child.on('error', () => this.#lost(child));
		child.on('exit', () => this.#lost(child));
		return child;
	}

	#receive(reply: FileReply): void {
		if (reply.type === 'ready') {
			this.#ready = true;
			this.#begin();
			return;
		}
		const [task] = this.#tasks;
		if (task === undefined || reply.type === 'page' || reply.id !== task.request.id) return;
		if (reply.cost !== undefined) this.#onCost(reply.cost);
		if (reply.type === 'done') this.#finish(({ resolve }) => resolve(reply.content));
		else {
			// The process ends after a limit; the next file gets another one.
			if (reply.code === 'file-over-limit') this.#end();
			this.#finish(({ reject }) => reject(new FileError(reply.code, reply.message)));
		}
	}

	/** The process is gone without a word. */
	#lost(child: ChildProcess): void {
		if (child !== this.#child) return;
		if (!this.#ready) this.#fail(undefined, 'the process that reads files could not start');
		else this.#fail('file-damaged', 'the file ended the process that reads it');
	}

	#fail(code: FileError['code'] | undefined, message: string): void {
		this.#end();
		this.#finish(({ reject }) => reject(code === undefined ? new Error(message) : new FileError(code, message)));
	}

	#finish(finishTask: (task: Task) => void): void {
		const task = this.#tasks.shift();
		if (task !== undefined) finishTask(task);
		if (!this.#closed) this.#begin();
		this.#report();
	}

	#end(): void {
		clearTimeout(this.#timer);
		this.#child?.kill('SIGKILL');
		this.#child = undefined;
		this.#ready = false;
	}

	#report(): void {
		const full = this.#tasks.length > fullAt;
		if (full !== this.#full) this.#onFull(full);
		this.#full = full;
	}
}
