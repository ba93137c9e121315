import type { Kysely } from 'kysely';
import type { Gateway } from '../engine/gateway.ts';
import type { LedgerSchema } from '../ledger/schema.ts';
import { brokenRulesOf } from '../report/broken-rules.ts';
import { type Overview, overviewOf } from '../report/overview.ts';
import { pathsOf } from '../report/paths.ts';
import { requestsOf } from '../report/violations.ts';
import type { RunningGateway } from '../running/open-gateway.ts';
import type { DashboardSource } from './dashboard.ts';
import { healthOf } from './health.ts';

/** Overviews kept, of different periods and filters. */
const maxKept = 32;

export interface LedgerSourceOptions {
	readonly db: Kysely<LedgerSchema>;
	/** The gateway of the moment. */
	gateway(): Gateway;
	/** The running gateway, for `health`. */
	readonly running?: Pick<RunningGateway, 'site' | 'lists'>;
	readonly observing?: boolean;
	/** Milliseconds for which an overview is shown again; many may look at once. Default 2000. */
	readonly freshness?: number;
	readonly now?: () => number;
}

/** The figures of a gateway at work. */
export function ledgerSource(options: LedgerSourceOptions): DashboardSource {
	const { db, gateway, running, observing = false, freshness = 2000, now = Date.now } = options;
	const kept = new Map<string, { readonly until: number; readonly overview: Promise<Overview> }>();
	return {
		overview(period, filter) {
			const key = JSON.stringify([period.until - period.since, filter]);
			const known = kept.get(key);
			if (known !== undefined && known.until > now()) return known.overview;
			if (kept.size >= maxKept) kept.clear();
			const about = { site: gateway().config.origin, observing };
			const overview = overviewOf(db, period, about, undefined, filter);
			kept.set(key, { until: now() + freshness, overview });
			overview.catch(() => kept.delete(key));
			return overview;
		},
		requests: (period, filter, limit) => requestsOf(db, period, filter, limit),
		rules: (period, filter) => brokenRulesOf(db, period, filter),
		paths: (period, filter) => pathsOf(db, period, filter),
		...(running !== undefined && { health: () => healthOf(running) }),
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
