import type { Severity } from '@wayleave/protocols';
import {
	explainWith,
	type LintCode as FormatCode,
	type LintProblem as Problem,
	problemTables,
} from '@wayleave/protocols/lint/problems';
import { type PublishProblemCode, publishProblems } from '../terms/problems.ts';

/** The codes of all formats, policy files included. */
export type LintCode = FormatCode | PublishProblemCode;
export type LintProblem = Problem<LintCode>;

/** Severity and sentence of every code. Each has a page in `docs/problems/`. */
export const allProblems: Readonly<Record<LintCode, { severity: Severity; sentence: string }>> = Object.assign(
	{},
	...problemTables,
	publishProblems,
);

/** The sentence for a problem, its arguments filled in. */
export function explain({ code, args }: LintProblem): string {
	return explainWith(allProblems[code].sentence, args);
}
