import type { Reason, Tally } from '@wayleave/crawler';

/** A page that ends so goes to stdout alone. */
const reasons: ReadonlySet<Reason> = new Set<Reason>(['store-no', 'store-session-only']);

export const countUnkept = (rows: Tally['rows']): number =>
	rows.reduce((sum, { reason, count }) => sum + (reason !== undefined && reasons.has(reason) ? count : 0), 0);

export const unkept = 'what a site lets nobody keep is in no file and in no store';
