import {
	type AgentIdentity,
	findAgentByToken,
	type KnownAgent,
	parseAgentIdentity,
	parseUserAgent,
} from '@wayleave/protocols/identity';
import type { Agent } from '@wayleave/protocols/policy';
import { LRUCache } from 'lru-cache';
import { agentOf } from '../serve/identity.ts';

/** What a request says about its sender, in its User-Agent and X-Agent-Identity. It proves nothing. */
export interface Claim {
	/** The known agent that it names: its User-Agent does, or else its X-Agent-Identity. */
	readonly agent?: KnownAgent;
	/** A token of robots.txt that no request carries (PB-35). */
	readonly signal?: KnownAgent;
	/** The agent by whatever name it gives; undefined for browsers and tools. */
	readonly name?: string;
	/** The product token of robots.txt, where it is not the name. */
	readonly token?: string;
	readonly version?: string;
	/** Its roles in the words of robots2.txt; each must be permitted (AMB-45). */
	readonly categories: readonly string[];
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

/** What is read of a header, and what is kept of it as evidence. */
const longest = 2048;
const shown = 300;

/** Reads claims, and remembers those that it read last: most requests say one of a few things. */
export class ClaimReader {
	readonly #added: ReadonlyMap<string, KnownAgent>;
	readonly #read: LRUCache<string, Claim>;

	/** @param added agents that the catalogue does not know, or knows otherwise. */
	constructor(added: readonly KnownAgent[] = [], maxKept = 5000) {
		this.#added = new Map(added.map((agent) => [agent.token.toLowerCase(), agent]));
		this.#read = new LRUCache({ max: maxKept });
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
		const products = ours === undefined ? this.#products(userAgent) : [];
		const named = products.find(({ agent }) => agent.signalOnly !== true);
		const agent = named?.agent ?? this.#byName(declared?.name);
		const signal = products.find((product) => product.agent.signalOnly)?.agent;
		const name = agent?.token ?? declared?.name ?? ours?.botName ?? (ours && 'AIWebIndex') ?? signal?.token;
		const version = declared?.version ?? named?.version ?? ours?.version;
		const page = ours?.botUrl ?? /\+(https?:\/\/[^\s;,()]+)/i.exec(userAgent)?.[1];
		const token = ours === undefined ? undefined : 'AIWebIndex';
		const categories = categoriesOf(agent ?? signal, declared);
		return {
			...(name !== undefined && { as: agentOf({ name, ...(token !== undefined && { token }), categories }) }),
			...(agent !== undefined && { agent }),
			...(signal !== undefined && { signal }),
			...(name !== undefined && { name }),
			...(token !== undefined && { token }),
			...(version !== undefined && { version }),
			categories,
			userTriggered: agent?.userTriggered === true,
			verification: ours?.verification === true,
			...(page !== undefined && { page }),
			anonymous: userAgent.trim() === '',
			shown: {
				...(userAgent !== '' && { userAgent: userAgent.slice(0, shown) }),
				...(agentIdentity !== undefined && { agentIdentity: agentIdentity.slice(0, shown) }),
			},
		};
	}

	/** The known agents among the products and comment words; whole words only (PB-29), and nothing inside a URL. */
	#products(userAgent: string): { readonly agent: KnownAgent; readonly version?: string }[] {
		const found = [];
		for (const [, word = '', version] of userAgent.matchAll(product)) {
			const agent = this.#find(word);
			if (agent !== undefined) found.push({ agent, ...(version !== undefined && { version }) });
		}
		return found;
	}

	#byName(name: string | undefined): KnownAgent | undefined {
		const agent = name === undefined ? undefined : this.#find(name);
		return agent?.signalOnly === true ? undefined : agent;
	}

	#find(token: string): KnownAgent | undefined {
		return this.#added.get(token.toLowerCase()) ?? findAgentByToken(token);
	}
}

const product = /(?:^|[\s(;,])([A-Za-z][\w.-]*)(?:\/([\w.-]+))?/g;

function categoriesOf(agent: KnownAgent | undefined, declared: AgentIdentity | undefined): string[] {
	const known = agent?.category === undefined ? [] : [agent.category];
	return [...new Set([...known, ...(declared?.categories ?? [])])];
}
