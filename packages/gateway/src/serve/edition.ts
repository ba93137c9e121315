import type { Agent, HostPolicies } from '@wayleave/protocols/policy';
import { LRUCache } from 'lru-cache';
import { type AgentTerms, prepareAgentTerms } from './agent-terms.ts';

/** The policy of a site as it stood for some time: the texts that were served, and what they mean. */
export interface Edition {
	/** Made of the texts: the same texts are the same version. */
	readonly version: string;
	/** Since when it is served; milliseconds since 1970. */
	readonly since: number;
	readonly robots: string;
	readonly robots2: string;
	readonly policies: HostPolicies;
	/** The policies for one agent, prepared once. */
	for(agent: Agent): AgentTerms;
}

export interface EditionTexts {
	readonly version: string;
	readonly since: number;
	readonly robots: string;
	readonly robots2: string;
}

/** Names and categories come from headers: what is prepared for them is bounded. */
const maxPrepared = 2000;

export function createEdition(texts: EditionTexts, policies: HostPolicies): Edition {
	const prepared = new LRUCache<string, AgentTerms>({ max: maxPrepared });
	// The same object comes for each request that makes the same claim.
	const byObject = new WeakMap<Agent, AgentTerms>();
	const prepare = (agent: Agent): AgentTerms => {
		const key = `${agent.token}\n${agent.name ?? ''}\n${(agent.categories ?? []).join()}`;
		const known = prepared.get(key);
		if (known !== undefined) return known;
		const made = prepareAgentTerms(policies, agent);
		prepared.set(key, made);
		return made;
	};
	return {
		...texts,
		policies,
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
