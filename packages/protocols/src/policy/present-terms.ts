import type { Limits, Obligations } from './types.ts';

/** Obligations to a site, each in a few words. */
export function obligationTexts({ attribution, linkBack, announce, ratePerMinute }: Obligations): string[] {
	return [
		...(attribution === undefined ? [] : [`credit to the source: ${attribution}`]),
		...(linkBack === undefined ? [] : [`a link to the original: ${linkBack}`]),
		...(announce === undefined ? [] : ['the name of the agent in X-Agent-Identity']),
		...(ratePerMinute === undefined
			? []
			: [`at most ${ratePerMinute} ${ratePerMinute === 1 ? 'request' : 'requests'} a minute`]),
	];
}

/** Limits of a use, each in a few words. */
export function limitTexts({ quoteWords, store, images, once }: Limits): string[] {
	return [
		...(quoteWords === undefined ? [] : [`at most ${quoteWords} words of the source in one quote`]),
		...(store === undefined
			? []
			: ['nothing may be kept after the session: not on disk, in a database or in an index']),
		...(images === undefined ? [] : ['images are not included']),
		...(once === undefined ? [] : ['this time only']),
	];
}
