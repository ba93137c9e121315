import type { EffectivePolicy, PermissionName } from '@wayleave/protocols/robots2';
import type { AskRule, Config } from '../config/schema.ts';
import type { Identity } from '../request/identity.ts';
import { isVerifiable } from '../terms/named-agents.ts';

/** The decision of the ask endpoint for one agent and one directive. */
export interface AskDecision {
	readonly decision: 'allow' | 'deny' | 'allow-once';
	/** Paths that an allow is limited to; none = the whole site. */
	readonly scopes: readonly string[];
	/** Seconds that an allow may be kept by the agent. */
	readonly maxAge: number;
	/** Seconds that the gateway keeps to what it has allowed; 0 where nothing had to be asked. */
	readonly holds: number;
	/** Why it is a no to an agent for which there is a yes. */
	readonly reason?: 'identity-not-verified' | 'store-unreachable';
}

/** An identity that asks, or requests a page. */
export type Asker = Pick<Identity, 'name' | 'token' | 'otherNames' | 'outcome' | 'client'>;

/** "Agents SHOULD cache allow responses for no more than 24 hours" (robots2 §6). */
const maxAllowSeconds = 86_400;
/** How long an allow for one use waits for that use, unless the rule says otherwise. */
const usualOnce = 300;
const deny: AskDecision = { decision: 'deny', scopes: [], maxAge: 0, holds: 0 };

/**
 * Answers an ask (robots2 §6): where the policy for the agent's category says yes or no, that; where it says `ask`, the
 * first rule that is for the agent. Everything else is denied. A yes is for an agent all of whose names the rule has,
 * and for which one of them is proven where the rule wants that; a no is for every agent that gives one of its names.
 *
 * @param asker undefined for one that does not say who it is.
 */
export function decideAsk(
	config: Pick<Config, 'ask' | 'identity'>,
	effective: EffectivePolicy,
	directive: PermissionName,
	asker: Asker | undefined,
): AskDecision {
	if (asker?.name === undefined || asker.outcome === 'spoofed') return deny;
	const value = effective[directive]?.value;
	if (value === 'yes') return { decision: 'allow', scopes: [], maxAge: maxAllowSeconds, holds: 0 };
	if (value !== 'ask') return deny;
	const rule = rulesFor(config, directive).find((each) => isFor(each, asker));
	if (rule === undefined || rule.decision === 'deny') return deny;
	if (needsProof(config, rule, asker) && !isProven(rule, asker)) return { ...deny, reason: 'identity-not-verified' };
	const scopes = rule.scopes ?? [];
	if (rule.decision === 'allow-once') {
		return { decision: 'allow-once', scopes, maxAge: 0, holds: rule.maxAge ?? usualOnce };
	}
	const maxAge = rule.maxAge ?? maxAllowSeconds;
	return { decision: 'allow', scopes, maxAge, holds: maxAge };
}

export function rulesFor({ ask }: Pick<Config, 'ask'>, directive: PermissionName): readonly AskRule[] {
	const rules = ask[directive];
	if (rules === undefined) return [];
	return Array.isArray(rules) ? rules : [rules];
}

function isFor({ agents, decision }: AskRule, { name, token, otherNames = [] }: Asker): boolean {
	if (agents === undefined) return true;
	const itself = includes(agents, name) || includes(agents, token);
	if (decision === 'deny') return itself || otherNames.some((each) => includes(agents, each));
	return itself && otherNames.every((each) => includes(agents, each));
}

/** Whether the name has to be proven: as the rule says, else where it can be. */
function needsProof(config: Pick<Config, 'identity'>, { identity, agents }: AskRule, { name = '' }: Asker): boolean {
	if (identity !== undefined) return identity === 'verified';
	return agents !== undefined && isVerifiable(config, name);
}

/** The verified identity counts, not the given name: a signer is verified as its own host. */
function isProven({ agents }: AskRule, { outcome, client }: Asker): boolean {
	return outcome === 'verified' && (agents === undefined || includes(agents, client));
}

function includes(names: readonly string[], name: string | undefined): boolean {
	return name !== undefined && names.some((each) => each.toLowerCase() === name.toLowerCase());
}
