import type { EffectivePolicy, PermissionName } from '@wayleave/protocols/robots2';
import type { AskRule, Config } from '../config/schema.ts';

/** What the ask endpoint says to one agent about one directive. */
export interface AskDecision {
	readonly decision: 'allow' | 'deny' | 'allow-once';
	/** Paths that an allow is limited to; none = the whole site. */
	readonly scopes: readonly string[];
	/** Seconds that an allow may be kept. */
	readonly maxAge: number;
}

/** "Agents SHOULD cache allow responses for no more than 24 hours" (robots2 §6). */
const longestAllow = 86_400;
const deny: AskDecision = { decision: 'deny', scopes: [], maxAge: 0 };

/**
 * Answers an ask (robots2 §6): where the policy for the agent's category says yes or no, that; where it says `ask`, the
 * first rule that is for the agent. Everything else is denied.
 *
 * @param name the agent; undefined for one that does not say who it is.
 */
export function decideAsk(
	config: Pick<Config, 'ask'>,
	effective: EffectivePolicy,
	directive: PermissionName,
	name: string | undefined,
): AskDecision {
	if (name === undefined) return deny;
	const value = effective[directive]?.value;
	if (value === 'yes') return { decision: 'allow', scopes: [], maxAge: longestAllow };
	if (value !== 'ask') return deny;
	const rule = rulesFor(config, directive).find(({ agents }) => agents === undefined || includes(agents, name));
	if (rule === undefined || rule.decision === 'deny') return deny;
	const scopes = rule.scopes ?? [];
	return rule.decision === 'allow'
		? { decision: 'allow', scopes, maxAge: rule.maxAge ?? longestAllow }
		: { decision: 'allow-once', scopes, maxAge: 0 };
}

function rulesFor({ ask }: Pick<Config, 'ask'>, directive: PermissionName): readonly AskRule[] {
	const rules = ask[directive];
	if (rules === undefined) return [];
	return Array.isArray(rules) ? rules : [rules];
}

function includes(names: readonly string[], name: string): boolean {
	return names.some((each) => each.toLowerCase() === name.toLowerCase());
}
