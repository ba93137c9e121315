import { termsOfNote } from '../model/page-terms.ts';
import { isSpent, type Result } from '../model/result.ts';
import type { ObservedVisit } from './types.ts';

/** What a visit says about one URL. */
export type Subject = { readonly url: string } & (
	| PresentSubject
	| { readonly is: 'gone'; readonly reason: string; readonly movedTo?: string }
	| { readonly is: 'refused'; readonly reason: string }
	| { readonly is: 'moved'; readonly to: string; readonly by: 'redirect' | 'canonical' }
);

/** The page is there, and has a document. */
export interface PresentSubject {
	readonly is: 'present';
	readonly url: string;
	readonly title: string;
	readonly markdown: string;
	/** As JSON. */
	readonly terms: string;
	/** Why the document may not be in a notice; undefined if it may. */
	readonly withheld?: string;
}

const notStored = 'the site does not allow its documents to be stored, so no difference was made';
const single = 'the site allowed a single use, and the visit used it: a notice would be another use';

/** Answers that pass: permission may come with the next one. */
const passing: ReadonlySet<string> = new Set(['ask-later']);

export const subjectsOf = (visit: ObservedVisit): Subject[] =>
	visit.results.flatMap((result) => subjectOf(result, visit) ?? []);

function subjectOf(result: Result, { keep, permanent }: ObservedVisit): Subject | undefined {
	const { url, outcome, reason = '', document, policy, redirectedTo, aliasOf } = result;
	if (outcome === 'gone')
		return { is: 'gone', url, reason, ...(redirectedTo !== undefined && { movedTo: redirectedTo }) };
	if (reason === 'alias') return aliasOf === undefined ? undefined : { is: 'moved', url, to: aliasOf, by: 'canonical' };
	const leaves = reason === 'redirected' || reason === 'redirect-out-of-scope';
	if (leaves && redirectedTo !== undefined)
		return permanent === true ? { is: 'moved', url, to: redirectedTo, by: 'redirect' } : undefined;
	if (redirectedTo !== undefined) return undefined;
	if (outcome === 'refused') return passing.has(reason) ? undefined : { is: 'refused', url, reason };
	if ((outcome !== 'fetched' && outcome !== 'unchanged') || document === undefined) return undefined;
	const withheld = isSpent(policy) ? single : keep ? undefined : notStored;
	return {
		is: 'present',
		url,
		title: document.identity.title ?? '',
		markdown: document.content.markdown,
		terms: termsOfNote(policy),
		...(withheld !== undefined && { withheld }),
	};
}
