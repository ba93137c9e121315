import { Command, Option } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type AgentFlags, withAgentOptions } from '../options/agent.ts';
import { type FavorFlags, favorOption } from '../options/favor.ts';
import { type RenderFlags, withRenderOptions } from '../options/render.ts';

const work = () => import('../actions/fetch.ts');

export interface FetchFlags extends AgentFlags, RenderFlags, FavorFlags {
	format: 'json' | 'markdown' | 'som';
	forceRefresh?: boolean;
	store?: string;
	economics: boolean;
}

export const fetchCommand: CommandFactory = (terminal, done) => {
	const command = new Command('fetch')
		.argument('<URL>', 'the page')
		.addOption(new Option('--format <FORMAT>', 'what to print').choices(['json', 'markdown', 'som']).default('json'))
		.addOption(favorOption())
		.option('--force-refresh', 'ask the server even when a copy is stored')
		.option('--store <URL>', 'keep and use copies, such as sqlite:./pages.db (default: none)')
		.option('--no-economics', 'leave the token counts out');
	withRenderOptions(command);
	withAgentOptions(command);
	return command.action(async (url: string, flags: FetchFlags) =>
		done(await (await work()).runFetch(url, flags, terminal)),
	);
};
