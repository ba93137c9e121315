import { isOneSlip } from '../internal/one-slip.ts';
import { AgentIndex } from './agent-index.ts';
import { knownAgents } from './catalogue.ts';
import type { KnownAgent } from './known-agent.ts';

/** The known agents by their names. */
export const agentCatalogue: AgentIndex = /* @__PURE__ */ new AgentIndex(knownAgents);

/** The known agent with a product token or name, as robots.txt gives it (RFC 9309 §2.2.1). Without case. */
export function findAgentByToken(token: string): KnownAgent | undefined {
	return agentCatalogue.find(token) ?? knownAgents.find((agent) => agent.token.toLowerCase() === token.toLowerCase());
}

/**
 * The product token that was probably meant by one that is not known: one slip away.
 *
 * @example misspeltToken('GTPBot') // 'GPTBot'
 */
export function misspeltToken(token: string): string | undefined {
	if (findAgentByToken(token) !== undefined) return undefined;
	const slip = ({ token: known }: KnownAgent) => isOneSlip(token.toLowerCase(), known.toLowerCase());
	return knownAgents.find(slip)?.token;
}

/**
 * The known agent that a User-Agent claims to be: the first product or comment word that is a known token.
 * Tokens that are signals in robots.txt only are never claimed by a request. A claim proves nothing.
 */
export function findAgent(userAgent: string): KnownAgent | undefined {
	return agentCatalogue.findIn(userAgent).find(({ agent }) => agent.signalOnly !== true)?.agent;
}
