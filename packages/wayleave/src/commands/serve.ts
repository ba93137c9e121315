import { Command } from 'commander';
import { type CommandFactory, exitCodes, type Terminal, UsageError } from '../command.ts';
import { readListenAddress, showAddress } from '../options/addresses.ts';
import { type AgentFlags, agentOptions, withAgentOptions } from '../options/agent.ts';
import { list, seconds, wholeNumber } from '../options/numbers.ts';
import { storeUrl } from '../options/store.ts';
import { ListenError, type Listening, listen } from '../server/listen.ts';
import { createLog, type Log } from '../server/log.ts';
import { openService, type Service } from '../server/service.ts';

interface ServeFlags extends AgentFlags {
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
	contact?: string;
	resolver?: string[];
	grace: number;
	json?: boolean;
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
		.option('--contact <ADDRESS>', 'how the operator is reached: a mail address or a page')
		.option(
			'--resolver <ADDRESS>',
			'DNS servers asked for proofs of domains (repeatable; default three public ones)',
			list,
		)
		.option('--no-economics', 'leave the token counts out')
		.option('--grace <SECONDS>', 'what is in flight may take so long at the end', seconds, 10_000)
		.option('--json', 'a line of JSON on stderr for each request, and for what goes wrong');
	withAgentOptions(command);
	command.addHelpText('after', examples);
	return command.action(async (flags: ServeFlags) => done(await runServe(flags, terminal)));
};

const examples = `
Examples:
  wayleave serve --open
  curl -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}' http://127.0.0.1:8700/v1/aidocument

  wayleave keys create --name "Ada" --store sqlite:./wayleave.db
  wayleave serve --listen :8700 --public-url https://index.example --store sqlite:./wayleave.db

SIGTERM and Ctrl-C end what is in flight, then stop. docs/service.md has the whole of it.`;

async function runServe(flags: ServeFlags, terminal: Terminal): Promise<number> {
	const { host, port } = readListenAddress(flags.listen, '--listen');
	const log = createLog((line) => terminal.err(`${line}\n`));
	const quiet: Log = { ...log, info: () => {} };
	const service = await openService(optionsOf(flags, terminal), { log: flags.json ? log : quiet });
	let listening: Listening;
	try {
		listening = await listen(service, port, host);
	} catch (error) {
		await service.close();
		if (error instanceof ListenError) throw new UsageError(error.message);
		throw error;
	}
	await welcome(service, listening, flags, terminal);
	await interrupted(terminal);
	terminal.err('ending what is in flight\n');
	await listening.close(flags.grace);
	return exitCodes.ok;
}

function optionsOf(flags: ServeFlags, terminal: Terminal) {
	if (flags.delay !== undefined && flags.delay < 2000 && flags.iOwnThisSite === undefined)
		throw new UsageError('--delay below 2 seconds is for own sites: name them with --i-own-this-site');
	if (flags.publicUrl !== undefined && !/^https?:\/\/[^\s?#]+$/.test(flags.publicUrl))
		throw new UsageError(`--public-url ${flags.publicUrl} is not an http(s) address`);
	return {
		store: storeUrl(flags.store, terminal.cwd),
		open: flags.open === true,
		...(flags.publicUrl !== undefined && { publicUrl: flags.publicUrl }),
		...(flags.maxAge !== undefined && { maxAge: flags.maxAge }),
		...(flags.timeLimit !== undefined && { timeLimit: flags.timeLimit }),
		...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
		...(flags.egress !== undefined && { egress: flags.egress }),
		...(flags.operator !== undefined && { operator: flags.operator }),
		...(flags.contact !== undefined && { contact: flags.contact }),
		...(flags.resolver !== undefined && { resolvers: flags.resolver }),
		fetching: {
			// Whoever runs an index for others has no own sites among the seeds: there are none.
			...agentOptions(flags, [], terminal.cwd),
			privateHosts: (flags.allowPrivate ?? []).map((name) => name.toLowerCase()),
			economics: flags.economics,
		},
	};
}

async function welcome({ keys, config }: Service, listening: Listening, flags: ServeFlags, terminal: Terminal) {
	terminal.err(`serving at http://${showAddress(listening.address)} (documents: POST /v1/aidocument)\n`);
	if (config.open) terminal.err('open: nobody needs a key\n');
	else if ((await keys.list()).every(({ revokedAt }) => revokedAt !== undefined))
		terminal.err(`there is no key yet: wayleave keys create --name NAME --store ${flags.store}\n`);
}

/** Resolves at the first Ctrl-C; the next one ends the process at once. */
function interrupted(terminal: Terminal): Promise<void> {
	return new Promise((stop) => {
		const ignore = terminal.onInterrupt(() => {
			ignore();
			stop();
		});
	});
}
