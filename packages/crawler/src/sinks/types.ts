import type { Exchange } from '../model/exchange.ts';
import type { Result } from '../model/result.ts';
import type { OutputFile, Segment } from '../store/roles/outputs.ts';

/** Receives results. Writes are sequential and end before the results are committed. */
export interface Sink {
	/** Under this name the position is committed with the pages; the same sink has the same name in the next run. */
	readonly name: string;
	/** Whether it keeps what it is given: such a sink never sees content that the site does not let us store. */
	readonly persistent: boolean;
	/** Whether it wants the requests and answers as they were, too: an archive. Default false. */
	readonly archive?: boolean;
	/**
	 * Whether it cannot be continued: then nothing is written to it while the crawl runs. When the crawl is complete it is
	 * opened, given everything that the store holds, and closed. Default false.
	 */
	readonly whole?: boolean;
	/** Whether its output still exists. If not, the sink starts over, and gets again what it had. */
	holds?(): Promise<boolean>;
	/**
	 * Whether starting over loses what it holds. The crawl then refuses to replace what no crawl with this store has
	 * written, unless a refresh is asked for. Default false.
	 */
	readonly overwrites?: boolean;
	/**
	 * Before the first write.
	 * @param position where the last committed write ended; what lies behind it is to be thrown away. Undefined: start
	 * over. A refresh starts over, except for an archive, which goes on.
	 * @param refresh whether this is one: until it is complete, what earlier runs have written may stay in its place
	 */
	open(position: string | undefined, refresh?: boolean): Promise<void>;
	/**
	 * @param exchanges for an archive: what was sent and received for these results, and for the policy files before them
	 * @returns the position behind these results, for the commit; undefined when the sink has none.
	 */
	write(results: readonly Result[], exchanges?: readonly Exchange[]): Promise<string | undefined>;
	/**
	 * Pages that the site no longer permits to keep, regardless of the outcome of their visits: what was written of them is
	 * removed.
	 */
	forget?(urls: readonly string[]): Promise<void>;
	/** The run has come to its end, and everything was written; `close` follows. */
	complete?(): Promise<void>;
	close(): Promise<void>;
	/** Instead of `close`, if a new output will not be finished: the old one stays. */
	abandon?(): Promise<void>;
}

/** A sink of files of a chosen size: what it writes is committed as segments, of which the engine makes files. */
export interface RollingSink extends Sink {
	/** Bytes of a file. */
	readonly size: number;
	/** The segments since the last call, for the commit of their results. */
	take(): Segment[];
	/** Writes a file; it is visible when it is whole. */
	writeFile(file: OutputFile): Promise<void>;
	/** Removes segments that are in a file. */
	discard(segments: readonly Segment[]): Promise<void>;
	/** Removes what killed workers have left. @param needed objects that must stay */
	collect(needed: ReadonlySet<string>): Promise<void>;
	/** Whether there are files of others in its place. */
	isTaken(): Promise<boolean>;
	/** The same for one of several databases, with names of its own: `NAME-…`. */
	ofDatabase(name: string): RollingSink;
}

export const isRollingSink = (sink: Sink): sink is RollingSink => 'writeFile' in sink;
