import { present } from '@wayleave/protocols';
/** The history of visits to one page. Times are milliseconds since 1970, spans milliseconds. */
export interface History {
	/** Looks that could have seen a change. */
	readonly visits: number;
	/** Those that saw one. */
	readonly changes: number;
	/** The time that these looks cover. */
	readonly span: number;
	readonly checkedAt: number;
	readonly changedAt?: number;
	/** When the next look is due. */
	readonly nextAt: number;
	/** The latest date that a sitemap or a feed gave the page. */
	readonly hintedAt?: number;
}

/** Milliseconds. */
export interface RevisitRules {
	/** To the second look at a page, and the shortest time between two. Default one day. */
	readonly first: number;
	/** The longest time between two looks. Default 30 days. */
	readonly longest: number;
}

const day = 24 * 60 * 60 * 1000;
export const defaultRevisit: RevisitRules = { first: day, longest: 30 * day };

/** Looks from which on older ones fade: a page that has changed its habits is known by the new ones soon. */
const remembered = 10;
/** The chance that the page has changed by the time of the next look. */
const wanted = 0.5;

/**
 * Changes per millisecond, for changes that come as a Poisson process and looks that see only whether there was any:
 * the estimator of Cho and Garcia-Molina ("Estimating Frequency of Change", 2003, §4.2), r = -ln((n - X + 0.5) / (n + 0.5))
 * for n looks with X changes, at n looks in `span`. It is consistent and nearly without bias from few looks on, where
 * X / n misses all changes but one between two looks, and -ln(1 - X / n) is infinite for a page that always had changed.
 */
export function changeRate({ visits, changes, span }: Pick<History, 'visits' | 'changes' | 'span'>): number {
	if (visits === 0 || span <= 0) return 0;
	return -Math.log((visits - changes + 0.5) / (visits + 0.5)) / (span / visits);
}

/** The history after one more look. */
export function afterCheck(
	before: History | undefined,
	at: number,
	changed: boolean,
	rules: RevisitRules = defaultRevisit,
): History {
	if (before === undefined) return { visits: 0, changes: 0, span: 0, checkedAt: at, nextAt: at + rules.first };
	const passed = Math.max(0, at - before.checkedAt);
	const fading = before.visits >= remembered ? 1 - 1 / remembered : 1;
	const known = {
		visits: before.visits * fading + 1,
		changes: before.changes * fading + (changed ? 1 : 0),
		span: before.span * fading + passed,
	};
	const changedAt = changed ? at : before.changedAt;
	return {
		...known,
		checkedAt: at,
		nextAt: at + timeToNext(known, passed, rules),
		...present({ changedAt, hintedAt: before.hintedAt }),
	};
}

/** At most twice the time since the last look: a page that was quiet once is not taken to be quiet for ever. */
function timeToNext(known: Pick<History, 'visits' | 'changes' | 'span'>, passed: number, rules: RevisitRules): number {
	const rate = changeRate(known);
	const estimated = rate > 0 ? -Math.log(1 - wanted) / rate : Number.POSITIVE_INFINITY;
	return Math.round(Math.max(rules.first, Math.min(estimated, 2 * Math.max(passed, rules.first), rules.longest)));
}

/** How many changes are to be expected since the last look: by this, due pages compete for a budget. */
export function urgency(history: History, now: number): number {
	// A page that never changed has a rate of 0 and must not starve: the time itself counts a little.
	return (changeRate(history) + 1 / defaultRevisit.longest) * Math.max(0, now - history.checkedAt);
}
