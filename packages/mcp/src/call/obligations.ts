import type { PolicyNote, Result } from '@wayleave/crawler';

const forbidden = {
	summarise: 'The site does not permit summaries of it.',
	quote: 'The site does not permit quotes of it.',
	derivative: 'The site does not permit rewording or translating it.',
	train: 'The site does not permit training on it.',
} as const;

/**
 * The reader's obligations for a document, in our own words: an address that the page chose for itself is not in them,
 * they refer to it inside the fence.
 */
export function owedFor(result: Result): string[] {
	const { policy, url } = result;
	return obligationsOf(
		policy,
		addressOf(result) === url ? url : 'the address that is named as source inside the fence',
	);
}

function obligationsOf(policy: PolicyNote | undefined, url: string): string[] {
	const { limits = {}, obligations = {}, uses, licences = [] } = policy ?? {};
	return [
		...Object.entries(forbidden).flatMap(([use, sentence]) =>
			uses?.[use] === 'deny' || uses?.[use] === 'ask' ? [sentence] : [],
		),
		...(limits.quoteWords === undefined ? [] : [`Quote at most ${limits.quoteWords} words of it at a time.`]),
		...(obligations.attribution === 'required' ? [`Name the source: ${url}`] : []),
		...(obligations.attribution === 'preferred' ? ['The site would like to be named as the source.'] : []),
		...(obligations.linkBack === 'required' ? [`Link back to ${url}`] : []),
		...(obligations.linkBack === 'preferred' ? [`The site would like a link to ${url}`] : []),
		...(limits.store === 'session' ? ['Do not keep it beyond this session.'] : []),
		...(licences.length === 0 ? [] : ['The site refers to licence terms (RSL), which were not read.']),
		...(limits.once === true ? ['The site allows this single use only.'] : []),
	];
}

/** The address to name as the source: the canonical one if it says something; the page and its redirects choose it. */
export const addressOf = ({ document, page, redirectedTo, url }: Result): string =>
	page?.address ?? document?.source.canonical_url ?? redirectedTo ?? url;
