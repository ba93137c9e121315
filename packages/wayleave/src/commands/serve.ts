import { Command, Option } from 'commander';
import type { CommandFactory } from '../command.ts';
import { type AgentFlags, withServerOptions } from '../options/agent.ts';
import { usualGrace } from '../options/defaults.ts';
import { list, seconds, wholeNumber } from '../options/numbers.ts';

const work = () => import('../actions/serve.ts');

export interface ServeFlags extends AgentFlags {
	store: string;
	listen: string;
	open?: boolean;
	publicUrl?: string;
	maxAge?: number;
	timeLimit?: number;
	concurrency?: number;
	allowPrivate?: string[];
	economics: boolean;
	egress?: string[];
	operator?: string;
	resolver?: string[];
	grace?: number;
	json?: boolean;
	log?: 'json';
}

export const serveCommand: CommandFactory = (terminal, done) => {
	const command = new Command('serve')
		.option('--store <URL>', 'documents, keys and what waits', 'sqlite:./wayleave.db')
		.option('--listen <ADDRESS:PORT>', 'where clients come in', '127.0.0.1:8700')
		.option('--open', 'nobody needs a key: on this machine only')
		.option('--public-url <URL>', 'the service as the world knows it (default: as a request came in)')
		.option('--max-age <SECONDS>', 'a stored copy is given for so long without asking (default 86400)', seconds)
		.option('--time-limit <SECONDS>', 'longest wait for one document (default 120)', seconds)
		.option('--concurrency <N>', 'requests in flight to all sites together (default 64)', wholeNumber(1))
		.option('--allow-private <HOST>', 'a host that may be on a private network (repeatable)', list)
		.option('--egress <RANGE>', 'addresses that requests come from, published for sites to check (repeatable)', list)
		.option('--operator <NAME>', 'who runs the service, for the page about the crawler')
		.option(
			'--resolver <ADDRESS>',
			'DNS servers asked for proofs of domains (repeatable; default three public ones)',
			list,
		)
		.option('--no-economics', 'leave the token counts out')
		.option(
			'--grace <SECONDS>',
			`what is in flight may take so long at the end (default ${usualGrace / 1000})`,
			seconds,
		)
		.option('--json', 'a line of JSON on stdout for each request, and for what goes wrong')
		.addOption(new Option('--log <FORM>', 'the same lines on stderr').choices(['json']));
	withServerOptions(command);
	command.addHelpText('after', examples);
	return command.action(async (flags: ServeFlags) => done(await (await work()).runServe(flags, terminal)));
};

const examples = `
Examples:
  wayleave serve --open
  curl -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}' http://127.0.0.1:8700/v1/aidocument

  wayleave keys create --name "Ada" --store sqlite:./wayleave.db
  wayleave serve --listen :8700 --public-url https://index.your-company.com --store sqlite:./wayleave.db

SIGTERM and Ctrl-C end what is in flight, then stop. docs/service.md has the whole of it.`;
