import { agentCategories, findAgentByToken } from '@wayleave/protocols/identity';
import type { Agent, HostPolicies, PageSignals, Verdict } from '@wayleave/protocols/policy';
import { preparePolicies, type Use, uses } from '@wayleave/protocols/policy';
import { askedAgent } from '../check/agent.ts';

/** One question that gets another answer than is meant. */
export interface VerdictDifference {
	readonly agent: string;
	readonly use: Use;
	readonly path: string;
	readonly meant: Verdict;
	readonly found: Verdict;
}

/** Well-known agents beside those that the files name. */
const examples = [
	'GPTBot',
	'ClaudeBot',
	'OAI-SearchBot',
	'Googlebot',
	'Bingbot',
	'PerplexityBot',
	'ChatGPT-User',
	'CCBot',
];
/** More of either would only say the same again. */
const maxAgents = 60;
const maxPaths = 200;

/** Agents of every kind: one that nobody names in each category, well-known ones, and those that are given. */
export function sampleAgents(names: readonly string[]): { called: string; agent: Agent }[] {
	const nobody = { token: 'SomeAgent', name: 'SomeAgent' };
	const unnamed = [
		{ called: 'any agent', agent: nobody },
		...agentCategories.map((category) => ({ called: `any ${category}`, agent: { ...nobody, categories: [category] } })),
	];
	const known = new Map<string, { called: string; agent: Agent }>();
	for (const name of [...names, ...examples]) {
		if (name === '*' || known.size >= maxAgents) continue;
		const { agent, called } = askedAgent({ agent: name });
		known.set((findAgentByToken(name)?.token ?? name).toLowerCase(), { called, agent });
	}
	return [...unnamed, ...known.values()];
}

/** Paths that the patterns of rules are about. */
export function samplePaths(patterns: Iterable<string>): string[] {
	const paths = [...patterns].map((pattern) => pattern.replace(/\$$/, '').replaceAll('*', 'x'));
	return [...new Set(['/', ...paths.filter((path) => path.startsWith('/'))])].slice(0, maxPaths);
}

/** Asks both policies every question, and gives those that are answered differently. */
export function compareVerdicts(
	origin: string,
	meant: { readonly policies: HostPolicies; readonly page?: PageSignals },
	found: { readonly policies: HostPolicies; readonly page?: PageSignals },
	agents: readonly { readonly called: string; readonly agent: Agent }[],
	paths: readonly string[],
): VerdictDifference[] {
	return agents.flatMap(({ called, agent }) => {
		const [wanted, lives] = [preparePolicies(meant.policies, agent), preparePolicies(found.policies, agent)];
		return paths.flatMap((path) =>
			uses.flatMap((use) => {
				const url = origin + path;
				const one = wanted.decide(use, url, meant.page ? { page: meant.page } : {});
				const other = lives.decide(use, url, found.page ? { page: found.page } : {});
				return one.effect === other.effect ? [] : [{ agent: called, use, path, meant: one, found: other }];
			}),
		);
	});
}

/** How many sentences follow a difference. */
const maxSentences = 4;

/** In words, agents to whom the same happens together: `any agent, GPTBot and 3 more: train on / is meant deny, and is allow`. */
export function tellVerdicts(differences: readonly VerdictDifference[]): string[] {
	const groups = new Map<string, Set<string>>();
	for (const { agent, use, path, meant, found } of differences) {
		const what = `${use} ${path}: the policy file says ${meant.effect}, the site says ${found.effect}`;
		const agents = groups.get(what) ?? new Set();
		groups.set(what, agents.add(agent));
	}
	const sentences = [...groups].map(([what, agents]) => `${tellNames([...agents])}: ${what}`);
	const rest = sentences.length - maxSentences;
	return rest > 0 ? [...sentences.slice(0, maxSentences), `and ${rest} more verdicts`] : sentences;
}

function tellNames(names: readonly string[]): string {
	return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
