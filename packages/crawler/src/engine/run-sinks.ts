import { CrawlError } from '../base/errors.ts';
import type { CrawlOptions } from '../config/options.ts';
import type { Result } from '../model/result.ts';
import { isRollingSink, type Sink } from '../sinks/types.ts';
import { sinkWork } from '../sinks/write-to-sinks.ts';
import type { RunState } from '../store/roles/frontier.ts';
import type { Store } from '../store/roles/store.ts';
import type { Committer } from './committer.ts';
import type { Roller } from './roller.ts';
import { writeWhole } from './write-whole.ts';

/** Among the positions of the sinks: up to where URLs without a visit have been told. */
const unvisitedMark = 'outcomes';

interface Parts {
	readonly options: Pick<CrawlOptions, 'store' | 'sinks' | 'refresh' | 'everyOutcome'>;
	readonly store: Store;
	readonly state: RunState;
	readonly committer: Committer;
	readonly roller: Roller;
}

/** The sinks of one run, from what earlier runs have left in them to their end. */
export class RunSinks {
	readonly #parts: Parts;
	/** Those that are written while the run goes on. */
	readonly #streamed: readonly Sink[];
	/** Those that are written as a whole when it is complete. */
	readonly #whole: readonly Sink[];

	constructor(parts: Parts) {
		const { sinks = [] } = parts.options;
		this.#parts = parts;
		this.#streamed = sinks.filter(({ whole }) => !whole);
		this.#whole = sinks.filter(({ whole }) => whole);
	}

	/**
	 * Begins them, or goes on where they are, with what they have missed.
	 *
	 * @throws CrawlError `sink-failed`
	 */
	async open(): Promise<void> {
		const { state, committer } = this.#parts;
		await this.#refuseUnshared();
		const unclaimed = await this.#unclaimed();
		const positions = await this.#positions();
		const lost = this.#streamed.filter(({ name }) => state.positions.get(name) && !positions.has(name));
		const begun = new Map([...unclaimed, ...lost].map(({ name }) => [name, '']));
		if (begun.size > 0) await committer.note(begun);
		for (const sink of this.#streamed)
			await sinkWork(sink, async () => sink.open(positions.get(sink.name), await this.#replaces(sink)));
		await this.#catchUp(this.#streamed.filter(({ name }) => !positions.has(name)));
		this.#parts.roller.begin();
	}

	/**
	 * Gives the outcomes of what ended without a visit: what was only counted, and what was put off with its host, with its
	 * last known document.
	 *
	 * @param documents only what has one
	 * @returns what was given, and is committed, a few at a time
	 */
	async *emitUnvisited(documents: boolean): AsyncIterable<readonly Result[]> {
		const { store, state, committer } = this.#parts;
		let after = this.#emittedUpTo;
		for (;;) {
			const { results, last } = await store.frontier.unvisited(after, { thisRun: state.mode !== 'refresh', documents });
			if (last === undefined) return;
			after = last;
			await committer.emit(results, new Map([[unvisitedMark, String(after)]]));
			yield results;
		}
	}

	/**
	 * Nothing is written to them any more, but to those that are written as a whole.
	 *
	 * @param complete whether everything was
	 * @throws CrawlError `sink-failed`: then the run has not come to its end either
	 */
	async close(complete: boolean): Promise<void> {
		await this.#parts.roller.finish();
		if (complete) for (const sink of this.#streamed) await sinkWork(sink, async () => sink.complete?.());
		for (const sink of this.#streamed) await sinkWork(sink, () => sink.close());
	}

	/** After an error, of which they are not to tell another one. */
	async drop(): Promise<void> {
		await this.#parts.roller.stop();
		for (const sink of this.#streamed) await sinkWork(sink, () => sink.close()).catch(() => {});
	}

	/** Gives those that are written as a whole everything that the store holds. */
	async writeWhole(): Promise<void> {
		for (const sink of this.#whole) await writeWhole(sink, this.#parts.store.pages);
	}

	get #emittedUpTo(): number {
		return Number(this.#parts.state.positions.get(unvisitedMark) ?? 0);
	}

	/** Whether there is something that stays in its place until the run is complete. */
	async #replaces(sink: Sink): Promise<boolean> {
		const { state, options } = this.#parts;
		const beginsAnew = state.mode === 'refresh' || options.refresh === true;
		return beginsAnew && (await sink.holds?.()) !== false;
	}

	/** The committed positions of the sinks. Sinks that were removed since, or start over, have none. */
	async #positions(): Promise<Map<string, string>> {
		const { state, store } = this.#parts;
		const positions = new Map<string, string>();
		for (const sink of this.#streamed) {
			const position = state.positions.get(sink.name);
			if (!position) continue;
			// With several workers, no single worker can emit again what all have emitted.
			const isLost = !store.leases.shared && (await sink.holds?.()) === false;
			if (!isLost) positions.set(sink.name, position);
		}
		return positions;
	}

	/**
	 * Files that no run with this store has written yet. From now on they are known as its own, before there is anything
	 * in them: what a run leaves that is killed before its first commit is no reason to refuse the next one.
	 *
	 * @throws CrawlError `sink-failed` when there is something in one of them, which would be lost
	 */
	async #unclaimed(): Promise<Sink[]> {
		const { store = 'memory', refresh } = this.#parts.options;
		// A store in memory knows of no earlier run: with it the same script overwrites the same file each time.
		const { positions } = this.#parts.state;
		const rolling = this.#streamed.filter(isRollingSink).filter(({ name }) => !positions.has(name));
		for (const sink of rolling)
			if ((await sink.isTaken()) && !(await this.#isWrittenByOthers(sink)))
				throw new CrawlError(
					'sink-failed',
					`${sink.name.replace('rolling ', '')} has files that were not written with this store: choose another folder, or delete them`,
				);
		if (store === 'memory') return rolling;
		const all = [...this.#streamed, ...this.#whole];
		const unclaimed = all.filter((sink) => sink.overwrites && !positions.has(sink.name));
		for (const sink of refresh ? [] : unclaimed)
			if (await sink.holds?.())
				throw new CrawlError(
					'sink-failed',
					`${sink.name} exists, but was not written with this store: choose another file, move this one away, or overwrite it with --refresh`,
				);
		return [...rolling, ...unclaimed];
	}

	/** Whether another worker has begun it since this one read the positions. */
	async #isWrittenByOthers({ name }: Sink): Promise<boolean> {
		return (await this.#parts.store.outputs?.sinks())?.includes(name) === true;
	}

	/** Workers of one run write the same rolling files: the pages of one that does not would be in none. */
	async #refuseUnshared(): Promise<void> {
		const { store, state, options } = this.#parts;
		if (!store.leases.shared) return;
		const own = this.#streamed.filter(isRollingSink).map(({ name }) => name);
		if (own.length > 0 && options.everyOutcome)
			throw new CrawlError(
				'bad-option',
				'with a shared store, rolling files have pages only: each worker would write the other outcomes (--outcomes) again',
			);
		const others = state.workers > 0 ? ((await store.outputs?.sinks()) ?? []) : [];
		const missing = others.find((name) => !own.includes(name));
		if (missing !== undefined)
			throw new CrawlError('bad-option', `other workers write ${missing.replace('rolling ', '')}: pass the same --out`);
	}

	/** A run that goes on may have got sinks that it did not begin with; what others write, they have. */
	async #catchUp(sinks: readonly Sink[]): Promise<void> {
		const { state, store, options, committer } = this.#parts;
		if (state.mode === 'new' || store.leases.shared) return;
		const outcomes = options.everyOutcome === true;
		const which = { otherRuns: state.mode === 'resume', upTo: this.#emittedUpTo, outcomes };
		for (const sink of sinks)
			if (sink.persistent && !sink.archive) await committer.catchUp(sink, () => store.pages.emitted(which));
	}
}
