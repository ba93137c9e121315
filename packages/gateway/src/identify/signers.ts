import { registrableDomain } from '@wayleave/io/dns';
import type { KnownAgent } from '@wayleave/protocols/identity';
import { parseUrl } from '@wayleave/protocols/url';
import type { Claim } from './claim.ts';

/**
 * Domains under which operators sign requests although none of their pages about crawlers is there.
 * OpenAI: https://help.openai.com/en/articles/11845367-chatgpt-agent-allowlisting
 * What signs there acts for a person, and so vouches for no crawler of the same operator.
 */
const signingDomains: Readonly<Record<string, readonly string[]>> = { OpenAI: ['chatgpt.com'] };

/**
 * Whether the signer of a request may speak for the agent that it claims to be: it signs under a domain of the
 * operator, or, for an unknown agent, under the domain of the page that it gives as its own.
 *
 * @param signer the https origin of the key directory.
 */
export function mayVouch(signer: string, { agent, name, page }: Claim): boolean {
	const domain = domainOf(signer);
	if (agent !== undefined) return domainsOf(agent).has(domain);
	return name === undefined || (page !== undefined && domainOf(page) === domain);
}

const known = new WeakMap<KnownAgent, ReadonlySet<string>>();

function domainsOf(agent: KnownAgent): ReadonlySet<string> {
	let domains = known.get(agent);
	if (domains === undefined) {
		const { source, listed, ranges, reverseDns = [], operator } = agent;
		// A public list does not belong to the operator.
		const pages = [listed === undefined ? source : undefined, ranges].filter((url) => url !== undefined);
		// A shape with a star names machines that the operator also lends to its users.
		const ends = reverseDns.filter((end) => !end.includes('*'));
		const urls = [...pages, ...ends.map((end) => `https://x${end}/`)];
		domains = new Set([...urls.map(domainOf), ...(agent.userTriggered ? (signingDomains[operator ?? ''] ?? []) : [])]);
		known.set(agent, domains);
	}
	return domains;
}

function domainOf(url: string): string {
	const parsed = parseUrl(url);
	if (parsed === undefined) return '';
	const { hostname } = parsed;
	return registrableDomain(hostname) ?? hostname;
}
