import { systemClock } from '@wayleave/crawler';
import { contactParts, createFetcher, type Fetcher, localBotUrl } from '@wayleave/io/http';
import { buildUserAgent } from '@wayleave/protocols/identity';
import { openServiceDatabase } from '@wayleave/service/database';
import {
	checkDomain,
	type DomainCheck,
	dnsInstruction,
	domainFaults,
	fileFaults,
	fileInstruction,
	namedResolvers,
	Pace,
	Registrar,
	readDomain,
	type Site,
} from '@wayleave/service/registrar';
import { contactFor, knownContact } from '../../shared/options/contact.ts';
import { proxyOf } from '../../shared/options/proxy.ts';
import { storeUrl } from '../../shared/options/store.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { VerifyFlags } from './flags.ts';

/** The owner id of the command: the user of the store. */
const owner = 'cli';

export async function runVerify(text: string, flags: VerifyFlags, terminal: Terminal): Promise<number> {
	const read = readDomain(text);
	if ('fault' in read) throw new UsageError(`${text}: ${domainFaults[read.fault]}`);
	const { domain } = read;
	const stop = new AbortController();
	const proxy = proxyOf(flags, terminal.env, true);
	const open = async () => {
		// A request to a site needs a contact. Without one, only DNS is used.
		const known = knownContact(flags, terminal.env) !== undefined || terminal.ask !== undefined;
		const botUrl = known ? await contactFor(flags, [`https://${domain}/`], [], terminal) : undefined;
		if (botUrl === undefined)
			terminal.err(`https://${domain}/ is not requested without --contact YOU@YOUR-DOMAIN: only the DNS is checked\n`);
		const parts = contactParts(botUrl ?? localBotUrl);
		const userAgent = buildUserAgent({ ...parts, botName: 'Wayleave', verification: true });
		const guard = botUrl === undefined ? { unintroduced: () => false } : {};
		return createFetcher({ userAgent, allowPrivate: () => false, ...guard, ...(proxy && { proxy }) });
	};
	let fetcher: Fetcher | undefined;
	const db = openServiceDatabase(storeUrl(flags.store, terminal.cwd));
	try {
		const pace = new Pace(systemClock, stop.signal);
		const turn = (host: string) => pace.turn(host);
		const resolvers = namedResolvers(flags.resolver);
		const registrar = await Registrar.open({
			db,
			now: () => Date.now(),
			check: async (name, tokens) => {
				fetcher ??= await open();
				return checkDomain(name, tokens, { fetcher, turn, resolvers });
			},
		});
		const known = await registrar.find(domain, owner);
		if (known === undefined || flags.new === true) {
			const issued = await registrar.register(domain, owner);
			if (flags.json) terminal.out(`${JSON.stringify(shown(issued))}\n`);
			else tellToken(issued, terminal);
			return exitCodes.found;
		}
		const site = (await registrar.check(domain, owner)) ?? known;
		if (flags.json) terminal.out(`${JSON.stringify(shown(site))}\n`);
		else tellCheck(site, terminal);
		if (site.lastCheck?.verified === true) return exitCodes.ok;
		return isSilent(site.lastCheck) ? exitCodes.failed : exitCodes.found;
	} finally {
		stop.abort();
		await fetcher?.close();
		await db.destroy();
	}
}

/** Whether neither a name server nor the site has answered: that is not a no. */
const isSilent = (check: DomainCheck | undefined): boolean =>
	check !== undefined &&
	check.dns.agreed.length + check.dns.differed.length === 0 &&
	check.file.hops.every(({ status }) => status === undefined);

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
			? 'not found now, but still counts as proven'
			: 'not proven';
	terminal.out(`${domain}: ${word}\n\n${linesOf(lastCheck).join('\n')}\n`);
	if (!lastCheck.verified) {
		const { publish } = shown(site);
		terminal.out(`\nWanted: ${publish.dns.name} TXT "${publish.dns.value}", or that line in ${publish.file.url}\n`);
	}
}

function linesOf({ dns, file }: DomainCheck): string[] {
	return [
		...dns.agreed.map((name) => `DNS   ${name}: the record was found`),
		...dns.differed.map(
			({ resolver, found }) =>
				`DNS   ${resolver}: ${found.length === 0 ? 'no record' : `another value: ${found.map((value) => JSON.stringify(value)).join(', ')}`}`,
		),
		...dns.failed.map(({ resolver, reason }) => `DNS   ${resolver}: no response, ${reason}`),
		...file.hops.map(({ url, status }) => `file  ${url}: ${status ?? 'no response'}`),
		...(file.verified ? ['file  the line was found'] : []),
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
