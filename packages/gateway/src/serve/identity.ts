import { findAgent, parseAgentIdentity, parseUserAgent } from '@wayleave/protocols/identity';
import type { Agent } from '@wayleave/protocols/policy';
import type { Visit } from './visit.ts';

/**
 * `verified`: it is who it says. `spoofed`: it is not, and that is proven. `unverified`: it could not be checked.
 * `unknown`: it claims nothing that could be checked.
 */
export type Outcome = 'verified' | 'spoofed' | 'unverified' | 'unknown';

/** Who calls, and how we know. */
export interface Identity {
	readonly outcome: Outcome;
	/** The agent that it is, or claims to be: the name that files and reports use. Undefined for people and tools. */
	readonly name?: string;
	/** The product token that groups of robots.txt are matched against; `name` when absent. */
	readonly token?: string;
	readonly version?: string;
	/** Its roles in the words of robots2.txt. */
	readonly categories: readonly string[];
	/** The same in the words of the policies, where it is at hand. */
	readonly agent?: Agent;
	/** It fetches when a person asks it to. */
	readonly userTriggered?: boolean;
	/** An ownership check, no crawl (AIWebIndex 2.0 §5). */
	readonly verification?: boolean;
	/** What counts as one client: a verified name, an IPv4 address, an IPv6 /64. */
	readonly client: string;
	/** The address of the client itself, as far as the configured proxies can be believed. */
	readonly address: string;
	/** What was looked at, to be stored as it is. */
	readonly evidence: unknown;
}

/** Finds out who calls. `now` answers at once where that needs nothing from outside, else gives undefined. */
export interface Identifier {
	now(visit: Visit): Identity | undefined;
	ask(visit: Visit): Promise<Identity>;
}

/** Takes every claim as what it is, a claim: nothing is looked up. For servers that cannot look anything up. */
export const claimsOnly: Identifier = {
	now: claimedIdentity,
	ask: async (visit) => claimedIdentity(visit),
};

function claimedIdentity(visit: Visit): Identity {
	const userAgent = visit.header('user-agent') ?? '';
	const ours = parseUserAgent(userAgent);
	const known = ours === undefined ? findAgent(userAgent) : undefined;
	const declared = parseAgentIdentity(visit.header('x-agent-identity') ?? '');
	const name = known?.token ?? declared?.name ?? ours?.botName ?? (ours && 'AIWebIndex');
	const categories = declared?.categories ?? (known?.category === undefined ? [] : [known.category]);
	return {
		outcome: name === undefined ? 'unknown' : 'unverified',
		...(name !== undefined && { name }),
		...(ours !== undefined && { token: 'AIWebIndex', verification: ours.verification }),
		...(declared?.version !== undefined && { version: declared.version }),
		...(known?.userTriggered && { userTriggered: true }),
		categories,
		client: visit.address,
		address: visit.address,
		evidence: { userAgent, declared: visit.header('x-agent-identity') },
	};
}

/** The identity as the policies know agents. */
export function agentOf({
	agent,
	name,
	token,
	categories,
}: Pick<Identity, 'agent' | 'name' | 'token' | 'categories'>): Agent {
	if (agent !== undefined) return agent;
	const known = token ?? name ?? '*';
	return { token: known, ...(name !== undefined && name !== known && { name }), categories };
}
