import type { Clock } from '../../base/clock.ts';
import type { ChangeRecords } from './changes.ts';
import type { Batch, Committed } from './commit.ts';
import type { Frontier, RunRequest, RunState } from './frontier.ts';
import type { Leases } from './leases.ts';
import type { Outputs } from './outputs.ts';
import type { Pages } from './pages.ts';
import type { PolicyCache } from './policies.ts';
import type { StoreReader } from './reader.ts';
import type { Watch } from './watch.ts';

/**
 * Keeps the state of a crawl: the frontier, the pages, the policy files, the positions of the sinks.
 *
 * The unit of work is the host: the worker that holds it may visit its URLs, and its clock (`nextAt`) goes with it. All
 * changes of one visit are committed in one transaction, so that a crash loses no result that was reported and repeats
 * none.
 */
export interface Store extends StoreReader {
	readonly frontier: Frontier;
	readonly pages: Pages;
	readonly policies: PolicyCache;
	readonly changes: ChangeRecords;
	readonly leases: Leases;
	/** Absent in a store that keeps no versions of pages: then a crawl cannot watch. */
	readonly watch?: Watch;
	/** Starts a run or resumes the one that was interrupted, and queues the seeds. */
	begin(request: RunRequest): Promise<RunState>;
	/** Writes all changes of visits, and the positions of the sinks: all of it or nothing. */
	commit(batch: Batch): Promise<Committed>;
	/** For rolling files; a store of your own may lack it. */
	readonly outputs?: Outputs;
	/** The place of the documents, if it is not the database. */
	readonly documents?: { readonly place: string; readonly remembered: boolean };
	/** Marks the run as complete or interrupted, and gives back hosts that are still held. */
	end(complete: boolean, at: number): Promise<void>;
}

/** How a store is opened. Times are milliseconds. */
export interface StoreOptions {
	readonly clock?: Clock;
	/** The hosts of a worker that was not heard of for so long are others' then, and go on. Default 20,000. */
	readonly lease?: number;
	/** How long to wait for a database server that is away. Default 600,000. */
	readonly patience?: number;
	/**
	 * Where new documents are kept, if not in the database: `s3://BUCKET/PREFIX` or `file:FOLDER`. The store remembers it.
	 * Default: the remembered place.
	 */
	readonly documents?: string;
	/** Told when the server goes away, when it is back, and how far an upgrade of the store is. */
	readonly onTrouble?: (trouble: StoreTrouble) => void;
}

/** Events about the server of a store. */
export interface StoreTrouble {
	/** `lost`: it cannot be reached, and is tried again and again; `back`: it can; `upgrade`: of its tables. */
	readonly state: 'lost' | 'back' | 'upgrade';
	readonly detail: string;
}
