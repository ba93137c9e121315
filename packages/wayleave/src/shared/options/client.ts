import { resolve } from 'node:path';
import type { CommonOptions, Identity, Use } from '@wayleave/crawler';
import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { oneOf } from '@wayleave/io/messages';
import { present, textOf } from '@wayleave/protocols';
import { useNamed, uses } from '@wayleave/protocols/policy/uses';
import { parseUrl } from '@wayleave/protocols/url';
import { type Terminal, UsageError } from '../../terminal/command.ts';
import type { AgentFlags, ClientFlags } from './agent.ts';
import { type ContactFlags, contactFor, knownContact } from './contact.ts';
import { credentialsOf } from './own-sites.ts';
import { proxyOf } from './proxy.ts';
import { readFrom } from './read-named.ts';
import { readHost } from './seeds.ts';

/**
 * The same options for the crawler library. On a terminal, a person who has not given a contact yet
 * is asked.
 *
 * @param urls the addresses that were typed
 * @throws UsageError
 */
export async function agentOptions(
	flags: AgentFlags,
	urls: readonly string[],
	terminal: Terminal,
): Promise<CommonOptions> {
	const client = await clientOptions(flags, urls, terminal);
	return { ...client, ...purposeOf(flags), identity: { ...client.identity, ...roleOf(flags) } };
}

/** The part of it that does not depend on what is done with the answers. @throws UsageError */
export async function clientOptions(flags: ClientFlags, urls: readonly string[], terminal: Terminal) {
	const own = ownSitesOf(flags);
	if (flags.delay !== undefined && flags.delay < 2000) requireOwnSites('--delay below 2 seconds', urls, own);
	if (flags.pauseCap !== undefined && flags.pauseCap < 60_000)
		requireOwnSites('--pause-cap below 60 seconds', urls, own);
	const credentials = credentialsOf(flags, urls, terminal);
	const proxy = proxyOf(flags, terminal.env, true);
	const identity = identityOf(flags, terminal.cwd);
	const botUrl = await contactFor(flags, urls, own, terminal);
	return {
		...paceOf(flags),
		identity: { ...identity, ...(botUrl !== undefined && { botUrl }) },
		...present({ credentials, proxy }),
	};
}

/**
 * For a server, which asks whatever its callers name: without a contact only loopback and own sites.
 *
 * @throws UsageError
 */
export function serverOptions(flags: AgentFlags, terminal: Terminal): CommonOptions {
	const proxy = proxyOf(flags, terminal.env, false);
	const botUrl = knownContact(flags, terminal.env);
	return {
		...paceOf(flags),
		...purposeOf(flags),
		identity: { ...identityOf(flags, terminal.cwd), ...roleOf(flags), ...(botUrl !== undefined && { botUrl }) },
		...(proxy && { proxy }),
	};
}

const ownSitesOf = ({ iOwnThisSite = [] }: ContactFlags): string[] => iOwnThisSite.map(readHost);

function paceOf(flags: ClientFlags): Pick<CommonOptions, 'ownSites' | 'delay' | 'maxPause' | 'pauseCap'> {
	const { delay, maxPause, pauseCap } = flags;
	return present({ ownSites: ownSitesOf(flags), delay, maxPause, pauseCap });
}

const purposeOf = ({ use, ask }: AgentFlags): Pick<CommonOptions, 'uses' | 'ask'> => ({ uses: usesOf(use), ask });

function roleOf({ category, operatorMarket }: AgentFlags): Identity {
	return { category, ...(operatorMarket === undefined ? {} : { operatorMarket }) };
}

function identityOf(flags: ClientFlags, cwd: string): Identity {
	return { ...(flags.botName === undefined ? {} : { botName: flags.botName }), ...signingOf(flags, cwd) };
}

function signingOf({ signKey, keyDirectory }: ClientFlags, cwd: string): Identity {
	if (signKey === undefined && keyDirectory === undefined) return {};
	if (signKey === undefined || keyDirectory === undefined)
		throw new UsageError('--sign-key and --key-directory must be used together');
	return { signingKey: textOf(readFrom(resolve(cwd, signKey), `--sign-key ${signKey}`)), keyDirectory };
}

export function usesOf(names: readonly string[] | undefined): Use[] {
	return (names ?? ['read', 'store']).map((name) => {
		const use = useNamed(name);
		if (use === undefined) throw new UsageError(`--use ${name}: ${oneOf(uses, name)}`);
		return use;
	});
}

/** Lower politeness requires that the site belongs to the user, who must name each seed. */
function requireOwnSites(what: string, seeds: readonly string[], own: readonly string[]): void {
	for (const seed of seeds) {
		const host = parseUrl(seed) !== undefined ? readHost(seed) : undefined;
		if (host !== undefined && !isLoopbackName(host) && !own.includes(host)) {
			throw new UsageError(
				`${what} is allowed for loopback and your own sites only: if ${host} is yours, add --i-own-this-site ${host}`,
			);
		}
	}
}
