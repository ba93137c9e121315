import { present } from '@wayleave/protocols';
import type { RunMode, Summary, SummaryRow } from '../model/events.ts';
import { type Outcome, outcomes } from '../model/outcome.ts';
import type { Tally, TallyRow } from '../store/roles/tally.ts';
import type { Meter } from './meter.ts';

interface RunFacts {
	readonly mode: RunMode;
	readonly complete: boolean;
	readonly meter: Meter;
	readonly now: number;
}

/** The table at the end. */
export function summarise(tally: Tally, { mode, complete, meter, now }: RunFacts): Summary {
	const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
	for (const { outcome, count } of tally.rows) totals[outcome] += count;
	const [bare, outdated, crowded] = [meter.bare.reported, meter.outdated.reported, meter.crowded.reported];
	const routes = meter.routes.reported;
	return {
		mode,
		complete,
		rows: toRows(tally),
		totals,
		pending: tally.pending,
		seeds: tally.seeds,
		sitemaps: tally.sitemaps,
		...(tally.duplicates.pages > 0 && { duplicates: tally.duplicates }),
		...(tally.learned.length > 0 && { learned: tally.learned }),
		...((tally.paused.hosts.length > 0 || tally.paused.urls !== undefined) && { paused: tally.paused }),
		...present({ bare, routes, outdated }),
		...(crowded && { crowded: { ...crowded, links: meter.linksLeft } }),
		requests: meter.requests,
		responses: meter.responses,
		bytes: meter.bytes,
		milliseconds: now - meter.startedAt,
	};
}

/** One row for each outcome and reason, in the order of the outcomes, the most frequent first. */
function toRows({ rows, causes }: Tally): SummaryRow[] {
	const groups = new Map<string, TallyRow[]>();
	for (const row of rows) {
		const key = `${row.outcome} ${row.reason}`;
		groups.set(key, [...(groups.get(key) ?? []), row]);
	}
	const merged = [...groups.values()].flatMap(([first, ...others]) => (first ? merge(first, others, causes) : []));
	return outcomes.flatMap((outcome) =>
		merged.filter((row) => row.outcome === outcome).sort((a, b) => b.count - a.count),
	);
}

/** Causes that a row names. */
const maxCauses = 3;

function merge(first: TallyRow, others: readonly TallyRow[], causes: Tally['causes']): SummaryRow {
	const group = [first, ...others];
	const { outcome, reason } = first;
	const because = group.flatMap(({ evidence, count, examples }) => {
		const [deciding] = evidence ?? [];
		return deciding === undefined ? [] : [{ evidence: deciding, count, example: examples[0] ?? '' }];
	});
	const own = causes.filter((cause) => cause.outcome === outcome && cause.reason === reason).slice(0, maxCauses);
	return {
		outcome,
		count: group.reduce((sum, { count }) => sum + count, 0),
		examples: group.flatMap(({ examples }) => examples).slice(0, 3),
		...(reason && { reason }),
		...(because.length > 0 && { because }),
		...(own.length > 0 && { causes: own.map(({ detail, count, example }) => ({ detail, count, example })) }),
	};
}
