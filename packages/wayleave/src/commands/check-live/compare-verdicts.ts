import { askedAgent } from '@wayleave/crawler/check';
import { agentCategories, findAgentByToken } from '@wayleave/protocols/identity';
import {
	type Agent,
	type HostPolicies,
	type PageSignals,
	preparePolicies,
	type Use,
	uses,
	type Verdict,
} from '@wayleave/protocols/policy';

/** One question that gets another answer than is meant. */
export interface VerdictDifference {
	readonly agent: string;
	readonly use: Use;
	readonly path: string;
	readonly expected: Verdict;
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

/** Agents of every kind: an unknown one in each category, well-known ones, and the given ones. */
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
	expected: { readonly policies: HostPolicies; readonly page?: PageSignals },
	found: { readonly policies: HostPolicies; readonly page?: PageSignals },
	agents: readonly { readonly called: string; readonly agent: Agent }[],
	paths: readonly string[],
): VerdictDifference[] {
	return agents.flatMap(({ called, agent }) => {
		const [wanted, lives] = [preparePolicies(expected.policies, agent), preparePolicies(found.policies, agent)];
		return paths.flatMap((path) =>
			uses.flatMap((use) => {
				const url = origin + path;
				const one = wanted.decide(use, url, expected.page ? { page: expected.page } : {});
				const other = lives.decide(use, url, found.page ? { page: found.page } : {});
				return one.effect === other.effect ? [] : [{ agent: called, use, path, expected: one, found: other }];
			}),
		);
	});
}

/** How many sentences follow a difference. */
const maxSentences = 4;

/** In words, agents to whom the same happens together: `any agent, GPTBot and 3 more: train on / is meant deny, and is allow`. */
export function tellVerdicts(differences: readonly VerdictDifference[]): string[] {
	const groups = new Map<string, Set<string>>();
	for (const { agent, use, path, expected, found } of differences) {
		const what = `${use} ${path}: the policy file says ${expected.effect}, the site says ${found.effect}`;
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
