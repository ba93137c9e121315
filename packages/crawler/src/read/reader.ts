import { ThreadError, ThreadPool, threadEntry } from '@wayleave/io/threads';
import type { CrawlEvent } from '../model/events.ts';
import { createFileConverter, type FileSource } from './convert-file.ts';
import type { readerProblems } from './problems.ts';
import type { PageReading, PageSource, ReadPage } from './read-page.ts';
import { ReaderCount } from './reader-count.ts';
import { receiveReading, type SentReading } from './sent-reading.ts';

/** Bytes. Longer pages would hold up everything else here. */
const longPage = 1 << 20;
/** Milliseconds that any page may take, and further ones for each MiB of it; on a busy machine pages take their time. */
const leastLimit = 20_000;
const limitPerMiB = 30_000;

export interface ReaderOptions {
	/** Threads that read pages at most; with 0 all is done in this thread. */
	readonly threads: number;
	/** Whether there are fewer threads where more bring no more pages. Default false. */
	readonly measured?: boolean;
	/** For that; milliseconds. Default: the time since the process started. */
	readonly now?: () => number;
	/** Pages that are read in this thread first: short work needs no other. Default 0, then this thread stays small. */
	readonly few?: number;
	/** Told when pages wait to be read, and when they do so no more. */
	readonly onFull: (full: boolean) => void;
	readonly emit: (event: CrawlEvent) => void;
	/** The module of the threads. */
	readonly entry?: URL;
}

/** Reads pages, off this thread where there are many. */
export interface Reader {
	readonly read: ReadPage;
	/** A PDF or an office file. @throws UnreadableFileError with the reason of its outcome */
	readonly readFile: (source: FileSource) => Promise<PageReading>;
	/** Threads that are there now. */
	readonly threads: number;
	close(): Promise<void>;
}

/** A page that ends its thread, or takes too long, fails with a `ThreadError`; the others do not notice. */
export function createReader(options: ReaderOptions): Reader {
	const { threads, few = 0, onFull, emit, entry = threadEntry('./page-thread', import.meta.url) } = options;
	const count = options.measured ? new ReaderCount(threads, options.now ?? (() => performance.now())) : undefined;
	let readHere = 0;
	let none = threads === 0;
	let pool: ThreadPool<PageSource, SentReading> | undefined;
	const full = { pages: false, files: false };
	const report = (what: keyof typeof full) => (is: boolean) => {
		const before = full.pages || full.files;
		full[what] = is;
		if (before !== (full.pages || full.files)) onFull(!before);
	};
	const files = createFileConverter((source) => read(source), report('files'));

	async function read(source: PageSource): Promise<PageReading> {
		if (none || (readHere < few && source.body.length < longPage)) {
			readHere++;
			return (await import('./read-page.ts')).readPage(source);
		}
		pool ??= new ThreadPool(entry, { threads: count?.size ?? threads, onFull: report('pages') });
		try {
			const limit = leastLimit + limitPerMiB * (source.body.length / 2 ** 20);
			const reading = receiveReading(await pool.run(source, { limit }));
			if (count !== undefined) {
				count.count(pool.waiting > 0);
				pool.resize(count.size);
			}
			return reading;
		} catch (error) {
			if (!(error instanceof ThreadError) || error.code !== 'cannot-start') throw error;
			// The crawl goes on, slower, and says so.
			if (!none)
				emit({
					type: 'problem',
					code: 'no-threads' satisfies keyof typeof readerProblems,
					source: 'page-thread',
					detail: error.message,
				});
			none = true;
			return read(source);
		}
	}

	return {
		read,
		readFile: files.read,
		get threads() {
			return pool?.size ?? 0;
		},
		async close() {
			await files.close();
			await pool?.close();
		},
	};
}
