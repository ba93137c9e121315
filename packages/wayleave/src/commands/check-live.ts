import { Command } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type ClientFlags, withClientOptions } from '../options/agent.ts';
import { list } from '../options/numbers.ts';
import { readAddress } from '../options/seeds.ts';

const work = () => import('../actions/check-live.ts');

export interface CheckLiveFlags extends ClientFlags {
	config?: string;
	dir?: string;
	agent?: string[];
	gateway?: boolean;
	manifest: boolean;
	somAudit?: boolean;
	page?: string[];
	json?: boolean;
}

export const checkLiveCommand: CommandFactory = (terminal, done) =>
	withClientOptions(new Command('check-live'))
		.argument('<URL>', 'the site, or a page of it to look at')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml)')
		.option('--dir <DIR>', 'the folder that was published: its robots.txt has the lines of the site itself')
		.option('--agent <NAME>', 'agents to answer for beside those that the files name (repeatable)', list)
		.option('--gateway', 'a gateway answers in front of the site: its endpoints are meant to be announced')
		.option('--no-manifest', 'no manifest is meant to be there')
		.option('--som-audit', 'ask the SOM endpoint for restricted pages, and list those that it gives out')
		.option('--page <URL>', 'with --som-audit: a page that is restricted (repeatable)', list)
		.option('--json', 'one difference a line')
		.action(async (url: string, flags: CheckLiveFlags) =>
			done(await (await work()).runCheckLive(readAddress(url), flags, terminal)),
		);
