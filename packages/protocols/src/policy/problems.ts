import type { Problem, Severity } from '../problem.ts';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument of the problem. */
export const policyProblems = {
	'content-usage-unparsable': error('Content-Usage {text} is no dictionary (RFC 9651): all of it counts as not said'),
	'content-usage-unknown-key': warning('Content-Usage knows no {key}: it is ignored'),
	'content-usage-unknown-value': error('{key} is y or n: this value counts as not said'),
	'content-signal-malformed': warning('Content-Signal {text} is not written key=value: it is ignored'),
	'content-signal-unknown-key': warning('Content-Signal knows no {key}: it is ignored'),
	'content-signal-unknown-value': error('{key} is yes or no: {value} counts as not said'),
	'signal-outside-group': warning(
		'{key} stands above the first User-agent line: what it forbids is kept, what it allows is not',
	),
	'tdmrep-not-json': error('the file is not JSON: no reservation can be read from it'),
	'tdmrep-not-array': warning('the file is a list of rules: a single object is read as a list of one'),
	'tdmrep-invalid-entry': warning('rule {index} has no location and tdm-reservation: it is ignored'),
	'tdmrep-invalid-reservation': error('tdm-reservation is 0 or 1: {value} counts as not said'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type PolicyProblemCode = keyof typeof policyProblems;
export type PolicyProblem = Problem<PolicyProblemCode>;
