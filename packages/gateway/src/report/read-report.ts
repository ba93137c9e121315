import type { LedgerDb } from '../ledger/schema.ts';
import { type BrokenRule, brokenRulesOf } from './broken-rules.ts';
import { type Overview, overviewOf } from './overview.ts';
import { type PathCount, pathsOf } from './paths.ts';
import type { Period } from './period.ts';
import { type Violation, violationsOf } from './violations.ts';

/** The report on the agents of a site in a period. */
export interface Report extends Omit<Overview, 'observing'> {
	/** Counts of each day, or of longer pieces where the period has more than 92 days. */
	readonly slices: Overview['slices'];
	readonly rules: readonly BrokenRule[];
	readonly paths: { readonly fetched: readonly PathCount[]; readonly denied: readonly PathCount[] };
	/** The latest first. */
	readonly violations: readonly Violation[];
}

const day = 86_400_000;
const maxSlices = 92;

/**
 * Reads the report from a ledger.
 *
 * @param agent only the violations of this agent are listed; the figures are those of all agents
 * @param limit violations that are listed, at most
 */
export async function readReport(
	db: LedgerDb,
	site: string,
	period: Period,
	{ agent, limit }: { readonly agent?: string | undefined; readonly limit?: number } = {},
): Promise<Report> {
	const slices = Math.min(maxSlices, Math.max(1, Math.ceil((period.until - period.since) / day)));
	const query = { db, period, filter: {} };
	const [overview, rules, paths, violations] = await Promise.all([
		overviewOf(query, { site, observing: false }, slices),
		brokenRulesOf(query),
		pathsOf(query),
		violationsOf(db, period, agent, limit),
	]);
	const { observing: _, ...figures } = overview;
	return { ...figures, rules, paths, violations };
}
