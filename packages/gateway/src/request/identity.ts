import type { Agent } from '@wayleave/protocols/policy';

/**
 * `verified`: it is who it says. `spoofed`: it is not, and that is proven. `unverified`: it could not be checked.
 * `unknown`: it claims nothing that could be checked.
 */
export type Outcome = 'verified' | 'spoofed' | 'unverified' | 'unknown';

/** The identity of a caller, and how it was checked. */
export interface Identity {
	readonly outcome: Outcome;
	/** The agent that it is, or claims to be: the name that files and reports use. Undefined for people and tools. */
	readonly name?: string;
	/** The product token that groups of robots.txt are matched against; `name` when absent. */
	readonly token?: string;
	/** Its other names: restrictions of each apply. */
	readonly otherNames?: readonly string[];
	readonly version?: string;
	/** Its roles in the words of robots2.txt. */
	readonly categories: readonly string[];
	/** The same in the words of the policies, where it is at hand. */
	readonly agent?: Agent;
	/** It fetches when a person asks it to. */
	readonly userTriggered?: boolean;
	/** An ownership check, no crawl (AIWebIndex 2.0 §5). */
	readonly verification?: boolean;
	/** Key of the client: a verified name, an IPv4 address or an IPv6 /64. */
	readonly client: string;
	/** The address of the client itself, as far as the configured proxies can be believed. */
	readonly address: string;
	/** Why the outcome is what it is: a row of `docs/explanation/identify.md`. */
	readonly reason?: string;
	/** The operator of a known agent. */
	readonly operator?: string;
	/** The address is that of a proxy which the site does not trust: it stands for all its visitors. */
	readonly sharesAddress?: boolean;
	/** Evidence, stored unchanged. */
	readonly evidence: unknown;
}

/** The identity as the policies know agents. */
export function agentOf({
	agent,
	name,
	token,
	otherNames = [],
	categories,
}: Pick<Identity, 'agent' | 'name' | 'token' | 'otherNames' | 'categories'>): Agent {
	if (agent !== undefined) return agent;
	const known = token ?? name ?? '*';
	return {
		token: known,
		...(name !== undefined && name !== known && { name }),
		...(otherNames.length > 0 && { otherNames }),
		categories,
	};
}
