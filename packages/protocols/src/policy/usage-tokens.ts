import { prepareRobots } from '../robots/index.ts';
import { type PathFile, ruleEvidence } from './path-files.ts';
import type { Agent, Statement, Use } from './types.ts';

/**
 * A group for a token that never fetches, such as Google-Extended, says what its operator may do with what it has
 * fetched under another name: train, and answer from it.
 */
export function prepareUsageTokens({ usageTokens = [] }: Agent, files: readonly PathFile[]) {
	const groups = files.flatMap(({ source, mechanism, file }) =>
		usageTokens
			.map((token) => ({ source, mechanism, rules: prepareRobots(file, token) }))
			.filter(({ rules }) => rules.selected === 'specific'),
	);
	return (use: Use, url: string): Statement[] => {
		if (use !== 'train' && use !== 'summarise') return [];
		return groups.flatMap(({ source, mechanism, rules }) => {
			const { allowed, rule } = rules.match(url);
			return allowed ? [] : [{ effect: 'deny' as const, evidence: ruleEvidence(source, mechanism, rule) }];
		});
	};
}
