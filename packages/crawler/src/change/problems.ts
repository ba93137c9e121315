import type { PagedigestProblemCode } from '@wayleave/protocols/pagedigest';

/** Problems of a manifest compared with earlier ones; the codes of its text are in `protocols`. */
export const changeProblems = {
	'pagedigest-stale': 'was generated more than a year ago',
	'pagedigest-mass-removal':
		'lost more than half of the pages that it listed before; each missing page is fetched to check',
	'pagedigest-rev-decreased-widely': 'gives most pages lower revisions than before; the manifest is ignored',
} as const satisfies Record<string, string>;

/** Two of them are what the comparison of two manifests finds too, with the sentences of `protocols`. */
export type ChangeProblemCode =
	| keyof typeof changeProblems
	| Extract<PagedigestProblemCode, 'pagedigest-site-rev-decreased' | 'pagedigest-rev-decreased'>;
