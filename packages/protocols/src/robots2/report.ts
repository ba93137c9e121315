import { problemMaker } from '../internal/problem-maker.ts';
import type { robots2Problems } from './problems.ts';

/** A problem of this module; what is not listed is a warning. The sentences are in `problems.ts`. */
export const robots2Problem = problemMaker<typeof robots2Problems>({
	'robots2-later-directive': 'info',
	'robots2-malformed-section': 'error',
	'robots2-unknown-category': 'info',
	'robots2-american-spelling': 'info',
	'robots2-invalid-meta': 'info',
	'robots2-compete-without-market': 'info',
	'robots2-chain-too-deep': 'info',
	'robots2-omitted': 'info',
	'robots2-truncated': 'error',
	'robots2-utf-16': 'error',
});
