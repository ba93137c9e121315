import { Command, Option } from 'commander';
import { withPackage } from '../../shared/optional-packages.ts';
import { withServerOptions } from '../../shared/options/agent.ts';
import { withAllowHost } from '../../shared/options/allow-host.ts';
import { usualGrace } from '../../shared/options/defaults.ts';
import { list, seconds, wholeNumber } from '../../shared/options/numbers.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { ServeFlags } from './flags.ts';

const work = () => withPackage('@wayleave/service', 'serve', () => import('./run.ts'));

export const serveCommand: CommandFactory = (terminal, done) => {
	const command = new Command('serve')
		.option('--store <URL>', 'where documents, keys and the queue are kept', 'sqlite:./wayleave.db')
		.option('--listen <ADDRESS:PORT>', 'address to listen on', '127.0.0.1:8700')
		.option('--open', 'require no API key; allowed on this machine only')
		.option('--public-url <URL>', 'the public URL of the service (default: responses have relative references)')
		.option(
			'--max-age <SECONDS>',
			'serve a stored copy this long without a request to its site (default 86400)',
			seconds,
		)
		.option('--time-limit <SECONDS>', 'longest wait for one document (default 120)', seconds)
		.option('--concurrency <N>', 'requests in flight to all sites together (default 64)', wholeNumber(1))
		.option('--allow-private <HOST>', 'a host that may be on a private network (repeatable)', list)
		.option(
			'--egress <RANGE>',
			'addresses that your requests come from, published so that sites can verify them (repeatable)',
			list,
		)
		.option('--operator <NAME>', 'who runs the service; shown on the page about the crawler')
		.option(
			'--resolver <ADDRESS>',
			'DNS servers to query for domain proofs (repeatable; default: three public ones)',
			list,
		)
		.option('--no-economics', 'leave out the token counts')
		.option(
			'--grace <SECONDS>',
			`how long requests in flight may take when stopping (default ${usualGrace / 1000})`,
			seconds,
		)
		.option('--json', 'print a line of JSON to stdout for each request and each error')
		.addOption(new Option('--log <FORM>', 'print the same lines to stderr').choices(['json']));
	withAllowHost(command, 'a service without keys');
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

SIGTERM and Ctrl-C finish requests in flight, then stop. docs/how-to/service.md describes the service.`;
