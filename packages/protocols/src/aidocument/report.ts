import { problemMaker } from '../internal/problem-maker.ts';
import type { aiDocumentProblems } from './problems.ts';

/** A problem of this module; what is not listed is a warning. The sentences are in `problems.ts`. */
export const aiDocumentProblem = problemMaker<typeof aiDocumentProblems>({
	'aidocument-not-json': 'error',
	'aidocument-too-deep': 'error',
	'aidocument-unrecognised': 'error',
	'aidocument-unsupported-version': 'error',
	'aidocument-migrated': 'info',
	'aidocument-missing-field': 'error',
	'aidocument-wrong-type': 'error',
	'aidocument-wrong-value': 'error',
	'aidocument-empty-field': 'info',
	'aidocument-omitted': 'info',
});
