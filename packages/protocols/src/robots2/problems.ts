import type { Problem, Severity } from '../problem.ts';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument of the problem. */
export const robots2Problems = {
	'robots2-unknown-directive': warning('{name} is not a directive of robots2.txt: the line is ignored'),
	'robots2-misspelt-directive': warning('{name} is not a directive: the line is ignored. Is {meant} meant?'),
	'robots2-missing-colon': warning('a colon is missing after {name}'),
	'robots2-invalid-value': warning('{value} is no value of {name}: it counts as {counts}'),
	'robots2-duplicate-directive': warning('{name} stands here again: the strictest of its values counts ({value})'),
	'robots2-malformed-section': error('a section header is written [agent: category]: this one is read as {read}'),
	'robots2-unknown-category': info('{category} is not a standard agent category'),
	'robots2-american-spelling': info('{written} is read as {name}'),
	'robots2-invalid-meta': info('{value} is no value of meta {name}'),
	'robots2-path-rule-in-section': warning(
		'{name} does not belong to [agent: {category}]: it binds every agent of the User-agent group above',
	),
	'robots2-directive-after-section': warning('{name} is read as part of [agent: {category}], not as global policy'),
	'robots2-ask-without-endpoint': warning('{name}: ask counts as no while /.well-known/robots2-ask does not answer'),
	'robots2-compete-without-market': info('compete: no without market: each agent has to guess what market this is'),
	'robots2-contradicts-robots': warning(
		'robots.txt {robots} {path} for {agent}, robots2.txt {robots2} it: the stricter one counts',
	),
	'robots2-chain-not-last': warning('chain is not the last line of the file: it is ignored'),
	'robots2-chain-not-https': warning('the chain to {url} is not followed: only https is'),
	'robots2-chain-loop': warning('the chain comes back to {url}: it ends here'),
	'robots2-chain-too-deep': info('the chain goes on to {url} beyond three files: the rest is ignored'),
	'robots2-chain-unavailable': warning('the chained file {url} could not be read: the chain ends here'),
	'robots2-truncated': error('the file is longer than {limit} bytes: the rest is not read'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type Robots2ProblemCode = keyof typeof robots2Problems;
export type Robots2Problem = Problem<Robots2ProblemCode>;
