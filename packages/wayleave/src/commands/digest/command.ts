import { parseUrl } from '@wayleave/protocols/url';
import { Command, InvalidArgumentError } from 'commander';
import type { CommandFactory, Terminal } from '../../terminal/command.ts';
import type { BuildFlags } from './flags.ts';

const work = () => import('./run.ts');

type Done = (exitCode: number) => void;

export const digestCommand: CommandFactory = (terminal, done) =>
	new Command('digest')
		.addCommand(buildCommand(terminal, done))
		.addCommand(diffCommand(terminal, done))
		.addCommand(auditCommand(terminal, done));

function buildCommand(terminal: Terminal, done: Done): Command {
	return new Command('build')
		.description('Build the manifest of a folder of served files; revisions never decrease.')
		.argument('<DIR>', 'the folder as it is served')
		.requiredOption('--origin <URL>', 'where the folder is served, such as https://example.com', origin)
		.requiredOption('--state <FILE>', 'where revisions are kept; keep this file from one build to the next')
		.option('--published <FILE>', 'the manifest that the site serves now (default: the file at --out)')
		.option('-o, --out <FILE>', 'where to write the manifest (default: DIR/.well-known/pagedigest.json); - is stdout')
		.option('--prefix <PATH>', 'list only pages under this path (repeatable; default: the whole site)', prefix)
		.option('--clean-urls', 'the host serves pages without .html')
		.option('--json', 'the result as one object')
		.action(async (folder: string, flags: BuildFlags) => done((await work()).build(folder, flags, terminal)));
}

function origin(text: string): string {
	const url = parseUrl(text);
	if (url === undefined || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('not an http or https URL.');
	return url.origin;
}

function prefix(text: string, previous: string[] = []): string[] {
	if (!text.startsWith('/')) throw new InvalidArgumentError('a path begins with /.');
	return [...previous, text];
}

function diffCommand(terminal: Terminal, done: Done): Command {
	return new Command('diff')
		.description('Show what a crawler that has the first manifest would do with the second.')
		.argument('<OLD>', 'the manifest before')
		.argument('<NEW>', 'the manifest after')
		.option('--json', 'one object per change or problem')
		.action(async (before: string, after: string, flags: { json?: boolean }) =>
			done((await work()).diff(before, after, flags, terminal)),
		);
}

function auditCommand(terminal: Terminal, done: Done): Command {
	return new Command('audit')
		.description('Check the digests of a manifest against the files that are served.')
		.argument('<MANIFEST>', 'the manifest')
		.argument('<DIR>', 'the folder as it is served')
		.option('--json', 'one object per URL')
		.action(async (name: string, folder: string, flags: { json?: boolean }) =>
			done((await work()).audit(name, folder, flags, terminal)),
		);
}
