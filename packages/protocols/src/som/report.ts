import { problemMaker } from '../internal/problem-maker.ts';
import type { somProblems } from './problems.ts';

/** A problem of this module; what is not listed is a warning. The sentences are in `problems.ts`. */
export const somProblem = problemMaker<typeof somProblems>({
	'som-invalid-endpoint': 'error',
	'som-unknown-format': 'error',
	'som-document-not-json': 'error',
	'som-document-too-deep': 'error',
	'som-document-unsupported-version': 'error',
	'som-document-missing-field': 'error',
	'som-document-wrong-type': 'error',
	'som-document-wrong-value': 'error',
	'som-document-byte-order-mark': 'info',
	'som-document-omitted': 'info',
});
