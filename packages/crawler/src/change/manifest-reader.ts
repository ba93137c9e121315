import { ThreadError, ThreadPool, threadEntry } from '@wayleave/io';
import { type ManifestReading, type ManifestSource, readManifest } from './read-manifest.ts';

/** Bytes, and URLs, from which on reading would hold up everything else here. */
const long = 256 * 1024;
const many = 5000;
/** Milliseconds that any manifest may take. */
const limit = 120_000;

/** Reads manifests, long ones in a thread of their own. */
export class ManifestReader {
	readonly #threads: boolean;
	#pool: ThreadPool<ManifestSource, ManifestReading> | undefined;

	constructor(threads: boolean) {
		this.#threads = threads;
	}

	/** How many threads there are. */
	get threads(): number {
		return this.#pool?.size ?? 0;
	}

	async read(source: ManifestSource): Promise<ManifestReading> {
		const isLong = source.body.length > long || source.known.states.length > many;
		if (!isLong || !this.#threads) return readManifest(source);
		this.#pool ??= new ThreadPool(threadEntry('./manifest-thread', import.meta.url), { threads: 1 });
		try {
			return await this.#pool.run(source, { limit });
		} catch (error) {
			// Where no thread can be had, it is done here.
			if (error instanceof ThreadError) return readManifest(source);
			throw error;
		}
	}

	async close(): Promise<void> {
		await this.#pool?.close();
		this.#pool = undefined;
	}
}
