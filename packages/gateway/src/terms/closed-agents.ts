import {
	type AgentCategory,
	agentCatalogue,
	findAgentByToken,
	type KnownAgent,
	knownAgents,
} from '@wayleave/protocols/identity';
import type { Config } from '../config/schema.ts';

/** Roles that fetch a page without needing what it says (robots2 §5 gives monitoring `crawl: yes, read: no`). */
const withoutReading: ReadonlySet<string> = new Set(['monitoring', 'search-indexer']);

/** Whether a fetch by an agent of these roles is for no more than looking. */
export function looksOnly(categories: readonly string[]): boolean {
	return categories.length > 0 && categories.every((category) => withoutReading.has(category));
}

/** Known agents to which the whole site is closed because of what they are for. */
export interface ClosedAgents {
	readonly agents: readonly KnownAgent[];
	/** Whether it is closed to the agent of this name. */
	has(name: string): boolean;
}

/**
 * The agents that get 403 by their category: robots.txt lists each by name, since it knows no categories. An agent
 * without one is held to the policy for everybody, and `ask` closes nothing.
 */
export function closedAgents(config: Pick<Config, 'policy' | 'categories' | 'identity'>): ClosedAgents {
	const described = config.identity.agents;
	const isClosed = (categories: readonly AgentCategory[]): boolean => {
		const use = looksOnly(categories) ? 'crawl' : 'read';
		return categories.some((category) => {
			const { crawl = config.policy.crawl, read = config.policy.read } = config.categories[category] ?? {};
			return crawl === 'no' || (use === 'read' && read === 'no');
		});
	};
	const categoriesOf = (name: string): AgentCategory[] => {
		const same = described.filter((agent) => nameOf(agent).toLowerCase() === name.toLowerCase());
		const known = agentCatalogue.find(name) ?? findAgentByToken(name);
		return [...same, ...(known === undefined ? [] : [known])].flatMap(({ category }) => category ?? []);
	};
	const has = (name: string) => isClosed(categoriesOf(name));
	return { agents: [...described, ...knownAgents].filter((agent) => has(nameOf(agent))), has };
}

function nameOf({ name, token }: KnownAgent): string {
	return name ?? token;
}
