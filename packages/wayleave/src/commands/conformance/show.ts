import { quantity } from '@wayleave/protocols/text';
import { type ConformanceRow, type ConformanceTable, draftOf } from './table.ts';

const states = ['shown', 'failing', 'skipped', 'listed', 'open'] as const;

/** How many rows of each draft are shown by tests, and how many are not. */
export function showCounts(rows: readonly ConformanceRow[], { tested, tests, run }: ConformanceTable): string {
	const lines = [...new Set(rows.map(({ id }) => draftOf(id)))].map((draft) => {
		const own = rows.filter(({ id }) => draftOf(id) === draft);
		const counts = states.flatMap((state) => {
			const count = own.filter((row) => row.state === state).length;
			return count > 0 || state === 'shown' ? `${String(count).padStart(4)} ${state}` : [];
		});
		return `${draft.padEnd(5)}${counts.join('')}  ${(own[0]?.source ?? '').replace(/ §.*/, '')}\n`;
	});
	if (run.files === 0) {
		const listed = rows.filter(({ state }) => state === 'listed').length;
		return `${lines.join('')}${listed} of ${quantity(rows.length, 'requirement')} have tests, listed at ${tested}; no test was run\n`;
	}
	const shown = rows.filter(({ state }) => state === 'shown').length;
	return `${lines.join('')}${shown} of ${quantity(rows.length, 'requirement')} shown, by the ${quantity(tests, 'test')} run at ${tested}\n`;
}

/** A line for each row. */
export function showRows(rows: readonly ConformanceRow[]): string {
	return rows
		.map(({ id, state, level, requirement }) => `${id.padEnd(8)}${state.padEnd(9)}${level.padEnd(11)}${requirement}\n`)
		.join('');
}

/** The whole of a row: what is asked, how that is seen from outside, and the tests that see it. */
export function showWhole({ id, source, level, side, requirement, observe, state, tests }: ConformanceRow): string {
	const shownBy = tests.map(({ file, title, state: result }) => `  ${result} ${file}\n    ${title}\n`);
	return `${id}  ${source}, ${level}, ${side}: ${state}\n  ${requirement}\n  seen by: ${observe}\n${shownBy.join('')}`;
}

/** Warns that only a part of the tests ran: other rows are missing, not open. */
export function partialRun({ run }: Pick<ConformanceTable, 'run'>): string | undefined {
	if (run.files === 0)
		return 'this table was made without a test run: run `npm test` and then `npm run conformance` in a checkout to see results';
	const parts = [
		...(run.files < run.of ? [`${run.files} of ${quantity(run.of, 'test file')}`] : []),
		...(run.named === undefined ? [] : [`the tests called ${run.named}`]),
	];
	if (parts.length === 0) return undefined;
	return `only ${parts.join(', and of those ')} were run: run \`npm test\` and then \`npm run conformance\` to see all results`;
}
