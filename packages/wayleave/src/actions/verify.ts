import { defaultBotUrl, systemClock } from '@wayleave/crawler';
import { createFetcher } from '@wayleave/io';
import { buildUserAgent } from '@wayleave/protocols/identity';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { VerifyFlags } from '../commands/verify.ts';
import { storeUrl } from '../options/store.ts';
import { dnsInstruction, namedResolvers } from '../registrar/check-dns.ts';
import { checkDomain, type DomainCheck } from '../registrar/check-domain.ts';
import { fileFaults, fileInstruction } from '../registrar/check-file.ts';
import { domainFaults, readDomain } from '../registrar/domain.ts';
import { Pace } from '../registrar/pace.ts';
import { openServiceDatabase } from '../server/database.ts';
import { Registrar } from '../server/sites/registrar.ts';
import type { Site } from '../server/sites/site.ts';

/** Owners who use the command are one: whoever has the store. */
const owner = 'cli';

export async function runVerify(text: string, flags: VerifyFlags, terminal: Terminal): Promise<number> {
	const read = readDomain(text);
	if ('fault' in read) throw new UsageError(`${text}: ${domainFaults[read.fault]}`);
	const { domain } = read;
	const stop = new AbortController();
	const fetcher = createFetcher({ userAgent: userAgentOf(flags), allowPrivate: () => false });
	const db = openServiceDatabase(storeUrl(flags.store, terminal.cwd));
	try {
		const pace = new Pace(systemClock, stop.signal);
		const options = { fetcher, turn: (host: string) => pace.turn(host), resolvers: namedResolvers(flags.resolver) };
		const registrar = await Registrar.open({
			db,
			now: () => Date.now(),
			check: (name, tokens) => checkDomain(name, tokens, options),
		});
		const known = await registrar.find(domain, owner);
		if (known === undefined || flags.new === true) {
			const issued = await registrar.register(domain, owner);
			if (flags.json) terminal.out(`${JSON.stringify(shown(issued))}\n`);
			else tellToken(issued, terminal);
			return exitCodes.found;
		}
		const site = (await registrar.check(domain, owner))!;
		if (flags.json) terminal.out(`${JSON.stringify(shown(site))}\n`);
		else tellCheck(site, terminal);
		return site.lastCheck?.verified === true ? exitCodes.ok : exitCodes.found;
	} finally {
		stop.abort();
		await fetcher.close();
		await db.destroy();
	}
}

function userAgentOf({ botUrl = defaultBotUrl }: VerifyFlags): string {
	try {
		return buildUserAgent({ botUrl, botName: 'Wayleave', verification: true });
	} catch {
		throw new UsageError(`--bot-url ${botUrl} is not an http(s) address`);
	}
}

function tellToken(site: Site, terminal: Terminal): void {
	const record = dnsInstruction(site.domain, site.token);
	const file = fileInstruction(site.domain, site.token);
	terminal.out(`Publish one of these, then run the same command again.

DNS     ${record.name}  TXT  "${record.value}"

file    ${file.url}
        with the line  ${file.line}
`);
}

function tellCheck(site: Site, terminal: Terminal): void {
	const { domain, status, lastCheck } = site;
	if (lastCheck === undefined) return;
	const word = lastCheck.verified
		? 'proven'
		: status === 'verified'
			? 'not found now; still counts as proven'
			: 'not proven';
	terminal.out(`${domain}: ${word}\n\n${linesOf(lastCheck).join('\n')}\n`);
	if (!lastCheck.verified) {
		const { publish } = shown(site);
		terminal.out(`\nWanted: ${publish.dns.name} TXT "${publish.dns.value}", or that line in ${publish.file.url}\n`);
	}
}

function linesOf({ dns, file }: DomainCheck): string[] {
	return [
		...dns.agreed.map((name) => `DNS   ${name}: the record is there`),
		...dns.differed.map(
			({ resolver, found }) =>
				`DNS   ${resolver}: ${found.length === 0 ? 'no record' : `another value: ${found.map((value) => JSON.stringify(value)).join(', ')}`}`,
		),
		...dns.failed.map(({ resolver, reason }) => `DNS   ${resolver}: no answer, ${reason}`),
		...file.hops.map(({ url, status }) => `file  ${url}: ${status ?? 'no answer'}`),
		...(file.verified ? ['file  the line is there'] : []),
		...(file.fault === undefined
			? []
			: [`file  ${fileFaults[file.fault]}${file.detail === undefined ? '' : ` (${file.detail})`}`]),
	];
}

function shown(site: Site) {
	const { domain, status, token, lastCheck } = site;
	return {
		domain,
		status,
		token,
		publish: { dns: dnsInstruction(domain, token), file: fileInstruction(domain, token) },
		...(lastCheck && { last_check: lastCheck }),
	};
}
