import { agentCategories } from '@wayleave/protocols/identity';
import type { Agent, Verdict } from '@wayleave/protocols/policy';
import type { AgentTerms } from '../policy/agent-terms.ts';
import type { PolicyVersion } from '../policy/policy-version.ts';
import type { Target } from '../request/target.ts';
import { decideReadings } from './decide.ts';

/** No site names so many agents that the first of them tell less than all. */
const maxAgents = 200;

/** Whether the SOM endpoint serves a page to at least one kind of client, so that its address may be announced. */
export type Offered = (target: Target) => boolean;

/** @param offerDisallowed the endpoint serves what robots.txt disallows as HTML. */
export function offeredBy(policyVersion: PolicyVersion, origin: string, offerDisallowed: boolean): Offered {
	let agents: readonly Agent[] | undefined;
	// `read` includes `crawl`. Pages that agents have to ask for first are offered too.
	const decideOne = (terms: AgentTerms, path: string): Verdict => {
		const url = origin + path;
		const found = offerDisallowed
			? terms.decide('read', url, { representation: 'som' })
			: terms.decideFetch('read', url);
		return found.effect === 'ask' ? { ...found, permitted: true } : found;
	};
	return (target) => {
		agents ??= kindsOf(policyVersion);
		return agents.some((agent) => decideReadings(target, policyVersion, agent, decideOne)?.permitted === true);
	};
}

/** Clients that the policy can tell apart: one that it does not name, one of each category, and each that it names. */
function kindsOf({ policies }: PolicyVersion): Agent[] {
	const unnamed = { token: 'unnamed-agent' };
	const byCategory = agentCategories.map((category) => ({ ...unnamed, categories: [category] }));
	const groups = policies.robots !== undefined && 'file' in policies.robots ? policies.robots.file.groups : [];
	const names = new Set(groups.flatMap(({ agents }) => agents.map(({ name }) => name)));
	names.delete('*');
	return [unnamed, ...byCategory, ...[...names].slice(0, maxAgents).map((token) => ({ token }))];
}
