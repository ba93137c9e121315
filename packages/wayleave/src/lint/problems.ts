import { publishProblems } from '@wayleave/gateway/problems';
import type { Problem, Severity } from '@wayleave/protocols';
import { aiDocumentProblems } from '@wayleave/protocols/aidocument/problems';
import { rangesProblems } from '@wayleave/protocols/jafar/problems';
import { pagedigestProblems } from '@wayleave/protocols/pagedigest/problems';
import { policyProblems } from '@wayleave/protocols/policy/problems';
import { robotsProblems } from '@wayleave/protocols/robots/problems';
import { robots2Problems } from '@wayleave/protocols/robots2/problems';
import { somProblems } from '@wayleave/protocols/som/problems';
import { oneLine } from '../output/one-line.ts';

/** What only shows when several formats are looked at together. */
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

/** The tables of all formats. No code stands in two of them. */
export const problemTables = [
	robotsProblems,
	robots2Problems,
	policyProblems,
	rangesProblems,
	pagedigestProblems,
	aiDocumentProblems,
	somProblems,
	lintProblems,
	publishProblems,
] as const;

/** Severity and sentence of every code that there is: each has a page in `docs/problems/`. */
export const allProblems: Readonly<Record<LintCode, { severity: Severity; sentence: string }>> = Object.assign(
	{},
	...problemTables,
);

type Codes<Table> = Table extends unknown ? keyof Table & string : never;
export type LintCode = Codes<(typeof problemTables)[number]>;
export type LintProblem = Problem<LintCode>;

/** The sentence for a problem, its arguments filled in; characters that would break the line are shown escaped. */
export function explain({ code, args }: LintProblem): string {
	const sentence = allProblems[code].sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ''));
	return oneLine(sentence);
}
