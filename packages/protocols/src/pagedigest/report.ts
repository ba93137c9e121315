import { problemMaker } from '../internal/problem-maker.ts';
import type { pagedigestProblems } from './problems.ts';

/** A problem of this module; what is not listed is a warning. The sentences are in `problems.ts`. */
export const pagedigestProblem = problemMaker<typeof pagedigestProblems>({
	'pagedigest-too-large': 'error',
	'pagedigest-invalid-utf8': 'error',
	'pagedigest-byte-order-mark': 'info',
	'pagedigest-invalid-json': 'error',
	'pagedigest-not-an-object': 'error',
	'pagedigest-missing-field': 'error',
	'pagedigest-unsupported-version': 'error',
	'pagedigest-invalid-integer': 'error',
	'pagedigest-invalid-timestamp': 'error',
	'pagedigest-invalid-coverage': 'error',
	'pagedigest-duplicate-key': 'error',
	'pagedigest-invalid-key': 'error',
	'pagedigest-invalid-digest': 'error',
	'pagedigest-reserved-field': 'info',
	'pagedigest-omitted': 'info',
	'pagedigest-site-rev-decreased': 'error',
	'pagedigest-rev-decreased': 'error',
	'pagedigest-site-rev-not-raised': 'error',
	'pagedigest-revisions-unreadable': 'error',
});
