import { sql } from 'kysely';
import type { Entry } from './entry.ts';

/** Lengths of time for which the ledger keeps counts, in milliseconds. */
export const countLengths = [3_600_000, 86_400_000] as const;

/** The members of the key that come from the entry. */
const keyColumns = ['agent', 'outcome', 'purpose', 'categories', 'action', 'status'] as const;

/**
 * What is counted of the requests with the same key in the same hour or day: each by one entry, and by SQL for a ledger
 * that has entries already. Both must say the same.
 */
const measures = {
	requests: { of: () => 1, sql: 'count(*)' },
	observed: { of: ({ would }) => Number(would !== null), sql: 'count(would)' },
	violations: { of: ({ violation }) => violation, sql: 'sum(violation)' },
	bytes: { of: ({ bytes }) => bytes, sql: 'sum(bytes)' },
	bytes_saved: { of: ({ bytesSaved }) => bytesSaved, sql: 'sum(bytes_saved)' },
	tokens_saved: { of: ({ tokensSaved }) => tokensSaved, sql: 'sum(tokens_saved)' },
	pages: {
		of: ({ action, status }) => Number(['pass', 'represent', 'som'].includes(action) && status < 400),
		sql: "count(*) filter (where action in ('pass', 'represent', 'som') and status < 400)",
	},
	policy_reads: {
		of: ({ action, path }) => Number(action === 'file' && (path === '/robots.txt' || path === '/robots2.txt')),
		sql: "count(*) filter (where action = 'file' and path in ('/robots.txt', '/robots2.txt'))",
	},
	manifest_reads: {
		of: ({ action, path }) => Number(action === 'file' && path === '/.well-known/pagedigest.json'),
		sql: "count(*) filter (where action = 'file' and path = '/.well-known/pagedigest.json')",
	},
	disallowed: {
		of: ({ violation, reason }) => Number(violation === 1 && reason === 'not-permitted'),
		sql: "count(*) filter (where violation = 1 and reason = 'not-permitted')",
	},
	unasked: {
		of: ({ violation, reason }) => Number(violation === 1 && reason === 'ask-first'),
		sql: "count(*) filter (where violation = 1 and reason = 'ask-first')",
	},
	honeypots: {
		of: ({ violation, would, action }) => Number(violation === 1 && (would ?? action) === 'honeypot'),
		sql: "count(*) filter (where violation = 1 and coalesce(would, action) = 'honeypot')",
	},
	asks: { of: ({ asked }) => Number(asked !== null), sql: 'count(asked)' },
	early: { of: ({ early }) => early, sql: 'sum(early)' },
	excused: { of: ({ excuse }) => Number(excuse !== null), sql: 'count(excuse)' },
} as const satisfies Record<string, { of: (entry: Entry) => number; sql: string }>;

export type Measure = keyof typeof measures;
const measureNames = Object.keys(measures) as Measure[];

/** Counts of the requests of an hour or a day that have the same key. */
export type CountRow = {
	/** Milliseconds: one of `countLengths`. */
	length: number;
	/** When the hour or day begins (UTC); milliseconds since 1970. */
	at: number;
	/** Empty for clients without a name. */
	agent: string;
	outcome: Entry['outcome'];
	purpose: Entry['purpose'];
	categories: string;
	/** The action taken or, with --observe, the one that would have been taken. */
	action: Entry['action'];
	status: number;
	/** Time of the latest request. */
	latest: number;
} & Record<Measure, number>;

export const countColumns = ['length', 'at', ...keyColumns, 'latest', ...measureNames] as const;
export const countKey = ['length', 'at', ...keyColumns] as const;
export const countIntegers: ReadonlySet<string> = new Set(['length', 'at', 'status', 'latest', ...measureNames]);

/** Counts what is in a ledger already. */
export const countEntries = (length: number) => sql`
	insert into gateway_count (${sql.raw(countColumns.join())})
	select ${sql.lit(length)}, (at / ${sql.lit(length)}) * ${sql.lit(length)}, coalesce(agent, ''), outcome, purpose,
		categories, coalesce(would, action), status, max(at),
		${sql.raw(measureNames.map((name) => measures[name].sql).join())}
	from gateway_request
	group by 2, 3, 4, 5, 6, 7, 8`;

/** Adds rows to those of the same key. @param greatest the function for the greater of two values */
export const addOnConflict = (greatest: 'max' | 'greatest'): string =>
	`on conflict (${countKey.join()}) do update set latest = ${greatest}(gateway_count.latest, excluded.latest), ${measureNames
		.map((name) => `${name} = gateway_count.${name} + excluded.${name}`)
		.join()}`;

/** Names of agents that one process counts apart in a day, at most: clients may claim a new one with each request. */
const maxAgents = 1000;
export const otherAgents = '(further names)';

const [hourLength, dayLength] = countLengths;

const startOf = (length: number, at: number): number => at - (at % length);

/** The length of the name parts it from the categories, which may hold any text too. */
const keyOf = (row: Pick<CountRow, (typeof countKey)[number]>): string =>
	`${row.length}\n${row.at}\n${row.outcome}\n${row.purpose}\n${row.action}\n${row.status}\n${row.agent.length}\n${row.agent}${row.categories}`;

function addRow(rows: Map<string, CountRow>, row: CountRow): void {
	const key = keyOf(row);
	const known = rows.get(key);
	if (known === undefined) {
		rows.set(key, row);
		return;
	}
	known.latest = Math.max(known.latest, row.latest);
	for (const name of measureNames) known[name] += row[name];
}

/** Counts entries before they are written. */
export class EntryCounter {
	#day = 0;
	readonly #agents = new Set<string>();

	/** The counts of these entries, in the order of their keys, so that two writers do not wait for each other. */
	count(entries: readonly Entry[]): CountRow[] {
		const hours = new Map<string, CountRow>();
		for (const entry of entries) this.#add(hours, entry);
		const days = new Map<string, CountRow>();
		for (const row of hours.values()) addRow(days, { ...row, length: dayLength, at: startOf(dayLength, row.at) });
		return [...hours, ...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
	}

	#add(rows: Map<string, CountRow>, entry: Entry): void {
		const { outcome, purpose, categories, status } = entry;
		const named = {
			agent: this.#nameOf(entry),
			outcome,
			purpose,
			categories,
			action: entry.would ?? entry.action,
			status,
		};
		const key = keyOf({ length: hourLength, at: startOf(hourLength, entry.at), ...named });
		const row = rows.get(key);
		if (row === undefined) {
			const counts = Object.fromEntries(measureNames.map((name) => [name, measures[name].of(entry)]));
			const values = counts as Record<Measure, number>;
			const at = startOf(hourLength, entry.at);
			rows.set(key, { length: hourLength, at, ...named, latest: entry.at, ...values });
			return;
		}
		row.latest = Math.max(row.latest, entry.at);
		for (const name of measureNames) row[name] += measures[name].of(entry);
	}

	#nameOf({ agent, at }: Entry): string {
		if (agent === null) return '';
		const day = Math.floor(at / countLengths[1]);
		if (day !== this.#day) this.#agents.clear();
		this.#day = day;
		if (this.#agents.has(agent)) return agent;
		if (this.#agents.size >= maxAgents) return otherAgents;
		this.#agents.add(agent);
		return agent;
	}
}
