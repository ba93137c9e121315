import type { Evidence } from '@wayleave/protocols';
import type { Summary, SummaryRow } from '../../model/events.ts';

type Reported = 'pending' | 'seeds' | 'sitemaps' | 'duplicates' | 'learned' | 'paused';

export interface Tally extends Required<Pick<Summary, Reported>> {
	readonly rows: readonly TallyRow[];
	/** Causes of failures and deferrals, most frequent first; rare ones may be missing. */
	readonly causes: readonly TallyCause[];
}

export interface TallyCause extends Pick<SummaryRow, 'outcome' | 'reason' | 'count'> {
	readonly detail: string;
	/** The first URL that it happened to. */
	readonly example: string;
}

export interface TallyRow extends Pick<SummaryRow, 'outcome' | 'reason' | 'count'> {
	readonly evidence?: readonly Evidence[];
	/** The first and the last URL that ended so. */
	readonly examples: readonly string[];
}
