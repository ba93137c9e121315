import type { ConformanceRow, ConformanceTable } from '../packages/wayleave/src/commands/conformance/table.ts';

/** A row of `requirements.tsv`. */
export type Requirement = Omit<ConformanceRow, 'state' | 'tests'>;

/** A test as the results reporter writes it. */
export type TestRow = ConformanceRow['tests'][number];

/** What the results reporter writes. */
export interface TestResults {
	readonly run: ConformanceTable['run'];
	readonly tests: readonly TestRow[];
}

export interface Joined {
	rows: ConformanceRow[];
	/** Ids in test titles that look like ours and are in no row. */
	strangers: { id: string; title: string }[];
}

export function readRequirements(tsv: string): Requirement[] {
	const [head, ...lines] = tsv.trimEnd().split('\n');
	if (head !== 'id\tsource\tlevel\tside\trequirement\tobserve') throw new Error('requirements.tsv has another header');
	return lines.map((line, index) => {
		const cells = line.split('\t');
		if (cells.length !== 6) throw new Error(`requirements.tsv:${index + 2}: ${cells.length} cells, expected 6`);
		const [id, source, level, side, requirement, observe] = cells as [string, string, string, string, string, string];
		return { id, source, level, side, requirement, observe };
	});
}

const idPattern = /\b(AWI|JAF|PD|R2|REP|SOM|SOMD)-\d+\b/g;

/** The requirement ids in a test title; `JAF-14…18` or `REP-02..05` name the rows between as well. */
export function idsIn(title: string): string[] {
	const found: string[] = [...(title.match(idPattern) ?? [])];
	for (const [, prefix, from, to] of title.matchAll(/\b([A-Z]+\d?)-(\d+)(?:…|\.\.)(?:\1-)?(\d+)\b/g)) {
		for (let n = Number(from) + 1; n <= Number(to); n++) found.push(`${prefix}-${String(n).padStart(2, '0')}`);
	}
	return [...new Set(found)];
}

export function join(requirements: readonly Requirement[], tests: readonly TestRow[]): Joined {
	const known = new Map(requirements.map((row) => [row.id, [] as TestRow[]]));
	const strangers: Joined['strangers'] = [];
	for (const test of tests) {
		for (const id of idsIn(test.title)) {
			const list = known.get(id);
			if (list === undefined) strangers.push({ id, title: test.title });
			else list.push(test);
		}
	}
	const rows = requirements.map((row) => {
		const found = known.get(row.id) ?? [];
		return { ...row, state: stateOf(found), tests: found };
	});
	return { rows, strangers };
}

/** `skipped` = only tests that did not run carry the id; `listed` = no test at all was run. */
function stateOf(tests: readonly TestRow[]): ConformanceRow['state'] {
	if (tests.length === 0) return 'open';
	if (tests.every((test) => test.state === 'not run')) return 'listed';
	if (tests.some((test) => test.state === 'failed')) return 'failing';
	return tests.some((test) => test.state === 'passed') ? 'shown' : 'skipped';
}
