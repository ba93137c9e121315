import type { Agent, HostPolicies } from '@wayleave/protocols/policy';
import { foldPolicies } from '@wayleave/protocols/url';
import { LRUCache } from 'lru-cache';
import { type AgentTerms, prepareAgentTerms } from './agent-terms.ts';
import { termsKeyOf } from './same-terms.ts';

/** The texts of a policy as they were served for some time. */
export interface PolicyTexts {
	/** Made of the texts: the same texts are the same version. */
	readonly version: string;
	/** Since when it is served; milliseconds since 1970. */
	readonly since: number;
	readonly robots: string;
	/** Empty where none is published. */
	readonly robots2: string;
}

/** The policy of a site: the texts that were served, and what they mean. */
export interface PolicyVersion extends PolicyTexts {
	readonly policies: HostPolicies;
	/** The policies for one agent, prepared once. */
	for(agent: Agent): AgentTerms;
	/** The same for addresses that `foldAddress` has folded; undefined where folding changes no rule. */
	folded(ignoreCase: boolean): PolicyVersion | undefined;
}

/** Names and categories come from headers: what is prepared for those that the files mention is bounded too. */
const maxPrepared = 500;

export function createPolicyVersion(
	texts: PolicyTexts,
	policies: HostPolicies,
	prepareFor: typeof prepareAgentTerms = prepareAgentTerms,
): PolicyVersion {
	const keyOf = termsKeyOf(policies);
	const prepared = new LRUCache<string, AgentTerms>({ max: maxPrepared });
	// The same object comes for each request that makes the same claim.
	const byObject = new WeakMap<Agent, AgentTerms>();
	const prepare = (asked: Agent): AgentTerms => {
		const { key, agent } = keyOf(asked);
		const known = prepared.get(key);
		if (known !== undefined) return known;
		const made = prepareFor(policies, agent);
		prepared.set(key, made);
		return made;
	};
	const folded = new Map<boolean, PolicyVersion | undefined>();
	return {
		...texts,
		policies,
		folded(ignoreCase) {
			if (!folded.has(ignoreCase)) {
				const other = foldPolicies(policies, ignoreCase);
				folded.set(ignoreCase, other && createPolicyVersion(texts, other, prepareFor));
			}
			return folded.get(ignoreCase);
		},
		for(agent) {
			let known = byObject.get(agent);
			if (known === undefined) {
				known = prepare(agent);
				byObject.set(agent, known);
			}
			return known;
		},
	};
}
