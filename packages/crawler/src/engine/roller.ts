import { setTimeout as sleep } from 'node:timers/promises';
import { CrawlError } from '../base/errors.ts';
import { isRollingSink, type RollingSink, type Sink } from '../sinks/types.ts';
import { sinkWork } from '../sinks/write-to-sinks.ts';
import type { Segment } from '../store/roles/outputs.ts';
import type { Store } from '../store/roles/store.ts';

/** Milliseconds after which a worker looks again whether another one has finished its file, or died. */
const pollInterval = 250;
/** A worker looks for a file to write when it has brought this part of one. */
const share = 8;

/** Makes rolling files of what the commits have brought, beside the crawl. */
export class Roller {
	readonly #store: Store;
	readonly #sinks: readonly RollingSink[];
	/** Bytes that this worker has brought since it last looked. */
	readonly #brought = new Map<string, number>();
	#work: Promise<void> = Promise.resolve();
	#busy = false;
	#failure: { readonly error: unknown } | undefined;

	constructor(store: Store, sinks: readonly Sink[]) {
		this.#store = store;
		this.#sinks = sinks.filter(isRollingSink);
		if (this.#sinks.length > 0 && store.outputs === undefined)
			throw new CrawlError('bad-option', 'this store cannot write rolling files: use sqlite:FILE or postgres://…');
	}

	/** Files of workers that are gone are written first. */
	begin(): void {
		this.#start(this.#sinks);
	}

	/** After the commit of segments. @throws CrawlError `sink-failed` if a file could not be written */
	note(segments: readonly Segment[]): void {
		if (this.#failure !== undefined) throw this.#failure.error;
		for (const { sink, bytes } of segments) this.#brought.set(sink, (this.#brought.get(sink) ?? 0) + bytes);
		const due = this.#sinks.filter(({ name, size }) => (this.#brought.get(name) ?? 0) >= size / share);
		if (due.length > 0) this.#start(due);
	}

	/** No results follow: what is left becomes files too. Waits for the files of other workers, or writes them. */
	async finish(): Promise<void> {
		await this.#work;
		if (this.#failure !== undefined) throw this.#failure.error;
		const { outputs } = this.#store;
		if (outputs === undefined) return;
		for (const sink of this.#sinks) {
			for (;;) {
				await this.#writeFiles(sink, true);
				if ((await outputs.unfinished(sink.name)) === 0) break;
				await sleep(pollInterval);
			}
			await sinkWork(sink, async () => sink.collect(await outputs.needed(sink.name)));
		}
	}

	/** Waits for the file that is being written. */
	async stop(): Promise<void> {
		await this.#work;
	}

	#start(sinks: readonly RollingSink[]): void {
		if (this.#busy) return;
		this.#busy = true;
		for (const { name } of sinks) this.#brought.set(name, 0);
		this.#work = (async () => {
			for (const sink of sinks) await this.#writeFiles(sink, false);
		})()
			.catch((error: unknown) => {
				this.#failure ??= { error };
			})
			.finally(() => {
				this.#busy = false;
			});
	}

	/** @param rest whether a file may be smaller than its size */
	async #writeFiles(sink: RollingSink, rest: boolean): Promise<void> {
		const { outputs } = this.#store;
		if (outputs === undefined) return;
		for (;;) {
			const file = await outputs.claim(sink.name, sink.size, rest);
			if (file === undefined) return;
			await sinkWork(sink, () => sink.writeFile(file));
			await outputs.finish(file);
			await sinkWork(sink, () => sink.discard(file.segments));
		}
	}
}
