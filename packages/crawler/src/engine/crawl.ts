import { DatabaseError } from '@wayleave/io/sql';
import { CrawlError } from '../base/errors.ts';
import { requireContact } from '../config/contact.ts';
import type { CrawlOptions } from '../config/options.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { normaliseRoute, normaliseUrl } from '../discover/normalise.ts';
import { chunkerFor } from '../model/chunks.ts';
import type { CrawlEvent, Stats, Summary } from '../model/events.ts';
import type { Result } from '../model/result.ts';
import type { ReadPage } from '../read/read-page.ts';
import type { StoreOptions } from '../store/roles/store.ts';
import { placesOf } from '../store/sql/open.ts';
import { runCycles } from './cycles.ts';
import { executeGroup, type Running } from './execute-group.ts';
import { Meter } from './meter.ts';
import { Output } from './output.ts';
import { Run, type RunParts } from './run.ts';
import { withWatching } from './with-watching.ts';

type EventOf<Type extends CrawlEvent['type']> = Extract<CrawlEvent, { type: Type }>;

/**
 * A crawl. It begins when it is iterated over or when `run` is called, and goes only as fast as its results are taken.
 */
export interface Crawl extends AsyncIterable<Result> {
	/** Runs to the end without emitting results, for crawls with sinks only. */
	run(): Promise<Summary>;
	/** Listens to events. Returns a function that stops listening. */
	on<Type extends CrawlEvent['type']>(type: Type, listener: (event: EventOf<Type>) => void): () => void;
	on(type: '*', listener: (event: CrawlEvent) => void): () => void;
	stats(): Stats;
	/** Settles when the crawl has ended: with the table of outcomes, or with a `CrawlError`. */
	readonly summary: Promise<Summary>;
}

/**
 * Crawls from the seeds, politely, and yields each URL once it has ended and is stored.
 *
 * `signal` ends it gracefully: what is in flight is finished and saved, and the same call with the same store goes on
 * from there. When there is nothing to go on with, it looks at every known page again and says what has changed.
 *
 * ```ts
 * for await (const { url, outcome, document } of crawl(['https://docs.example.com/'], { store: 'sqlite:docs.db' }))
 *   console.log(outcome, url, document?.identity.title);
 * ```
 *
 * @throws CrawlError when an option is wrong, when seeds of strangers would be asked without a contact, or later when the store or a sink fails.
 */
export function crawl(seeds: readonly string[], options: CrawlOptions = {}): Crawl {
	return crawlWith(undefined, seeds, options);
}

/** The same with another reader of pages. */
export function crawlWith(
	read: ReadPage | undefined,
	seeds: readonly string[],
	options: CrawlOptions = {},
	storeOptions: StoreOptions = {},
): Crawl {
	const settings = readSettings(options);
	const urls = readSeeds(seeds, settings.render.mode === 'never' ? normaliseUrl : normaliseRoute);
	requireContact(urls, options);
	return new LazyCrawl(urls, options, settings, { read, storeOptions });
}

function readSeeds(seeds: readonly string[], normalise: (url: string) => string | undefined): string[] {
	if (seeds.length === 0) throw new CrawlError('no-seeds', 'no URL to start from: pass at least one');
	return seeds.map((seed) => {
		const url = normalise(seed);
		if (url === undefined) throw new CrawlError('bad-seed', `${seed} is not an http(s) URL`);
		return url;
	});
}

class LazyCrawl implements Crawl {
	readonly summary: Promise<Summary>;
	readonly #seeds: readonly string[];
	readonly #options: CrawlOptions;
	readonly #settings: Settings;
	readonly #tools: Pick<RunParts, 'read' | 'storeOptions'>;
	readonly #output = new Output();
	readonly #listeners = new Set<{ type: string; listener: (event: never) => void }>();
	#end: { resolve: (summary: Summary) => void; reject: (error: unknown) => void } = { resolve() {}, reject() {} };
	#started = false;
	readonly #stop = new AbortController();
	#run: Running | undefined;

	constructor(
		seeds: readonly string[],
		options: CrawlOptions,
		settings: Settings,
		tools: Pick<RunParts, 'read' | 'storeOptions'>,
	) {
		this.#seeds = seeds;
		this.#options = options;
		this.#settings = settings;
		this.#tools = tools;
		this.summary = new Promise((resolve, reject) => {
			this.#end = { resolve, reject };
		});
		// The iterator throws the error, so it is not unhandled here.
		this.summary.catch(() => {});
	}

	run(): Promise<Summary> {
		this.#output.discard();
		this.#start();
		return this.summary;
	}

	on(type: string, listener: (event: never) => void): () => void {
		const entry = { type, listener };
		this.#listeners.add(entry);
		return () => this.#listeners.delete(entry);
	}

	stats(): Stats {
		if (this.#run !== undefined) return this.#run.stats();
		const { outcomes } = new Meter(0);
		const nothing = { done: 0, pending: this.#seeds.length, inFlight: 0, requests: 0, bytes: 0, milliseconds: 0 };
		return { mode: 'new', outcomes, ...nothing, pagesPerSecond: 0, hosts: [] };
	}

	async *[Symbol.asyncIterator](): AsyncIterator<Result> {
		const withChunks = await chunkerFor(this.#settings.chunks);
		this.#start();
		try {
			for (let result = await this.#output.take(); result !== undefined; result = await this.#output.take())
				yield withChunks(result);
			await this.summary;
		} finally {
			// The consumer has had enough: what is in flight is finished and saved.
			this.#output.discard();
			this.#halt();
			await this.summary.catch(() => {});
		}
	}

	#start(): void {
		if (this.#started) return;
		this.#started = true;
		void this.#execute().then(this.#end.resolve, this.#end.reject);
	}

	/** Ends what runs, and lets nothing follow. */
	#halt(): void {
		this.#stop.abort();
		this.#run?.stop();
	}

	async #execute(): Promise<Summary> {
		const { signal } = this.#options;
		const stop = () => this.#halt();
		signal?.addEventListener('abort', stop, { once: true });
		if (signal?.aborted) this.#stop.abort();
		const parts: RunParts = {
			seeds: this.#seeds,
			options: this.#options,
			settings: this.#settings,
			output: this.#output,
			emit: (event: CrawlEvent) => this.#emit(event),
			...this.#tools,
		};
		const onStart = (run: Running) => {
			this.#run = run;
			if (this.#stop.signal.aborted) run.stop();
		};
		try {
			const { every } = this.#settings;
			const { store } = this.#options;
			const places = typeof store === 'string' ? placesOf(store) : [];
			if (places.length > 1) return await executeGroup(parts, places, onStart);
			return await withWatching(parts, this.#stop.signal, (watched) =>
				every === undefined ? Run.execute(watched, onStart) : runCycles(watched, every, this.#stop.signal, onStart),
			);
		} catch (error) {
			if (!(error instanceof DatabaseError)) throw error;
			throw new CrawlError('store-failed', `the store: ${error.message}`, { cause: error });
		} finally {
			signal?.removeEventListener('abort', stop);
			this.#output.close();
		}
	}

	#emit(event: CrawlEvent): void {
		for (const { type, listener } of this.#listeners) if (type === '*' || type === event.type) listener(event as never);
	}
}
