import type { Evidence } from '@wayleave/protocols';
import type { DuplicateTally, PauseTally, SitemapTally } from '../../model/events.ts';
import type { LearnedHost } from '../../model/learned-addresses.ts';
import type { Outcome, Reason } from '../../model/outcome.ts';

export interface Tally {
	readonly pending: number;
	readonly rows: readonly TallyRow[];
	/** Causes of failures and deferrals, most frequent first; rare ones may be missing. */
	readonly causes: readonly TallyCause[];
	readonly seeds: readonly { readonly url: string; readonly outcome?: Outcome; readonly reason?: Reason }[];
	readonly sitemaps: SitemapTally;
	readonly duplicates: DuplicateTally;
	/** Learned address patterns of some hosts. */
	readonly learned: readonly LearnedHost[];
	readonly paused: PauseTally;
}

export interface TallyCause {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	readonly detail: string;
	readonly count: number;
	/** The first URL that it happened to. */
	readonly example: string;
}

export interface TallyRow {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	readonly evidence?: readonly Evidence[];
	readonly count: number;
	/** The first and the last URL that ended so. */
	readonly examples: readonly string[];
}
