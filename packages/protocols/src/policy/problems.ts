import type { Problem, Severity } from '../problem.ts';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument of the problem. */
export const policyProblems = {
	'content-usage-unparsable': error('Content-Usage {text} is not a dictionary (RFC 9651); the whole field is ignored'),
	'content-usage-unknown-key': warning('Content-Usage has no key {key}; it is ignored'),
	'content-usage-unknown-value': error('{key} must be y or n; this value is ignored'),
	'content-signal-malformed': warning('Content-Signal {text} is not in the form key=value and is ignored'),
	'content-signal-unknown-key': warning('Content-Signal has no key {key}; it is ignored'),
	'content-signal-unknown-value': error('{key} must be {values}; {value} is ignored'),
	'signal-outside-group': warning(
		'{key} comes before the first User-agent line: what it forbids applies, what it allows does not',
	),
	'tdmrep-utf-16': error('the file is UTF-16, in which most readers find no reservation; save it as UTF-8'),
	'tdmrep-not-json': error('the file is not valid JSON; no reservation can be read from it'),
	'tdmrep-not-array': warning('the file must be a list of rules; the single object is read as a list with one rule'),
	'tdmrep-invalid-entry': warning('rule {index} lacks location or tdm-reservation and is ignored'),
	'tdmrep-invalid-reservation': error('tdm-reservation must be 0 or 1; {value} is ignored'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type PolicyProblemCode = keyof typeof policyProblems;
export type PolicyProblem = Problem<PolicyProblemCode>;
