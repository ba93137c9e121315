import type { Kysely } from 'kysely';
import type { Gateway } from '../engine/gateway.ts';
import type { LedgerSchema } from '../ledger/schema.ts';
import { asksOf } from '../report/asks.ts';
import { brokenRulesOf } from '../report/broken-rules.ts';
import { recentChecksOf } from '../report/checks.ts';
import { complianceOf } from '../report/compliance.ts';
import { countedOverviewOf, type Traffic, trafficOf } from '../report/counted.ts';
import { pathsOf } from '../report/paths.ts';
import type { Period } from '../report/period.ts';
import { referralsOf } from '../report/referrals.ts';
import { savingsOf } from '../report/savings.ts';
import { requestsOf } from '../report/violations.ts';
import type { RunningGateway } from '../running/open-gateway.ts';
import type { DashboardSource } from './dashboard.ts';
import { checkLines, healthOf } from './health.ts';

/** Figures kept, of different periods and filters. */
const maxKept = 32;
/** Milliseconds of a period that is read again with each question, and for which figures of a longer one are kept. */
const maxShort = 2 * 86_400_000;
const longFreshness = 60_000;
/** Paths in each list of a page. */
const maxPaths = 50;

export interface LedgerSourceOptions {
	readonly db: Kysely<LedgerSchema>;
	/** The gateway of the moment. */
	gateway(): Gateway;
	/** The running gateway, for `health`. */
	readonly running?: Pick<RunningGateway, 'site' | 'lists'>;
	readonly observing?: boolean;
	/** Milliseconds for which figures are shown again; many may look at once. Default 2000. */
	readonly freshness?: number;
	readonly now?: () => number;
}

/** The figures of a gateway at work. */
export function ledgerSource(options: LedgerSourceOptions): DashboardSource {
	const { db, gateway, running, observing = false, freshness = 2000, now = Date.now } = options;
	const kept = new KeptFigures(freshness, now);
	return {
		overview(frame, filter) {
			const about = { site: gateway().config.origin, observing };
			return kept.of(['overview', frame, filter], () => countedOverviewOf(db, frame, about, filter));
		},
		traffic: (frame, by, filter): Promise<Traffic> =>
			kept.of(['traffic', by, frame, filter], () => trafficOf(db, frame, by, filter)),
		agents: (period, filter) => kept.long(['agents', period, filter], period, () => complianceOf(db, period, filter)),
		requests: (period, filter, limit) => requestsOf(db, period, filter, limit),
		rules: (period, filter) => brokenRulesOf(db, period, filter, 'last'),
		paths: (period, filter) =>
			kept.long(['paths', period, filter], period, () => pathsOf(db, period, filter, maxPaths)),
		asks: (period, filter) => asksOf(db, period, filter),
		savings: (period, filter) => kept.long(['savings', period, filter], period, () => savingsOf(db, period, filter)),
		referrals: (period) => kept.long(['referrals', period], period, () => referralsOf(db, period)),
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

/** Figures that were read a moment ago: several people may look at the same ones. */
class KeptFigures {
	readonly #freshness: number;
	readonly #now: () => number;
	readonly #kept = new Map<string, { readonly until: number; readonly value: Promise<unknown> }>();

	constructor(freshness: number, now: () => number) {
		this.#freshness = freshness;
		this.#now = now;
	}

	/** Figures for which all requests of a period are read: those of many days are shown again for a minute. */
	long<Value>(question: readonly unknown[], { since, until }: Period, read: () => Promise<Value>): Promise<Value> {
		return this.of(question, read, until - since > maxShort ? longFreshness : this.#freshness);
	}

	of<Value>(question: readonly unknown[], read: () => Promise<Value>, freshness = this.#freshness): Promise<Value> {
		const key = JSON.stringify(question);
		const known = this.#kept.get(key);
		if (known !== undefined && known.until > this.#now()) return known.value as Promise<Value>;
		if (this.#kept.size >= maxKept) this.#kept.clear();
		const value = read();
		this.#kept.set(key, { until: this.#now() + freshness, value });
		value.catch(() => this.#kept.delete(key));
		return value;
	}
}
