/** Results that were written to an object of their own, until they are in a file with others. */
export interface Segment {
	/** Name of the sink. */
	readonly sink: string;
	/** Key of the object. */
	readonly object: string;
	readonly bytes: number;
}

/** A rolling file that a worker has to write. */
export interface OutputFile {
	/** Counts the files of the store; its name has this number. */
	readonly id: number;
	/** The run of its results. */
	readonly run: number;
	/** In the order in which they were committed. */
	readonly segments: readonly Segment[];
}

/**
 * Rolling files: each commit adds the segments with its results, and each segment gets into one file. Which segments are
 * in a file is committed before the file is written, so that a file that was not finished is written again as it was.
 */
export interface Outputs {
	/**
	 * A file for this worker to write: one whose worker is gone, or a new one of segments that are in none.
	 *
	 * @param size bytes of a new file; undefined if no further results come: all that there is
	 */
	claim(sink: string, size: number, rest: boolean): Promise<OutputFile | undefined>;
	/** The file is visible as a whole. Forgets its segments. */
	finish(file: OutputFile): Promise<void>;
	/** Files that other workers are writing. */
	unfinished(sink: string): Promise<number>;
	/** The objects of segments that are needed still. */
	needed(sink: string): Promise<ReadonlySet<string>>;
	/** Sinks that have got results in this run. */
	sinks(): Promise<string[]>;
}
