import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CommandFactory, exitCodes } from '../command.ts';
import { showCounts, showRows, showWhole } from '../conformance/show.ts';
import { choose, readTable } from '../conformance/table.ts';

interface ConformanceFlags {
	side?: string;
	from?: string;
	json?: boolean;
}

export const conformanceCommand: CommandFactory = (terminal, done) =>
	new Command('conformance')
		.argument('[ID...]', 'requirements (R2-46), each with its tests, or drafts (R2); none counts them')
		.option('--side <SIDE>', 'those of one side: crawler, publisher, registrar, format')
		.option('--from <FILE>', 'another table, as `npm run conformance` writes it')
		.option('--json', 'the rows with their tests, one per line')
		.action((ids: string[], { side, from, json }: ConformanceFlags) => {
			const table = readTable(from === undefined ? undefined : resolve(terminal.cwd, from));
			const names = ids.map((id) => id.toUpperCase());
			const rows = choose(table, { names, side });
			if (json) terminal.out(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
			else if (names.length > 0 && rows.every(({ id }) => names.includes(id)))
				terminal.out(rows.map(showWhole).join('\n'));
			else if (names.length > 0 || side !== undefined) terminal.out(showRows(rows));
			else terminal.out(showCounts(rows, table));
			done(rows.every(({ state }) => state === 'shown') ? exitCodes.ok : exitCodes.found);
		})
		.addHelpText(
			'after',
			`
Examples:
  wayleave conformance                  how much of each draft is shown by tests
  wayleave conformance R2 --side crawler
  wayleave conformance R2-46 AWI-27     what is asked, how it is seen, and by which tests
`,
		);
