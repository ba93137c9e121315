import { Command } from 'commander';
import type { CommandFactory } from '../../terminal/command.ts';
import type { PublishFlags } from './flags.ts';

const work = () => import('./run.ts');

export const publishCommand: CommandFactory = (terminal, done) =>
	new Command('publish')
		.argument('<DIR>', 'the folder as it is served')
		.option('--origin <URL>', 'where the folder is served, such as https://example.com (default: from the policy file)')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml, where there is one)')
		.option(
			'-o, --out <DIR>',
			'write the finished site to this folder, or s3://BUCKET/PREFIX, and leave the first as it is',
		)
		.option('--tags', 'add tags to the pages, for hosts where you cannot set headers')
		.option('--no-som', 'write no SOM files')
		.option('--no-markdown', 'write no Markdown files')
		.option('--no-manifest', 'write no manifest')
		.option('--clean-urls', 'the host serves pages without .html')
		.option('--gateway', 'announce the endpoints of a gateway in front of the files')
		.option('--published <FILE>', 'the manifest that the site serves now, if the state of its revisions was lost')
		.option('--replace', 'overwrite policy files that Wayleave did not write')
		.option('--read-all', 'read every page, even if its size and time are unchanged')
		.option('--json', 'the result as one object')
		.action(async (folder: string, flags: PublishFlags) =>
			done(await (await work()).runPublish(folder, flags, terminal)),
		);
