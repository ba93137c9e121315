import { formatNames } from '@wayleave/protocols/lint/format-names';
import { Command, Option } from 'commander';
import { withClientOptions } from '../../shared/options/agent.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { LintFlags } from './flags.ts';

const work = () => import('./run.ts');

export const lintCommand: CommandFactory = (terminal, done) =>
	withClientOptions(new Command('lint'))
		.argument(
			'[FILE|DIR|URL...]',
			'files, - for stdin, folders, or URLs; for a URL without a path, the policy files of the site',
		)
		.addOption(
			new Option('--format <FORMAT>', 'the format of the files, if neither name nor content shows it').choices(
				formatNames,
			),
		)
		.option('--robots <FILE>', 'the robots.txt to compare a robots2.txt with')
		.option('--previous <FILE>', 'the manifest published before this one, to find revisions that fall')
		.option('--stdin-name <NAME>', 'a file name for stdin, which sets its format: robots.txt')
		.option('--json', 'one problem per line as JSON')
		.option('--sarif <FILE>', 'write SARIF 2.1.0 for code scanning; - for stdout')
		.option('--github', 'write findings as annotations of GitHub Actions')
		.option('--explain <CODE>', 'say what a code means, and where its page is')
		.addHelpText('after', examples)
		.action(async (names: string[], flags: LintFlags) => done(await (await work()).runLint(names, flags, terminal)));

const examples = `
Examples:
  wayleave lint public/
  wayleave lint robots.txt robots2.txt --json
  curl -s https://example.com/robots.txt | wayleave lint - --stdin-name robots.txt

In a folder, lint checks policy files, lists, manifests and documents. --quiet leaves out warnings.`;
