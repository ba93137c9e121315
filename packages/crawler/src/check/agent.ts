import { findAgentByToken, type KnownAgent, knownAgents } from '@wayleave/protocols/identity';
import type { Agent } from '@wayleave/protocols/policy';

/** An agent as named by the caller. */
export interface NamedAgent {
	readonly agent?: string;
	readonly category?: readonly string[];
	readonly operatorMarket?: string;
}

/** Our own crawler, which sends the requests, whichever agent the question is about. */
export const self = {
	token: 'AIWebIndex',
	name: 'Wayleave',
	categories: ['ai-assistant'],
} as const satisfies Agent;

/** The agent that is asked about, and how to call it. */
export interface AskedAgent {
	readonly agent: Agent;
	readonly called: string;
	/** In words: of whom, in which role. */
	readonly about: string;
}

/** Our own crawler unless another is named. Of another we know what the catalogue and the caller tell. */
export function askedAgent({ agent: named, category, operatorMarket }: NamedAgent): AskedAgent {
	const market = operatorMarket === undefined ? {} : { operatorMarket };
	if (named === undefined || named.toLowerCase() === self.token.toLowerCase()) {
		const agent: Agent = { ...self, ...(category && { categories: category }), ...market };
		return { agent, called: self.token, about: about(agent, undefined) };
	}
	const known = findAgentByToken(named);
	const token = known?.token ?? named;
	const categories = category ?? (known?.category ? [known.category] : []);
	const agent: Agent = {
		token,
		name: token,
		categories,
		...(known && { usageTokens: signalTokensOf(known) }),
		...(known?.userTriggered && { servesUser: true }),
		...market,
	};
	return { agent, called: token, about: about(agent, known) };
}

/** Tokens that never fetch and speak to the operator of an agent: `Google-Extended` for Googlebot. */
function signalTokensOf({ operator, signalOnly }: KnownAgent): string[] {
	if (signalOnly || operator === undefined) return [];
	return knownAgents.filter((each) => each.signalOnly && each.operator === operator).map(({ token }) => token);
}

function about({ categories = [] }: Agent, known: KnownAgent | undefined): string {
	const role = categories.length > 0 ? categories.join(', ') : 'no category: the global policy';
	const signal = known?.signalOnly ? '; it never sends requests: the token only controls what its operator may do' : '';
	return `${known?.operator === undefined ? '' : `of ${known.operator} `}(${role}${signal})`;
}
