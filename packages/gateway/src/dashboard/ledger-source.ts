import type { Kysely } from 'kysely';
import type { LedgerSchema } from '../ledger/schema.ts';
import type { RunningGateway } from '../proxy/open-gateway.ts';
import { violationsOf } from '../report/violations.ts';
import type { Gateway } from '../serve/gateway.ts';
import type { DashboardSource } from './dashboard.ts';
import { healthOf } from './health.ts';
import { type Overview, overviewOf } from './overview.ts';

export interface LedgerSourceOptions {
	readonly db: Kysely<LedgerSchema>;
	/** The gateway of the moment. */
	gateway(): Gateway;
	/** What the gateway relies on, for `health`. */
	readonly running?: Pick<RunningGateway, 'site' | 'lists'>;
	readonly observing?: boolean;
	/** Milliseconds for which an overview is shown again; many may look at once. Default 2000. */
	readonly freshness?: number;
	readonly now?: () => number;
}

/** The figures of a gateway at work. */
export function ledgerSource(options: LedgerSourceOptions): DashboardSource {
	const { db, gateway, running, observing = false, freshness = 2000, now = Date.now } = options;
	const kept = new Map<number, { readonly until: number; readonly overview: Promise<Overview> }>();
	return {
		overview(period) {
			const length = period.until - period.since;
			const known = kept.get(length);
			if (known !== undefined && known.until > now()) return known.overview;
			const overview = overviewOf(db, period, { site: gateway().config.origin, observing });
			kept.set(length, { until: now() + freshness, overview });
			overview.catch(() => kept.delete(length));
			return overview;
		},
		violations: (period, limit) => violationsOf(db, period, undefined, limit),
		...(running !== undefined && { health: () => healthOf(running) }),
		policy() {
			const { edition } = gateway().published();
			const past = gateway().past();
			const { version, since, robots, robots2 } = edition;
			return {
				version,
				since,
				robots,
				robots2,
				past: past.map((each) => ({ version: each.edition.version, since: each.edition.since, until: each.until })),
			};
		},
	};
}
