import type { Gateway } from '../engine/gateway.ts';
import type { LedgerDb } from '../ledger/schema.ts';
import { asksOf } from '../report/asks.ts';
import { brokenRulesOf } from '../report/broken-rules.ts';
import { recentChecksOf } from '../report/checks.ts';
import { complianceOf } from '../report/compliance.ts';
import { type CountedOverview, countedOverviewOf, trafficOf } from '../report/counted.ts';
import { pathsOf } from '../report/paths.ts';
import type { Period } from '../report/period.ts';
import { referralsOf } from '../report/referrals.ts';
import { savingsOf } from '../report/savings.ts';
import { requestsOf } from '../report/violations.ts';
import type { RunningGateway } from '../running/open-gateway.ts';
import type { DashboardSource } from './dashboard.ts';
import { checkLines, healthOf } from './health.ts';
import { KeptFigures, type Question, type Read } from './kept-figures.ts';

/** Milliseconds of a period that is read again with each question, and for which figures of a longer one are kept. */
const maxShort = 2 * 86_400_000;
const longFreshness = 60_000;
/** Paths in each list of a page. */
const maxPaths = 50;

export interface LedgerSourceOptions {
	readonly db: LedgerDb;
	/** The gateway of the moment. */
	gateway(): Gateway;
	/** The running gateway, for `health`. */
	readonly running?: Pick<RunningGateway, 'site' | 'lists' | 'sharing'>;
	readonly observing?: boolean;
	/** Milliseconds for which figures are shown again; many may look at once. Default 2000. */
	readonly freshness?: number;
	readonly now?: () => number;
}

/** The figures of a gateway at work. */
export function ledgerSource(options: LedgerSourceOptions): DashboardSource {
	const { db, gateway, running, observing = false, freshness = 2000, now = Date.now } = options;
	const kept = new KeptFigures(freshness, now);
	/** Figures for which all requests of a period are read: those of many days are shown again for a minute. */
	const long = <Value>(question: Question, { since, until }: Period, read: Read<Value>, leaving?: AbortSignal) =>
		kept.of(question, read, leaving, until - since > maxShort ? longFreshness : freshness);
	/** Figures that are shown once, to all who ask while they are read. */
	const shared = <Value>(question: Question, read: Read<Value>, leaving?: AbortSignal) =>
		kept.of(question, read, leaving, 0);
	return {
		overview(frame, filter, leaving) {
			const about = { site: gateway().config.origin, observing };
			const read: Read<CountedOverview> = (signal) => countedOverviewOf(db, frame, about, filter, signal);
			return kept.of(['overview', frame, filter], read, leaving);
		},
		traffic: (frame, by, filter, leaving) =>
			kept.of(['traffic', by, frame, filter], (signal) => trafficOf(db, frame, by, filter, signal), leaving),
		agents: (period, filter, leaving) =>
			long(['agents', period, filter], period, (signal) => complianceOf({ db, period, filter, signal }), leaving),
		requests: (period, filter, limit, leaving) =>
			shared(
				['requests', period, filter, limit],
				(signal) => requestsOf({ db, period, filter, signal }, limit),
				leaving,
			),
		rules: (period, filter, leaving) =>
			shared(['rules', period, filter], (signal) => brokenRulesOf({ db, period, filter, signal }, 'last'), leaving),
		paths: (period, filter, leaving) =>
			long(['paths', period, filter], period, (signal) => pathsOf({ db, period, filter, signal }, maxPaths), leaving),
		asks: (period, filter, leaving) =>
			shared(['asks', period, filter], (signal) => asksOf({ db, period, filter, signal }), leaving),
		savings: (period, filter, leaving) =>
			long(['savings', period, filter], period, (signal) => savingsOf({ db, period, filter, signal }), leaving),
		referrals: (period, leaving) =>
			long(['referrals', period], period, (signal) => referralsOf(db, period, signal), leaving),
		async policyVersion(version) {
			const rows = db.selectFrom('gateway_policy').selectAll().where('version', '=', version);
			return rows.orderBy('since', 'desc').executeTakeFirst();
		},
		...(running !== undefined && {
			health: async () => [...healthOf(running), ...checkLines(await recentChecksOf(db))],
		}),
		policy() {
			const { policyVersion } = gateway().published();
			const past = gateway().past();
			const { version, since, robots, robots2 } = policyVersion;
			return {
				version,
				since,
				robots,
				robots2,
				past: past.map((each) => ({
					version: each.policyVersion.version,
					since: each.policyVersion.since,
					until: each.until,
				})),
			};
		},
	};
}
