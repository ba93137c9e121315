import { withoutNulls } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { changeRate, type History } from '../../model/revisit.ts';
import { unchangedRate } from './rows.ts';

/** The columns of `url` that `toHistory` reads. */
export const historyColumns = [
	...(['visits', 'changes', 'span', 'seen_at', 'changed_at', 'recheck_at', 'hinted_at'] as const),
];

type HistoryRow = Readonly<Record<(typeof historyColumns)[number], number | null>>;

export const toHistory = (row: HistoryRow): History => ({
	visits: row.visits ?? 0,
	changes: row.changes ?? 0,
	span: row.span ?? 0,
	checkedAt: row.seen_at ?? 0,
	nextAt: row.recheck_at ?? 0,
	...withoutNulls({ changedAt: row.changed_at, hintedAt: row.hinted_at }),
});

/** A history as values of the JSON of a row, by names that `historyAssignments` reads. A zero is kept as null. */
export const historyValues = (history: History) => ({
	v: history.visits || undefined,
	h: history.changes || undefined,
	p: history.span || undefined,
	f: history.changes === 0 ? undefined : changeRate(history) + unchangedRate,
	l: history.checkedAt,
	m: history.changedAt,
	q: history.nextAt,
	b: history.hintedAt,
});

const assignment = (column: string, name: string, type: string) => `${column} = case when row.value->>'q' is null
	then url.${column} else cast(row.value->>'${name}' as ${type}) end`;

/** For an update of `url` from rows of JSON: takes over the history of a row that has one. */
export const historyAssignments = sql.raw(
	[
		assignment('visits', 'v', 'double precision'),
		assignment('changes', 'h', 'double precision'),
		assignment('span', 'p', 'double precision'),
		assignment('rate', 'f', 'double precision'),
		assignment('seen_at', 'l', 'bigint'),
		assignment('changed_at', 'm', 'bigint'),
		assignment('recheck_at', 'q', 'bigint'),
		assignment('hinted_at', 'b', 'bigint'),
	].join(', '),
);
