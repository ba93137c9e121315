/** What is odd about a manifest in comparison with what was seen before; the codes of its text are in `protocols`. */
export const changeProblems = {
	'pagedigest-stale': 'was generated more than a year ago',
	'pagedigest-mass-removal': 'has lost more than half of the pages that it listed: each is asked for',
	'pagedigest-site-rev-decreased': 'is older than the one before: the site is crawled as if there were none',
	'pagedigest-rev-decreased': 'gives a page a lower revision than before',
	'pagedigest-rev-decreased-widely': 'gives most pages lower revisions than before: it is not used',
} as const satisfies Record<string, string>;

export type ChangeProblemCode = keyof typeof changeProblems;
