import {
	type AgentIdentity,
	type AgentIndex,
	agentCatalogue,
	type KnownAgent,
	parseAgentIdentity,
	parseUserAgent,
} from '@wayleave/protocols/identity';
import type { Agent } from '@wayleave/protocols/policy';
import { LRUCache } from 'lru-cache';
import { agentOf } from '../request/identity.ts';

/** The claim of a request in its User-Agent and X-Agent-Identity. It proves nothing. */
export interface Claim {
	/** The known agent that it names: its User-Agent does, or else its X-Agent-Identity. Not one that the site only names. */
	readonly agent?: KnownAgent;
	/** A token of robots.txt that no request carries. */
	readonly signal?: KnownAgent;
	/** The agent by whatever name it gives; undefined for browsers and tools. */
	readonly name?: string;
	/** The product token of robots.txt, where it is not the name. */
	readonly token?: string;
	/** Its other names: restrictions of each apply. */
	readonly otherNames: readonly string[];
	readonly version?: string;
	/** The roles of all that it names, and those that it declares; each must be permitted. */
	readonly categories: readonly string[];
	/** All that it names fetch only when a person asks. */
	readonly userTriggered: boolean;
	/** An ownership check, no crawl (AIWebIndex 2.0 §3). */
	readonly verification: boolean;
	/** The page about the agent that the User-Agent links to. */
	readonly page?: string;
	readonly anonymous: boolean;
	/** The agent as the policies know it; undefined where it gives no name. */
	readonly as?: Agent;
	/** As received; long values are cut. */
	readonly shown: { readonly userAgent?: string; readonly agentIdentity?: string };
}

/** Longest part of a header that is read, and kept as evidence. */
const longest = 2048;
const shown = 300;
/** Bounds for made-up names: a claim is a cache key. */
const maxNameLength = 128;
const maxNames = 16;

/**
 * Reads claims: the one reader for the command and for all adapters. What a request says about itself is joined, and
 * what it names first stands for it: a further name may add restrictions, and takes none away. The claims that were read
 * last are remembered, since most requests say one of a few things.
 */
export class ClaimReader {
	readonly #agents: AgentIndex;
	readonly #read: LRUCache<string, Claim>;

	/** @param agents the agents that are looked for. */
	constructor(agents: AgentIndex = agentCatalogue, maxKept = 5000) {
		this.#agents = agents;
		this.#read = new LRUCache({ maxSize: maxKept, sizeCalculation: () => 1 });
	}

	read(userAgent: string | undefined, agentIdentity: string | undefined): Claim {
		// No header holds a line feed (RFC 9110 §5.5), so no two requests share a key.
		const key = agentIdentity === undefined ? (userAgent ?? '') : `${userAgent ?? ''}\n${agentIdentity}`;
		const kept = this.#read.get(key);
		if (kept !== undefined) return kept;
		const claim = this.#interpret((userAgent ?? '').slice(0, longest), agentIdentity?.slice(0, longest));
		if (key.length <= longest) this.#read.set(key, claim);
		return claim;
	}

	#interpret(userAgent: string, agentIdentity: string | undefined): Claim {
		const ours = parseUserAgent(userAgent);
		const declared = agentIdentity === undefined ? undefined : parseAgentIdentity(agentIdentity);
		const products = this.#agents.findIn(userAgent).filter(({ agent }) => !(ours && isSharedToken(agent)));
		const signal = products.find(({ agent }) => agent.signalOnly)?.agent;
		const named = [...products, ...(declared === undefined ? [] : this.#agents.findIn(declared.name))].filter(
			({ agent }) => agent.signalOnly !== true,
		);
		const [first] = named;
		const agents = [...new Set(named.map(({ agent }) => agent))];
		const name = (
			nameOf(first?.agent) ??
			declared?.name ??
			ours?.botName ??
			(ours && 'AIWebIndex') ??
			signal?.token
		)?.slice(0, maxNameLength);
		const version = declared?.version ?? first?.version ?? ours?.version;
		const page = ours?.botUrl ?? /\+(https?:\/\/[^\s;,()]+)/i.exec(userAgent)?.[1];
		const token = ours === undefined ? first?.agent.token : 'AIWebIndex';
		const categories = categoriesOf(signal === undefined ? agents : [...agents, signal], declared);
		const otherNames = distinct(
			[...agents.flatMap((agent) => [agent.token, nameOf(agent)]), declared?.name, ours?.botName],
			[name, token],
		);
		const known = first !== undefined && isDescribed(first.agent) ? first.agent : undefined;
		return {
			...(name !== undefined && {
				as: agentOf({ name, ...(token !== undefined && { token }), otherNames, categories }),
			}),
			...(known !== undefined && { agent: known }),
			...(signal !== undefined && { signal }),
			...(name !== undefined && { name }),
			...(token !== undefined && token !== name && { token }),
			otherNames,
			...(version !== undefined && { version }),
			categories,
			userTriggered: agents.length > 0 && agents.every(({ userTriggered }) => userTriggered === true),
			verification: ours?.verification === true,
			...(page !== undefined && { page }),
			anonymous: userAgent.trim() === '',
			shown: {
				...(userAgent !== '' && { userAgent: userAgent.slice(0, shown) }),
				...(agentIdentity !== undefined && { agentIdentity: agentIdentity.slice(0, shown) }),
			},
		};
	}
}

/** The product with which all crawlers of AIWebIndex begin: which of them it is they say behind it. */
function isSharedToken({ token }: KnownAgent): boolean {
	return token.toLowerCase() === 'aiwebindex';
}

/** There is more information about it than its name. */
function isDescribed({ source }: KnownAgent): boolean {
	return source !== undefined;
}

function nameOf(agent: KnownAgent | undefined): string | undefined {
	return agent === undefined ? undefined : (agent.name ?? agent.token);
}

/** Names without case, each once, without those that are there already. */
function distinct(names: readonly (string | undefined)[], known: readonly (string | undefined)[]): string[] {
	const seen = new Set(known.map((name) => name?.toLowerCase()));
	const found: string[] = [];
	for (const name of names) {
		const cut = name?.slice(0, maxNameLength);
		if (cut === undefined || seen.has(cut.toLowerCase()) || found.length === maxNames) continue;
		seen.add(cut.toLowerCase());
		found.push(cut);
	}
	return found;
}

/** Joined: what the policy file says about an agent takes away nothing that the catalogue says. */
function categoriesOf(agents: readonly KnownAgent[], declared: AgentIdentity | undefined): string[] {
	const known = agents.flatMap((agent) => [agent.category, agentCatalogue.find(agent.name ?? agent.token)?.category]);
	return [...new Set([...known.filter((category) => category !== undefined), ...(declared?.categories ?? [])])];
}
