import { fileTypeNames } from '@wayleave/protocols/file-types';
import { Command, Option } from 'commander';
import { withAgentOptions } from '../../shared/options/agent.ts';
import { chunksOption } from '../../shared/options/chunks.ts';
import { favorOption } from '../../shared/options/favor.ts';
import { fieldsOption } from '../../shared/options/fields-option.ts';
import { withRenderOptions } from '../../shared/options/render.ts';
import { documentFormats } from '../../shared/output/formats.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { FetchFlags } from './flags.ts';

const work = () => import('./run.ts');

export const fetchCommand: CommandFactory = (terminal, done) => {
	const command = new Command('fetch')
		.argument('<URL>', 'the page')
		.addOption(new Option('--format <FORMAT>', 'what to print').choices(documentFormats).default('json'))
		.addOption(favorOption())
		.addOption(chunksOption())
		.addOption(fieldsOption())
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
  wayleave fetch https://example.com/ --store sqlite:./pages.db    (requests again only pages that may have changed)

${fileTypeNames()} files are read, too, where the package @wayleave/files is installed.`;
