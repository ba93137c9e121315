import { isContact } from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import { createLog, ListenError, type Listening, type Log, listen, openService, type Service } from '@wayleave/service';
import type { RouteModule } from '@wayleave/service/modules';
import { listenForInterruption } from '../../shared/interruption.ts';
import { installCommand, isMissing } from '../../shared/optional-packages.ts';
import { readListenAddress, showAddress } from '../../shared/options/addresses.ts';
import { serverOptions } from '../../shared/options/client.ts';
import { tellMissingContact } from '../../shared/options/contact.ts';
import { usualGrace } from '../../shared/options/defaults.ts';
import { storeUrl } from '../../shared/options/store.ts';
import { tellOpenFiles } from '../../shared/output/tell-open-files.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { ServeFlags } from './flags.ts';

export async function runServe(flags: ServeFlags, terminal: Terminal): Promise<number> {
	const { host, port } = readListenAddress(flags.listen, '--listen');
	const log = createLog((line) => (flags.json ? terminal.out(`${line}\n`) : terminal.err(`${line}\n`)));
	const quiet: Log = { ...log, info: () => {} };
	const options = optionsOf(flags, terminal);
	const service = await openService(options, {
		log: flags.json || flags.log === 'json' ? log : quiet,
		modules: await mcpModules(terminal),
	});
	let listening: Listening;
	const interruption = listenForInterruption(terminal);
	try {
		listening = await listen(service, port, host);
	} catch (error) {
		interruption.ignore();
		await service.close();
		if (error instanceof ListenError) throw new UsageError(error.message);
		throw error;
	}
	tellMissingContact(service.config.fetching, terminal);
	tellOpenFiles([service.config.store], terminal);
	await welcome(service, listening, flags, terminal);
	await interruption.reached;
	terminal.note('finishing requests in flight\n');
	await listening.close(flags.grace ?? usualGrace);
	return exitCodes.ok;
}

/** The MCP endpoint, if its package is installed. */
async function mcpModules(terminal: Terminal): Promise<RouteModule[]> {
	try {
		return [(await import('@wayleave/mcp/http')).mcpModule];
	} catch (error) {
		if (!isMissing(error, '@wayleave/mcp')) throw error;
		terminal.note(`no MCP tools at /mcp: run ${installCommand('serve', '@wayleave/mcp')} to add them\n`);
		return [];
	}
}

function optionsOf(flags: ServeFlags, terminal: Terminal) {
	if (flags.delay !== undefined && flags.delay < 2000 && flags.iOwnThisSite === undefined)
		throw new UsageError(
			'--delay below 2 seconds is allowed for your own sites only: name them with --i-own-this-site',
		);
	if (flags.publicUrl !== undefined && !/^https?:\/\/[^\s?#]+$/.test(flags.publicUrl))
		throw new UsageError(`--public-url ${flags.publicUrl} is not an http(s) URL`);
	const { publicUrl, maxAge, timeLimit, concurrency, egress, operator } = flags;
	const crawling = serverOptions(flags, terminal);
	const { botUrl, ...identity } = crawling.identity ?? {};
	// A service that the world knows has its own page about the crawler, which shows the contact.
	const isKnown = publicUrl !== undefined && (isContact(publicUrl) || botUrl === undefined);
	const hasOwnPage = isKnown && flags.botUrl === undefined;
	const contact = flags.contact ?? botUrl?.replace(/^mailto:/, '');
	return {
		store: storeUrl(flags.store, terminal.cwd),
		open: flags.open === true,
		...present({ publicUrl, allowHosts: flags.allowHost, maxAge, timeLimit, concurrency, egress, operator, contact }),
		...present({ resolvers: flags.resolver }),
		fetching: {
			...crawling,
			identity: hasOwnPage ? identity : { ...identity, ...(botUrl !== undefined && { botUrl }) },
			privateHosts: (flags.allowPrivate ?? []).map((name) => name.toLowerCase()),
			economics: flags.economics,
		},
	};
}

async function welcome({ keys, config }: Service, listening: Listening, flags: ServeFlags, terminal: Terminal) {
	terminal.note(`serving at http://${showAddress(listening.address)} (documents: POST /v1/aidocument)\n`);
	if (config.open) terminal.note('open: requests need no key\n');
	else if ((await keys.list()).every(({ revokedAt }) => revokedAt !== undefined))
		terminal.note(`no key exists yet: run wayleave keys create --name NAME --store ${flags.store}\n`);
}
