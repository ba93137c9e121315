import { problemMaker } from '../internal/problem-maker.ts';
import type { policyProblems } from './problems.ts';

/** A problem of this module; what is not listed is a warning. The sentences are in `problems.ts`. */
export const policyProblem = problemMaker<typeof policyProblems>({
	'content-usage-unparsable': 'error',
	'content-usage-unknown-value': 'error',
	'content-signal-unknown-value': 'error',
	'tdmrep-utf-16': 'error',
	'tdmrep-not-json': 'error',
	'tdmrep-invalid-reservation': 'error',
});
