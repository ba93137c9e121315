import { type ProblemTable, warning } from '../internal/problem-maker.ts';
import type { Problem } from '../problem.ts';
import { type VocabularyCode, vocabularyProblems } from './vocabularies/index.ts';

/** Problems that any vocabulary with records can have. */
const recordProblems = {
	'signal-outside-group': warning(
		'{key} comes before the first User-agent line: what it forbids applies, what it allows does not',
	),
} satisfies ProblemTable;

export type PolicyProblemCode = VocabularyCode | keyof typeof recordProblems;
export type PolicyProblem = Problem<PolicyProblemCode>;

/** Severity and sentence of each code; `{name}` stands for an argument of the problem. */
export const policyProblems: Readonly<Record<PolicyProblemCode, ProblemTable[string]>> = {
	...recordProblems,
	...vocabularyProblems,
};
