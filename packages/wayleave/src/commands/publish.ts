import { Command } from 'commander';
import type { CommandFactory } from '../command.ts';
import type { ConfigFlags } from '../options/policy-file.ts';

const work = () => import('../actions/publish.ts');

export interface PublishFlags extends ConfigFlags {
	out?: string;
	published?: string;
	tags?: boolean;
	som: boolean;
	markdown: boolean;
	manifest: boolean;
	cleanUrls?: boolean;
	gateway?: boolean;
	replace?: boolean;
	readAll?: boolean;
	json?: boolean;
}

export const publishCommand: CommandFactory = (terminal, done) =>
	new Command('publish')
		.argument('<DIR>', 'the folder as it is served')
		.option('--origin <URL>', 'where it is served, such as https://example.com (default: as in the policy file)')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml, where there is one)')
		.option('-o, --out <DIR>', 'put the finished site there and leave DIR as it is')
		.option('--tags', 'put tags into the pages, for hosts whose headers cannot be set')
		.option('--no-som', 'no SOM files beside the pages')
		.option('--no-markdown', 'no Markdown files beside the pages')
		.option('--no-manifest', 'no manifest of what changed')
		.option('--clean-urls', 'pages are requested without .html')
		.option('--gateway', 'a gateway answers in front of the files: announce its endpoints')
		.option('--published <FILE>', 'the manifest that the site serves now, where the state of its revisions was lost')
		.option('--replace', 'write over policy files that others have written')
		.option('--read-all', 'read every page, also where size and time are as before')
		.option('--json', 'the result as one object')
		.action(async (folder: string, flags: PublishFlags) =>
			done(await (await work()).runPublish(folder, flags, terminal)),
		);
