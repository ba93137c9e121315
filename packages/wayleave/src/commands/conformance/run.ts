import { resolve } from 'node:path';
import { exitCodes, type Terminal } from '../../terminal/command.ts';
import type { ConformanceFlags } from './flags.ts';
import { partialRun, showCounts, showRows, showWhole } from './show.ts';
import { choose, readTable } from './table.ts';

export function runConformance(ids: readonly string[], flags: ConformanceFlags, terminal: Terminal): number {
	const { side, from, json } = flags;
	const table = readTable(from === undefined ? undefined : resolve(terminal.cwd, from));
	const names = ids.map((id) => id.toUpperCase());
	const rows = choose(table, { names, side });
	if (json) terminal.out(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
	else if (names.length > 0 && rows.every(({ id }) => names.includes(id))) terminal.out(rows.map(showWhole).join('\n'));
	else if (names.length > 0 || side !== undefined) terminal.out(showRows(rows));
	else terminal.out(showCounts(rows, table));
	const partial = partialRun(table);
	if (partial !== undefined) terminal.note(`${partial}\n`);
	return rows.every(({ state }) => state === 'shown') ? exitCodes.ok : exitCodes.found;
}
