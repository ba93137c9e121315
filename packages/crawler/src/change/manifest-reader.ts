import { ThreadError, ThreadPool, threadEntry } from '@wayleave/io/threads';
import { type ManifestReading, type ManifestSource, readManifest } from './read-manifest.ts';

/** Bytes, and URLs, from which on reading would hold up everything else here. */
const long = 256 * 1024;
const many = 5000;
/** Milliseconds that any manifest may take. */
const limit = 120_000;

/** Reads manifests, long ones in a thread of their own. */
export class ManifestReader {
	readonly #threads: boolean;
	readonly #entry: URL;
	#pool: ThreadPool<ManifestSource, ManifestReading> | undefined;

	/** @param entry the module of the thread */
	constructor(threads: boolean, entry: URL = threadEntry('./manifest-thread', import.meta.url)) {
		this.#threads = threads;
		this.#entry = entry;
	}

	/** How many threads there are. */
	get threads(): number {
		return this.#pool?.size ?? 0;
	}

	/** One that ends its thread, or takes too long there, cannot be read: here it would end the crawl. */
	async read(source: ManifestSource): Promise<ManifestReading> {
		const isLong = source.body.length > long || source.known.states.length > many;
		if (!isLong || !this.#threads) return readManifest(source);
		this.#pool ??= new ThreadPool(this.#entry, { threads: 1 });
		try {
			return await this.#pool.run(source, { limit });
		} catch (error) {
			if (!(error instanceof ThreadError)) throw error;
			return error.code === 'cannot-start' ? readManifest(source) : { problems: [] };
		}
	}

	async close(): Promise<void> {
		await this.#pool?.close();
		this.#pool = undefined;
	}
}
