import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommonOptions, Identity, Use } from '@wayleave/crawler';
import { isLoopbackName } from '@wayleave/io/loopback';
import { parseUrl } from '@wayleave/protocols/url';
import { type Command, Option } from 'commander';
import { UsageError } from '../command.ts';
import { list, seconds } from './numbers.ts';
import { readHost } from './seeds.ts';
import { whyUnreadable } from './why-unreadable.ts';

/** The uses that `--use` knows, in the words of robots2.txt. */
export const uses = [
	'crawl',
	'read',
	'summarise',
	'quote',
	'derivative',
	'train',
	'store',
	'compete',
	'personalise',
	'monetise',
] as const satisfies readonly Use[];

/** American spellings are understood too (AMB-40). */
const spellings: Readonly<Record<string, Use>> = {
	summarize: 'summarise',
	personalize: 'personalise',
	monetize: 'monetise',
};

export interface AgentFlags {
	category: string;
	use?: string[];
	botName?: string;
	botUrl?: string;
	operatorMarket?: string;
	signKey?: string;
	keyDirectory?: string;
	delay?: number;
	iOwnThisSite?: string[];
	maxPause?: number;
	ask: 'auto' | 'never';
}

/** Adds the options that say who asks, for what, and at which pace. */
export function withAgentOptions(command: Command): Command {
	return command
		.option('--category <CAT>', 'agent category of robots2.txt', 'ai-assistant')
		.option('--use <USES>', 'what the pages are for: read, store, summarise, train, …', list)
		.option('--bot-name <NAME>', 'name of the implementation in User-Agent and X-Agent-Identity')
		.option('--bot-url <URL>', 'the page about the crawler')
		.option('--operator-market <MARKET>', 'market of the operator, for sites that forbid competing uses')
		.option('--sign-key <FILE>', 'private Ed25519 key (PEM or JWK): every request is signed with it')
		.option('--key-directory <URL>', 'the https origin that publishes the public half (Signature-Agent)')
		.option('--delay <SECONDS>', 'pause between two requests to one host (default 2; less only on own sites)', seconds)
		.option('--i-own-this-site <HOST>', 'a host where a shorter delay is yours to choose (repeatable)', list)
		.option(
			'--max-pause <SECONDS>',
			'longest Retry-After to wait for; longer ones defer the host (default 300)',
			seconds,
		)
		.addOption(
			new Option('--ask <WHEN>', 'whether sites are asked where robots2.txt says ask')
				.choices(['auto', 'never'])
				.default('auto'),
		);
}

/**
 * What the crawler library wants to know of the same.
 *
 * @param cwd the folder that files are named from
 * @throws UsageError
 */
export function agentOptions(flags: AgentFlags, seeds: readonly string[], cwd: string): CommonOptions {
	const own = (flags.iOwnThisSite ?? []).map(readHost);
	if (flags.delay !== undefined && flags.delay < 2000) requireOwnSites(seeds, own);
	return {
		identity: { ...identityOf(flags), ...signingOf(flags, cwd) },
		uses: usesOf(flags.use),
		ownSites: own,
		ask: flags.ask,
		...(flags.delay === undefined ? {} : { delay: flags.delay }),
		...(flags.maxPause === undefined ? {} : { maxPause: flags.maxPause }),
	};
}

function identityOf(flags: AgentFlags): Identity {
	if (flags.botUrl !== undefined && !/^https?:$/.test(parseUrl(flags.botUrl)?.protocol ?? '')) {
		throw new UsageError(`--bot-url ${flags.botUrl} is not an http(s) address`);
	}
	return {
		category: flags.category,
		...(flags.botName === undefined ? {} : { botName: flags.botName }),
		...(flags.botUrl === undefined ? {} : { botUrl: flags.botUrl }),
		...(flags.operatorMarket === undefined ? {} : { operatorMarket: flags.operatorMarket }),
	};
}

function signingOf({ signKey, keyDirectory }: AgentFlags, cwd: string): Identity {
	if (signKey === undefined && keyDirectory === undefined) return {};
	if (signKey === undefined || keyDirectory === undefined)
		throw new UsageError('--sign-key and --key-directory go together');
	try {
		return { signingKey: readFileSync(resolve(cwd, signKey), 'utf8'), keyDirectory };
	} catch (error) {
		throw new UsageError(`--sign-key ${signKey}: ${whyUnreadable(error)}`);
	}
}

/**
 * AIWebIndex 2.0 §3: sites should find a page about the crawler where its User-Agent points. The one that is named
 * unless somebody says otherwise is none; on this machine nobody looks.
 */
export function missingBotPage(flags: AgentFlags, seeds: readonly string[]): string | undefined {
	if (flags.botUrl !== undefined || seeds.every((seed) => isLoopbackName(new URL(seed).hostname))) return undefined;
	return 'no --bot-url: the page about the crawler that sites are pointed to is a placeholder';
}

export function usesOf(names: readonly string[] | undefined): Use[] {
	return (names ?? ['read', 'store']).map((name) => {
		const use = spellings[name] ?? uses.find((known) => known === name);
		if (use === undefined) throw new UsageError(`--use ${name}: known uses are ${uses.join(', ')}`);
		return use;
	});
}

/** A pause below two seconds is a promise that the site is ours: it must be made for each seed by name. */
function requireOwnSites(seeds: readonly string[], own: readonly string[]): void {
	for (const seed of seeds) {
		const host = parseUrl(seed) !== undefined ? readHost(seed) : undefined;
		if (host !== undefined && !isLoopbackName(host) && !own.includes(host)) {
			throw new UsageError(
				`--delay below 2 seconds is for loopback and for own sites: if ${host} is yours, add --i-own-this-site ${host}`,
			);
		}
	}
}
