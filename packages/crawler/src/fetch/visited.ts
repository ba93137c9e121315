import type { SitemapEvent } from '../model/events.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Reason } from '../model/outcome.ts';
import type { Result } from '../model/result.ts';
import type { Visit } from '../store/roles/commit.ts';
import type { NewUrl } from '../store/roles/frontier.ts';

/** The result of one visit: changes to commit, and events to emit afterwards. */
export interface Visited {
	readonly visit: Visit;
	/** In the order in which they go to the sinks; for a sitemap there are none. */
	readonly results: readonly Result[];
	/** Whether sinks that keep what they are given may see the documents. */
	readonly keep: boolean;
	/** Where redirected seeds have led, and the scope with them. */
	readonly scopeExpansions: readonly string[];
	/** URLs that this visit holds, redirect targets among them; released once it is committed. */
	readonly claims: readonly string[];
	/** The same ending holds for everything that waits at this origin. */
	readonly everywhere?: string;
	/** Endings without a request that this visit puts in doubt. */
	readonly reopen?: readonly Reason[];
	/** How a try failed, whether or not there will be another. */
	readonly failure?: Reason;
	/** Requests and responses, for an archive. */
	readonly exchanges?: readonly Exchange[];
	/** Whether all redirects of the visit were permanent (301, 308); undefined without any. */
	readonly permanent?: boolean;
	/** Decoded bytes of the body. */
	readonly bytes?: number;
	/** Of a sitemap, what to tell of it. */
	readonly sitemap?: Omit<SitemapEvent, 'type'>;
}

/** Commits URLs found so far by a long visit. */
export type CommitFound = (found: readonly NewUrl[]) => Promise<void>;
