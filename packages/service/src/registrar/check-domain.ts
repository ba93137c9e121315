import { present } from '@wayleave/protocols';
import { checkDns, type DnsCheck, type NamedResolver } from './check-dns.ts';
import { type CheckFileOptions, checkFile, type FileCheck } from './check-file.ts';

export interface CheckDomainOptions extends CheckFileOptions {
	/** At least three, of different operators. */
	readonly resolvers: readonly NamedResolver[];
}

/** Results of both ways to verify a domain. */
export interface DomainCheck {
	readonly domain: string;
	readonly verified: boolean;
	/** Without a proof: whether a source denied it, or none could be reached. */
	readonly conclusive: boolean;
	readonly token?: string;
	readonly dns: DnsCheck;
	readonly file: FileCheck;
}

/** Looks for the proof of a domain by both methods at once; one of them is enough (AIWebIndex §5). */
export async function checkDomain(
	domain: string,
	tokens: readonly string[],
	options: CheckDomainOptions,
): Promise<DomainCheck> {
	const [dns, file] = await Promise.all([
		checkDns(domain, tokens, options.resolvers),
		checkFile(domain, tokens, options),
	]);
	const token = dns.token ?? file.token;
	return present({
		domain,
		verified: token !== undefined,
		conclusive: isConclusive(dns, file),
		token,
		dns,
		file,
	});
}

/** Failures of resolvers or of the server say nothing about the owner. */
function isConclusive(dns: DnsCheck, file: FileCheck): boolean {
	if (dns.verified || file.verified) return true;
	const dnsSpoke = dns.differed.length > 0;
	const serverFails = (file.hops.at(-1)?.status ?? 0) >= 500;
	const fileSpoke = file.fault !== 'fetch-failed' && file.fault !== 'busy' && !serverFails;
	return dnsSpoke && fileSpoke;
}
