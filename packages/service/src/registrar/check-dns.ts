import { createResolver, type Resolution, type Resolver } from '@wayleave/io/dns';
import { publicResolvers } from '../defaults/index.ts';
import { proofOf, provenToken } from './token.ts';

/** A resolver and its name in reports. */
export interface NamedResolver {
	readonly name: string;
	readonly resolver: Pick<Resolver, 'resolveTxt'>;
}

/** Result of a DNS check, and the resolvers that gave it. */
export interface DnsCheck {
	readonly method: 'dns';
	/** Name of the record. */
	readonly record: string;
	readonly verified: boolean;
	/** The token that was found. */
	readonly token?: string;
	/** Resolvers that gave the value. */
	readonly agreed: readonly string[];
	/** Resolvers that answered without it, with what they gave. */
	readonly differed: readonly { readonly resolver: string; readonly found: readonly string[] }[];
	/** Resolvers that did not answer. */
	readonly failed: readonly { readonly resolver: string; readonly reason: string }[];
}

/** Records that a check reports; an owner has a handful. */
const maxRecords = 16;

/** @param servers addresses, with a port where it is not 53 */
export function namedResolvers(servers: readonly string[] = publicResolvers, timeout = 5000): NamedResolver[] {
	return servers.map((name) => ({ name, resolver: createResolver({ servers: [name], timeout }) }));
}

/** Name of the record of a domain (AIWebIndex §5.1). */
export const recordName = (domain: string): string => `_aiwebindex-verify.${domain}`;

/** Asks all resolvers at once; one that gives the exact value is enough. */
export async function checkDns(
	domain: string,
	tokens: readonly string[],
	resolvers: readonly NamedResolver[],
): Promise<DnsCheck> {
	const record = recordName(domain);
	const answers = await Promise.all(
		resolvers.map(async ({ name, resolver }) => ({ name, answer: await resolver.resolveTxt(record) })),
	);
	const agreed: string[] = [];
	const differed: DnsCheck['differed'][number][] = [];
	const failed: DnsCheck['failed'][number][] = [];
	let token: string | undefined;
	for (const { name, answer } of answers) {
		const records = recordsOf(answer);
		const proven = records && provenToken(records, tokens);
		if (records === undefined) failed.push({ resolver: name, reason: reasonOf(answer) });
		else if (proven === undefined) differed.push({ resolver: name, found: records.slice(0, maxRecords) });
		else agreed.push(name);
		token ??= proven;
	}
	return { method: 'dns', record, verified: token !== undefined, ...(token && { token }), agreed, differed, failed };
}

/** Undefined where a resolver could not say; a name without a record is an answer. */
function recordsOf(answer: Resolution<string>): readonly string[] | undefined {
	if (answer.ok) return answer.records;
	return answer.reason === 'not-found' || answer.reason === 'no-data' ? [] : undefined;
}

const reasonOf = (answer: Resolution<string>): string => (answer.ok ? '' : `${answer.reason} (${answer.detail})`);

/** The record or file that the owner has to publish. */
export function dnsInstruction(domain: string, token: string): { name: string; type: 'TXT'; value: string } {
	return { name: recordName(domain), type: 'TXT', value: proofOf(token) };
}
