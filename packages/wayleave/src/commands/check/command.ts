import { uses } from '@wayleave/protocols/policy/uses';
import { Command } from 'commander';
import { withClientOptions } from '../../shared/options/agent.ts';
import { list } from '../../shared/options/numbers.ts';
import { readAddress } from '../../shared/options/seeds.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { CheckFlags } from './flags.ts';

const work = () => import('./run.ts');

export const checkCommand: CommandFactory = (terminal, done) =>
	withClientOptions(new Command('check'))
		.argument('<URL>', 'the page')
		.option('--agent <NAME>', 'product token of the agent (default: our own, AIWebIndex)')
		.option(
			'--category <CAT>',
			'its categories in robots2.txt, separated by commas (default: from the catalogue of agents)',
			list,
		)
		.option('--use <USE>', `${uses.join(', ')}, or all`, list)
		.option('--operator-market <MARKET>', 'the market of its operator, for sites that forbid competing uses')
		.option('--robots <FILE>', 'a robots.txt on disk: no network')
		.option('--robots2 <FILE>', 'a robots2.txt on disk: no network')
		.option('--no-page', 'do not fetch the page for its own headers and meta tags')
		.option('--json', 'one verdict per line')
		.action(async (url: string, flags: CheckFlags) =>
			done(await (await work()).runCheck(readAddress(url), flags, terminal)),
		);
