import { Command } from 'commander';
import { withClientOptions } from '../../shared/options/agent.ts';
import { list } from '../../shared/options/numbers.ts';
import { readAddress } from '../../shared/options/seeds.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { CheckLiveFlags } from './flags.ts';

const work = () => import('./run.ts');

export const checkLiveCommand: CommandFactory = (terminal, done) =>
	withClientOptions(new Command('check-live'))
		.argument('<URL>', 'the site, or one of its pages')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml)')
		.option('--dir <DIR>', 'the published folder; lines in its robots.txt that are yours are not reported')
		.option('--agent <NAME>', 'also compare the verdicts for this agent (repeatable)', list)
		.option('--gateway', 'expect the endpoints of a gateway in front of the site')
		.option('--no-manifest', 'do not expect a manifest')
		.option('--som-audit', 'request restricted pages from the SOM endpoint, and list those that it serves')
		.option('--page <URL>', 'with --som-audit: a restricted page to request (repeatable)', list)
		.option('--json', 'one difference per line')
		.action(async (url: string, flags: CheckLiveFlags) =>
			done(await (await work()).runCheckLive(readAddress(url), flags, terminal)),
		);
