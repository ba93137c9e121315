import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { ServeFlags } from '../commands/serve.ts';
import { readListenAddress, showAddress } from '../options/addresses.ts';
import { agentOptions } from '../options/agent.ts';
import { usualGrace } from '../options/defaults.ts';
import { storeUrl } from '../options/store.ts';
import { ListenError, type Listening, listen } from '../server/listen.ts';
import { createLog, type Log } from '../server/log.ts';
import { openService, type Service } from '../server/service.ts';

export async function runServe(flags: ServeFlags, terminal: Terminal): Promise<number> {
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
	await listening.close(flags.grace ?? usualGrace);
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
