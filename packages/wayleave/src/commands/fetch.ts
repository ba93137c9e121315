import { Command, Option } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type AgentFlags, withAgentOptions } from '../options/agent.ts';
import { type ChunkFlags, chunksOption } from '../options/chunks.ts';
import { type FavorFlags, favorOption } from '../options/favor.ts';
import { type RenderFlags, withRenderOptions } from '../options/render.ts';
import { type DocumentFormat, documentFormats } from '../output/formats.ts';

const work = () => import('../actions/fetch.ts');

export interface FetchFlags extends AgentFlags, RenderFlags, FavorFlags, ChunkFlags {
	format: DocumentFormat;
	forceRefresh?: boolean;
	store?: string;
	economics: boolean;
	json?: boolean;
}

export const fetchCommand: CommandFactory = (terminal, done) => {
	const command = new Command('fetch')
		.argument('<URL>', 'the page')
		.addOption(new Option('--format <FORMAT>', 'what to print').choices(documentFormats).default('json'))
		.addOption(favorOption())
		.addOption(chunksOption())
		.option('--force-refresh', 'request the page even if the stored copy is fresh')
		.option('--store <URL>', 'keep copies in this store and use them, such as sqlite:./pages.db (default: none)')
		.option('--no-economics', 'leave out the token counts')
		.option('--json', 'the document as JSON, and errors as JSON objects');
	withRenderOptions(command);
	withAgentOptions(command);
	command.addHelpText('after', examples);
	return command.action(async (url: string, flags: FetchFlags) =>
		done(await (await work()).runFetch(url, flags, terminal)),
	);
};

const examples = `
Examples:
  wayleave fetch https://docs.example.com/install --format markdown
  wayleave fetch https://docs.example.com/install --chunks 512    (one chunk per line, as JSON)
  wayleave fetch https://app.example.com/ --render auto
  wayleave fetch https://example.com/ --store sqlite:./pages.db    (requests again only pages that may have changed)`;
