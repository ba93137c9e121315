import { error, info, type ProblemTable, warning } from '../internal/problem-maker.ts';
import type { Problem } from '../problem.ts';

/** Severity and sentence of each code; `{name}` stands for an argument of the problem. */
export const robots2Problems = {
	'robots2-unknown-directive': warning('{name} is not a robots2.txt directive; the line is ignored'),
	'robots2-later-directive': info('{name} comes from a version after 0.2.1; it is not read yet and changes nothing'),
	'robots2-misspelt-directive': warning('{name} is not a directive; the line is ignored. Did you mean {meant}?'),
	'robots2-missing-colon': warning('a colon is missing after {name}'),
	'robots2-invalid-value': warning('{value} is not a valid value of {name}; it is read as {counts}'),
	'robots2-duplicate-directive': warning('{name} is repeated; its strictest value applies ({value})'),
	'robots2-malformed-section': error('a section header has the form [agent: category]; this one is read as {read}'),
	'robots2-unknown-category': info('{category} is not a standard agent category'),
	'robots2-american-spelling': info('{written} is read as {name}'),
	'robots2-invalid-meta': info('{value} is not a valid value of meta {name}'),
	'robots2-path-rule-in-section': warning(
		'{name} does not belong in [agent: {category}]; it applies to every agent of the User-agent group above',
	),
	'robots2-directive-after-section': warning('{name} is read as part of [agent: {category}], not as global policy'),
	'robots2-ask-without-endpoint': warning('{name}: ask means no as long as /.well-known/robots2-ask does not respond'),
	'robots2-compete-without-market': info('compete: no has no market; each agent must guess which market is meant'),
	'robots2-contradicts-robots': warning(
		'robots.txt {robots} {path} for {agent}, robots2.txt {robots2} it; the stricter one applies',
	),
	'robots2-chain-not-last': warning('chain is not the last line of the file and is ignored'),
	'robots2-chain-not-https': warning('the chain to {url} is not followed because it is not https'),
	'robots2-chain-loop': warning('the chain returns to {url} and ends here'),
	'robots2-chain-too-deep': info('the chain goes beyond three files, to {url}; the rest is ignored'),
	'robots2-chain-unavailable': warning('the chained file {url} could not be fetched; the chain ends here'),
	'robots2-truncated': error('the file is longer than {limit} bytes; the rest is ignored'),
	'robots2-omitted': info('{count} more problems are not listed'),
	'robots2-utf-16': error('is UTF-16: many readers find nothing in it. Save it as UTF-8'),
} satisfies ProblemTable;

export type Robots2ProblemCode = keyof typeof robots2Problems;
export type Robots2Problem = Problem<Robots2ProblemCode>;
