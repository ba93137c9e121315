import { isRollingSink, type Sink } from '../sinks/types.ts';
import { databaseFolder } from '../store/groups/database-folder.ts';

/**
 * The sinks of a crawl with several databases: rolling files of each database, whose commits name their segments, and
 * streams that the runs of all databases write to.
 *
 * @returns for each database
 */
export function sinksOfDatabases(sinks: readonly Sink[], databases: number): (readonly Sink[])[] {
	const all = sinks.map((sink) => (isRollingSink(sink) ? sink : new SharedSink(sink, databases)));
	return Array.from({ length: databases }, (_, at) =>
		all.map((sink) => (isRollingSink(sink) ? sink.ofDatabase(databaseFolder(at)) : sink)),
	);
}

/** A sink that several runs write to: one write at a time, opened by the first run and closed by the last. */
class SharedSink implements Sink {
	readonly name: string;
	readonly persistent: boolean;
	readonly archive: boolean;
	readonly #sink: Sink;
	#users = 0;
	/** Runs that have not come to their end. */
	#unfinished: number;
	#last: Promise<unknown> = Promise.resolve();

	/** @param runs that write to it */
	constructor(sink: Sink, runs: number) {
		this.name = sink.name;
		this.persistent = sink.persistent;
		this.archive = sink.archive === true;
		this.#sink = sink;
		this.#unfinished = runs;
	}

	open(position: string | undefined, refresh?: boolean): Promise<void> {
		return this.#inTurn(async () => {
			if (this.#users++ === 0) await this.#sink.open(position, refresh);
		});
	}

	write(...given: Parameters<Sink['write']>): Promise<undefined> {
		return this.#inTurn(async () => void (await this.#sink.write(...given)) as undefined);
	}

	forget(urls: readonly string[]): Promise<void> {
		return this.#inTurn(async () => this.#sink.forget?.(urls));
	}

	complete(): Promise<void> {
		return this.#inTurn(async () => {
			if (--this.#unfinished === 0) await this.#sink.complete?.();
		});
	}

	close(): Promise<void> {
		return this.#inTurn(async () => {
			if (--this.#users > 0) return;
			await this.#sink.close();
		});
	}

	#inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
		const done = this.#last.then(work);
		this.#last = done.catch(() => {});
		return done;
	}
}
