import type { PolicyNote } from '@wayleave/crawler';

const forbidden = {
	summarise: 'The site does not permit summaries of it.',
	quote: 'The site does not permit quotes of it.',
	derivative: 'The site does not permit rewording or translating it.',
	train: 'The site does not permit training on it.',
} as const;

/** What the reader owes for a document, in sentences that stand beside it (AMB-12). */
export function obligationsOf(policy: PolicyNote | undefined, url: string): string[] {
	const { limits = {}, obligations = {}, uses } = policy ?? {};
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
		...(limits.once === true ? ['The site has allowed this one use only.'] : []),
	];
}
