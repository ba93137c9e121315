import { Command, Option } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type FormatName, formatNames } from '../lint/recognise.ts';

const work = () => import('../actions/lint.ts');

export interface LintFlags {
	format?: FormatName;
	robots?: string;
	previous?: string;
	json?: boolean;
	sarif?: string;
}

export const lintCommand: CommandFactory = (terminal, done) =>
	new Command('lint')
		.argument('<FILE|URL...>', 'files or addresses; an address without a path stands for the policy files of the site')
		.addOption(
			new Option('--format <FORMAT>', 'what the files are, where neither name nor content tells').choices(formatNames),
		)
		.option('--robots <FILE>', 'the robots.txt beside a robots2.txt, to find contradictions')
		.option('--previous <FILE>', 'the manifest published before this one, to find revisions that fall')
		.option('--json', 'one problem per line as JSON')
		.option('--sarif <FILE>', 'write SARIF 2.1.0 for code scanning; - for stdout')
		.action(async (names: string[], flags: LintFlags) => done(await (await work()).runLint(names, flags, terminal)));
