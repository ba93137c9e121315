import type { Exchange } from '../model/exchange.ts';
import type { Result } from '../model/result.ts';

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
