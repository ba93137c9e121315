import {
	AgentIndex,
	agentCatalogue,
	findAgentByToken,
	isCommonToken,
	type KnownAgent,
} from '@wayleave/protocols/identity';
import { parseRobots } from '@wayleave/protocols/robots';
import type { Config } from '../config/schema.ts';
import { agentKey, readOwnRobots } from './own-robots.ts';

/** A name by which a robots.txt calls an agent. */
export interface NamedAgent {
	readonly name: string;
	/** As it stands in the file. */
	readonly written: string;
	readonly line: number;
}

/** The names in the rules of a policy file. */
export function namesInPolicy({ paths, ask }: Pick<Config, 'paths' | 'ask'>): string[] {
	const inRules = Object.values(ask).flatMap((rules) => [rules ?? []].flat().flatMap(({ agents = [] }) => agents));
	return [...Object.keys(paths.agents ?? {}), ...inRules];
}

/** The names in the groups of a robots.txt, as they are written there, without version and without `*`. */
export function namesInRobots(text: string): NamedAgent[] {
	const { groups } = parseRobots(text).value;
	return groups.flatMap(({ agents }) =>
		agents
			.filter(({ name }) => agentKey(name) !== '*')
			.map(({ name, line }) => ({ name: name.replace(/[/;,()*].*$/, '').trim(), written: name, line })),
	);
}

/** Words with single spaces between them, each starting with a letter, digit or underscore. */
const words = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?: [\p{L}\p{N}_][\p{L}\p{N}_.-]*)*$/u;

/** Why no request can ever be told to come from an agent of this name; undefined when one can. */
export function whyUnmatched(name: string): 'common' | 'no-token' | undefined {
	if (!words.test(name)) return 'no-token';
	return name.split(' ').every(isCommonToken) ? 'common' : undefined;
}

/**
 * All agents that a gateway looks for: those of the catalogue, those that the policy file describes, and every name in
 * the policy file and in the robots.txt of the site. What is only named is known by that name alone.
 *
 * @param besides agents that the identity checker knows.
 */
export function agentIndexOf(
	config: Pick<Config, 'paths' | 'ask' | 'identity'>,
	robots: string | Uint8Array | undefined,
	besides: readonly KnownAgent[] = [],
): AgentIndex {
	const described = new AgentIndex([...config.identity.agents, ...besides].map(withFamily), agentCatalogue);
	const named = [
		...namesInPolicy(config),
		...(robots === undefined ? [] : namesInRobots(readOwnRobots(robots).lines.join('\n')).map(({ name }) => name)),
	];
	const added = named.flatMap((name): KnownAgent[] => {
		if (whyUnmatched(name) !== undefined) return [];
		const known = described.find(name);
		if ((known?.name ?? known?.token)?.toLowerCase() === name.toLowerCase()) return [];
		const [token = name] = name.split(' ');
		if (known !== undefined) return [{ ...known, token: name }];
		return [{ token, ...(token !== name && { name }) }];
	});
	return added.length === 0 ? described : new AgentIndex(added, described);
}

/** An agent that the catalogue has, too, keeps the suffixes that are known of it. */
function withFamily(agent: KnownAgent): KnownAgent {
	return findAgentByToken(agent.token)?.family === true ? { ...agent, family: true } : agent;
}

/** Whether the published addresses or host names of an agent can prove that a request comes from it. */
export function isVerifiable({ identity }: Pick<Config, 'identity'>, name: string): boolean {
	const { agents, verify } = identity;
	const own = agents.find((agent) => (agent.name ?? agent.token).toLowerCase() === name.toLowerCase());
	const { ranges, reverseDns } = own ?? findAgentByToken(name) ?? {};
	return (ranges !== undefined && verify.ranges) || (reverseDns !== undefined && verify.reverseDns);
}
