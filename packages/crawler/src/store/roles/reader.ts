import type { Evidence } from '@wayleave/protocols';
import type { Capture } from '../../model/exchange.ts';
import type { Outcome, Reason } from '../../model/outcome.ts';
import type { Representation } from '../../model/representation.ts';
import type { PolicyNote } from '../../model/result.ts';
import type { ListedState } from './changes.ts';
import type { Tally } from './tally.ts';

/** All that a store knows of one URL. Times are RFC 3339. */
export interface UrlStory {
	readonly url: string;
	readonly kind: 'page' | 'sitemap';
	readonly seed: boolean;
	readonly depth: number;
	/** From the URL back to where the crawl began: what led to what. */
	readonly foundBy: readonly string[];
	/** Absent while it waits for a visit. */
	readonly outcome?: Outcome;
	readonly reason?: Reason;
	readonly detail?: string;
	readonly evidence?: readonly Evidence[];
	/** HTTP status of the last answer. */
	readonly status?: number;
	readonly redirectedTo?: string;
	/** For `alias`: the page whose other address this is. */
	readonly aliasOf?: string;
	/** When it ended as it did. */
	readonly at?: string;
	/** Visits since it was queued the last time. */
	readonly attempts: number;
	/** Not before this moment, where it waits. */
	readonly due?: string;
	readonly host?: {
		readonly name: string;
		readonly nextAt: string;
		/** Whether a crawl is visiting it. */
		readonly held: boolean;
		/** Whether a crawl that was killed visited it: the next one goes on with it. */
		readonly abandoned?: true;
		readonly waiting: number;
	};
	/** What is kept of its content. */
	readonly page?: {
		readonly fetchedAt: string;
		readonly checkedAt: string;
		readonly etag?: string;
		readonly lastModified?: string;
		/** Bytes in the store; 0 where nothing of it may be kept. */
		readonly bytes: number;
		readonly policy?: PolicyNote;
		readonly representation?: Representation;
		readonly capture?: Capture;
	};
	/** How often it was looked at and had changed, as far as that is weighed, and when the next look is due. */
	readonly revisit?: { readonly visits: number; readonly changes: number; readonly nextAt: string };
	/** The manifest of its site, as it was found at the last look. */
	readonly manifest?: {
		readonly state: string;
		readonly trust: string;
		readonly checkedAt: string;
		/** What it says of this URL; absent where it does not list it. */
		readonly entry?: {
			readonly state: ListedState;
			/** The revision that was last fetched, and the one that it names. */
			readonly rev?: number;
			readonly listedRev: number;
			readonly digest?: string;
		};
	};
	/** The files in which its site states its terms, as they were last fetched. */
	readonly policyFiles: readonly {
		readonly url: string;
		readonly status: number;
		readonly fetchedAt: string;
		readonly expiresAt: string;
		readonly unreachableSince?: string;
	}[];
}

/** What a store holds. Times are RFC 3339, sizes bytes. */
export interface StoreStatus extends Tally {
	/** The last run; absent in a store that no crawl has used. */
	readonly run?: {
		readonly mode: string;
		readonly startedAt: string;
		readonly endedAt?: string;
		/** `open` while it goes on; `killed` when it did not come to an end: the next crawl goes on with it. */
		readonly state: 'complete' | 'interrupted' | 'open' | 'killed';
	};
	/** Pages that are known, whatever became of them. */
	readonly urls: number;
	readonly hosts: number;
	/** Those with most to do, of the hosts that have URLs waiting or put off to a later run. */
	readonly waiting: readonly {
		readonly host: string;
		readonly count: number;
		/** Those that a run has put off (`deferred`); the next one tries them again. */
		readonly deferred: number;
		/** No request before this moment. */
		readonly nextAt: string;
		/** Whether a crawl is visiting it. */
		readonly held: boolean;
		/** Whether a crawl that was killed visited it: the next one goes on with it. */
		readonly abandoned?: true;
	}[];
	readonly pages: { readonly documents: number; readonly bytes: number };
	readonly policyFiles: number;
	/** Of the database, with everything in it. */
	readonly bytes: number;
}
