import { setTimeout as sleep } from 'node:timers/promises';
import { CrawlError } from '../base/errors.ts';
import type { Visited } from '../fetch/visited.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Result } from '../model/result.ts';
import { isRollingSink, type Sink } from '../sinks/types.ts';
import { sinkWork } from '../sinks/write-to-sinks.ts';
import type { Batch, Committed } from '../store/roles/commit.ts';
import type { HostRecord } from '../store/roles/leases.ts';
import type { Segment } from '../store/roles/outputs.ts';
import type { Store } from '../store/roles/store.ts';
import type { NewChange } from '../store/roles/watch.ts';
import type { PageWatch } from '../watch/page-watch.ts';

/** Visits that are committed together, at most. */
const largestBatch = 64;
/** Milliseconds that a commit waits for further visits at most, and after which it looks again whether it should. */
const patience = 250;
const pollInterval = 10;

interface Entry {
	readonly visited: Visited;
	readonly host: HostRecord;
	readonly resolve: (committed: OneCommitted) => void;
	readonly reject: (error: unknown) => void;
}

/** The result of committing one visit. */
export interface OneCommitted {
	readonly newLinks: number;
	/** New URLs by host, of the whole batch; on the first visit of the batch only, so that they count once. */
	readonly added: Committed['added'];
}

export interface CommitterOptions {
	readonly store: Store;
	readonly sinks: readonly Sink[];
	/** Knowledge about hosts gained since the last call. */
	readonly learned?: () => ReadonlyMap<number, string>;
	readonly onCommit: (visited: Visited, committed: OneCommitted) => void;
	/** Compares pages with what they said before. */
	readonly watch?: PageWatch;
	readonly onChanges?: (changes: readonly NewChange[]) => void;
	/** Segments of rolling files that are committed. */
	readonly onSegments?: (segments: readonly Segment[]) => void;
	/** The exchanges of policy files since it was last asked. */
	readonly policies?: () => readonly Exchange[];
	/**
	 * Whether pages wait to be read. Then no worker waits for a commit, and it may grow: most of it costs the same for
	 * ten visits as for one.
	 */
	readonly busy?: () => boolean;
}

/**
 * Stage 9: results go to the sinks, then everything that the visits changed, the positions of the sinks among it, to
 * the store in one transaction. One batch at a time, so that what lies in a file before a position is what is committed;
 * visits that end meanwhile make the next batch.
 */
export class Committer {
	readonly #options: CommitterOptions;
	readonly #entries: Entry[] = [];
	#running = false;
	#failure: { readonly error: unknown } | undefined;

	constructor(options: CommitterOptions) {
		this.#options = options;
	}

	/** Resolves when the visit is safe. */
	submit(visited: Visited, host: HostRecord): Promise<OneCommitted> {
		return new Promise((resolve, reject) => {
			this.#entries.push({ visited, host, resolve, reject });
			if (!this.#running) void this.#run();
		});
	}

	/** Commits visits that came after the last commit. */
	async flush(): Promise<void> {
		await this.#commit([]);
	}

	/** Emits results that only need their emitted marker committed. */
	async emit(results: readonly Result[], mark: ReadonlyMap<string, string>): Promise<void> {
		await this.note(new Map([...(await this.#write(() => results, [])), ...mark]));
	}

	/**
	 * Gives a sink that has just been opened what was given before it was there, if it is one that has each result once.
	 * Only then its position counts: until that is committed it is a sink that has nothing.
	 */
	async catchUp(sink: Sink, given: () => AsyncIterable<readonly Result[]>): Promise<void> {
		let position = await this.#writeTo(sink, []);
		if (position === undefined) return;
		for await (const results of given()) position = (await this.#writeTo(sink, results)) ?? position;
		await this.note(new Map([[sink.name, position]]));
	}

	/** Positions alone, and what sinks have got before. */
	async note(positions: ReadonlyMap<string, string>): Promise<void> {
		await this.#save({ visits: [], hosts: [], positions, segments: this.#segments(), scopeExpansions: [] });
	}

	#segments(): Segment[] {
		return this.#options.sinks.filter(isRollingSink).flatMap((sink) => sink.take());
	}

	async #run(): Promise<void> {
		this.#running = true;
		while (this.#entries.length > 0) {
			await this.#gather();
			const batch = this.#entries.splice(0, largestBatch);
			try {
				// A file may hold lines that were not committed; nothing may be written behind them and count as good.
				if (this.#failure !== undefined) throw this.#failure.error;
				const { newLinks, added } = await this.#commit(batch);
				for (const [at, { visited, resolve }] of batch.entries()) {
					const one = { newLinks: newLinks[at] ?? 0, added: at === 0 ? added : new Map<string, number>() };
					this.#options.onCommit(visited, one);
					resolve(one);
				}
			} catch (error) {
				this.#failure ??= { error };
				for (const { reject } of batch) reject(error);
			}
		}
		this.#running = false;
	}

	/** Waits for visits that may join the batch. */
	async #gather(): Promise<void> {
		const { busy = () => false } = this.#options;
		const until = performance.now() + patience;
		while (busy() && this.#entries.length < largestBatch && performance.now() < until) await sleep(pollInterval);
	}

	async #commit(batch: readonly Entry[]): Promise<Committed> {
		const exchanges = [
			...(this.#options.policies?.() ?? []),
			...batch.flatMap(({ visited }) => visited.exchanges ?? []),
		];
		const revokedUrls = batch.flatMap(({ visited }) => visited.visit.revokedUrls ?? []);
		if (revokedUrls.length > 0)
			for (const sink of this.#options.sinks) await sinkWork(sink, async () => sink.forget?.(revokedUrls));
		const resultsOf = (sink: Sink) => batch.flatMap(({ visited }) => resultsFor(sink, visited));
		const positions = await this.#write(resultsOf, exchanges);
		const watch =
			batch.length === 0 ? undefined : await this.#options.watch?.observe(batch.map(({ visited }) => visited));
		const committed = await this.#save({
			segments: this.#segments(),
			visits: batch.map(({ visited }) => visited.visit),
			hosts: batch.map(({ host }) => host),
			positions,
			scopeExpansions: batch.flatMap(({ visited }) => visited.scopeExpansions),
			...(this.#options.learned && { learned: this.#options.learned() }),
			...(watch && { watch }),
		});
		if (watch !== undefined && watch.changes.length > 0) this.#options.onChanges?.(watch.changes);
		return committed;
	}

	async #write(
		resultsOf: (sink: Sink) => readonly Result[],
		exchanges: readonly Exchange[],
	): Promise<Map<string, string>> {
		const positions = new Map<string, string>();
		for (const sink of this.#options.sinks) {
			const position = await this.#writeTo(sink, resultsOf(sink), sink.archive ? exchanges : []);
			if (position !== undefined) positions.set(sink.name, position);
		}
		return positions;
	}

	#writeTo(sink: Sink, results: readonly Result[], exchanges: readonly Exchange[] = []): Promise<string | undefined> {
		return sinkWork(sink, () => sink.write(results, exchanges));
	}

	async #save(batch: Batch): Promise<Committed> {
		const committed = await this.#options.store.commit(batch).catch((error: unknown) => {
			if (error instanceof CrawlError) throw error;
			throw new CrawlError('store-failed', `the store: ${(error as Error).message}`, { cause: error });
		});
		if (batch.segments !== undefined && batch.segments.length > 0) this.#options.onSegments?.(batch.segments);
		return committed;
	}
}

/** A sink that keeps what it is given does not get what must not be kept. */
function resultsFor({ persistent }: Sink, { results, keep }: Visited): readonly Result[] {
	if (keep || !persistent) return results;
	return results.map(({ document: _, page: __, policy: ___, representation: ____, ...rest }) => rest);
}
