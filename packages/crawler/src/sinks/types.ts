import type { Result } from '../result.ts';

/** Where results go. Writes are one after the other and end before the results are committed. */
export interface Sink {
	/** Under this name the position is committed with the pages; the same sink has the same name in the next run. */
	readonly name: string;
	/** Whether it keeps what it is given: such a sink never sees content that the site does not let us store. */
	readonly persistent: boolean;
	/**
	 * Before the first write.
	 * @param position where the last committed write ended; what lies behind it is to be thrown away. Undefined: begin anew.
	 */
	open(position: string | undefined): Promise<void>;
	/** @returns the position behind these results, for the commit; undefined when the sink has none. */
	write(results: readonly Result[]): Promise<string | undefined>;
	close(): Promise<void>;
}
