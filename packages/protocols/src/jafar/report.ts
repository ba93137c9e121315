import { problemMaker } from '../internal/problem-maker.ts';
import type { rangesProblems } from './problems.ts';

/** A problem of this module; what is not listed is a warning. The sentences are in `problems.ts`. */
export const rangesProblem = problemMaker<typeof rangesProblems>({
	'ranges-invalid-utf8': 'error',
	'ranges-utf-16': 'error',
	'ranges-byte-order-mark': 'info',
	'ranges-invalid-json': 'error',
	'ranges-not-an-object': 'error',
	'ranges-unsupported-version': 'error',
	'ranges-no-prefixes': 'error',
	'ranges-duplicate': 'info',
	'ranges-synctoken-unchanged': 'error',
	'ranges-cover-too-much': 'error',
	'ranges-own-form': 'info',
	'ranges-nothing-read': 'error',
	'ranges-omitted': 'info',
});
