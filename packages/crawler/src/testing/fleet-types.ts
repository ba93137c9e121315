export interface WorkerOptions {
	/** Several databases are separated by commas. */
	readonly store: string;
	readonly seeds: readonly string[];
	readonly delay: number;
	readonly concurrency: number;
	readonly reader?: 'simple' | 'full';
	readonly lease?: number;
	/** Milliseconds for which it waits for a server that has gone away. */
	readonly patience?: number;
	readonly maxPages?: number;
	/** A file for the documents, where the worker is alone. */
	readonly out?: string;
	/** Rolling files, which workers write together: `s3://…/*.jsonl.gz`, `/folder/*.warc.gz`. */
	readonly rolling?: readonly string[];
	/** Bytes of each. */
	readonly roll?: number;
	/** Where documents are kept, if not in the database. */
	readonly documents?: string;
	readonly threads?: number;
	/** Default false. */
	readonly sitemaps?: boolean;
	readonly auditRate?: number;
	/** The number with which the times begin by which each answer of the store is late. */
	readonly late?: number;
}

export interface Said {
	readonly type: string;
	readonly [name: string]: unknown;
}
