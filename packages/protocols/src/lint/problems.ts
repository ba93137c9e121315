import { aiDocumentProblems } from '../aidocument/problems.ts';
import { rangesProblems } from '../jafar/problems.ts';
import { pagedigestProblems } from '../pagedigest/problems.ts';
import { policyProblems } from '../policy/problems.ts';
import type { Problem, Severity } from '../problem.ts';
import { robotsProblems } from '../robots/problems.ts';
import { robots2Problems } from '../robots2/problems.ts';
import { somProblems } from '../som/problems.ts';
import { oneLine } from '../text/one-line.ts';

/** Problems between files, and those that no single format has. */
export const lintProblems = {
	'lint-web-page': { severity: 'error', sentence: 'this is a web page, not {format}' },
	'lint-utf-16': { severity: 'error', sentence: 'the file is UTF-16; {format} must be UTF-8' },
	'lint-policy-invalid': { severity: 'error', sentence: '{message}' },
	'lint-previous-invalid': {
		severity: 'error',
		sentence: '{source} is not a valid manifest; the revisions were not compared',
	},
	'lint-vocabularies-disagree': {
		severity: 'warning',
		sentence: '{use}: this line {says}, but {source}:{line} {contrary} ({text}); the stricter one applies',
	},
} satisfies Record<string, { severity: Severity; sentence: string }>;

/** The problems of all formats. No code is in two tables. */
export const problemTables = [
	robotsProblems,
	robots2Problems,
	policyProblems,
	rangesProblems,
	pagedigestProblems,
	aiDocumentProblems,
	somProblems,
	lintProblems,
] as const;

type Codes<Table> = Table extends unknown ? keyof Table & string : never;
/** The codes of the formats in this package. */
export type LintCode = Codes<(typeof problemTables)[number]>;
/** A problem of a file. `Code` includes the codes of the checks that the linter was given. */
export type LintProblem<Code extends string = LintCode> = Problem<Code>;

/** Fills the arguments of a problem into its sentence. Characters that would break the line are escaped. */
export function explainWith(sentence: string, args: Problem['args']): string {
	return oneLine(sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? '')));
}
