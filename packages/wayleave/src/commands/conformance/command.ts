import { Command } from 'commander';
import type { CommandFactory } from '../../terminal/command.ts';
import type { ConformanceFlags } from './flags.ts';

const work = () => import('./run.ts');

export const conformanceCommand: CommandFactory = (terminal, done) =>
	new Command('conformance')
		.argument('[ID...]', 'requirements (R2-46), each with its tests, or drafts (R2); without ID, counts per draft')
		.option('--side <SIDE>', 'only requirements of one side: crawler, publisher, registrar, format')
		.option('--from <FILE>', 'another table, as `npm run conformance` writes it')
		.option('--json', 'the rows with their tests, one per line')
		.action(async (ids: string[], flags: ConformanceFlags) => done((await work()).runConformance(ids, flags, terminal)))
		.addHelpText(
			'after',
			`
Examples:
  wayleave conformance                  how much of each draft is shown by tests
  wayleave conformance R2 --side crawler
  wayleave conformance R2-46 AWI-27     the requirement, how it is observed, and its tests
`,
		);
