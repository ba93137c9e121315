import { type KnownAgent, knownAgents } from './catalogue.ts';

const byToken = /* @__PURE__ */ indexByToken();

function indexByToken(): ReadonlyMap<string, KnownAgent> {
	return new Map(knownAgents.map((agent) => [agent.token.toLowerCase(), agent]));
}

/** The known agent with a product token, as robots.txt names it; upper and lower case are the same (RFC 9309 §2.2.1). */
export function findAgentByToken(token: string): KnownAgent | undefined {
	return byToken.get(token.toLowerCase());
}

/** Whatever stands where a product may stand: not inside a URL, and without its version. */
const product = /(?:^|[\s(;,])([A-Za-z][\w.-]*)/g;

/**
 * The known agent that a User-Agent claims to be: the first product or comment word that is a known token.
 * Tokens that are signals in robots.txt only are never claimed by a request. A claim proves nothing.
 */
export function findAgent(userAgent: string): KnownAgent | undefined {
	for (const [, word] of userAgent.matchAll(product)) {
		const agent = findAgentByToken(word!);
		if (agent !== undefined && agent.signalOnly !== true) return agent;
	}
	return undefined;
}
