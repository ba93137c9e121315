import type { Evidence } from '../evidence.ts';
import type { PreparedRobots } from '../robots/index.ts';
import type { Statement } from './types.ts';

/**
 * What the path rules of a robots.txt or robots2.txt say about a URL. A robots.txt without a rule for it allows it
 * (RFC 9309 §2.2.2); a robots2.txt, which only adds, then says nothing.
 */
export function sayPath(
	source: string,
	rules: PreparedRobots,
	url: string,
	mechanism: 'robots' | 'robots2',
): Statement[] {
	const { allowed, rule } = rules.match(url);
	if (!rule && mechanism === 'robots2') return [];
	const where = rule ? { line: rule.line, text: rule.text.trim() } : { line: 0, text: 'no rule is about this URL' };
	const requirement = mechanism === 'robots2' ? 'R2-08' : rule ? 'REP-08' : 'REP-10';
	const evidence: Evidence = { source, ...where, mechanism, requirement };
	return [{ effect: allowed ? 'allow' : 'deny', evidence, ...(rule && { pattern: rule.pattern }) }];
}
