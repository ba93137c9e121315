import { normaliseEscapes } from '../robots/escapes.ts';
import { pathOfUrl } from '../robots/index.ts';
import { compilePattern, matchesPattern } from '../robots/pattern.ts';
import { namesOfAgent } from './agent-names.ts';
import type { Agent, OperatorRule, Statement, Use } from './types.ts';

/** The operator's own rules for one agent, ready for many questions. */
export type OperatorStatements = (use: Use, url: string) => Statement[];

/** Chooses the rules that are about the agent: by token, name or category, without case. */
export function prepareOperator(rules: readonly OperatorRule[], agent: Agent): OperatorStatements {
	const known = new Set([...namesOfAgent(agent), ...(agent.categories ?? [])].map((each) => each.toLowerCase()));
	const ours = rules
		.filter(({ agents }) => agents === undefined || agents.some((each) => known.has(each.toLowerCase())))
		.map((rule) => ({ rule, pattern: rule.path === undefined ? undefined : compilePattern(rule.path, false) }));
	return (use, url) => {
		const about = ours.filter(({ rule }) => rule.uses === 'all' || rule.uses.includes(use));
		if (about.length === 0) return [];
		const path = normaliseEscapes(pathOfUrl(url));
		return about
			.filter(({ pattern }) => pattern === undefined || matchesPattern(pattern, path))
			.map(({ rule: { effect, source, line, text } }) => ({
				effect,
				evidence: { source, line, text, mechanism: 'operator' },
			}));
	};
}
