import { limitWords, type PermissionName } from '../robots2/index.ts';
import type { Obligations, Verdict } from './types.ts';

/** The directive that governs each way of showing a text (robots2.txt 0.2.1 §2 DERIVATIVE, R2-17, R2-18). */
export const governs = {
	summary: 'summarise',
	quote: 'quote',
	rewording: 'derivative',
	'style-transfer': 'derivative',
	translation: 'derivative',
	adaptation: 'derivative',
} as const satisfies Record<string, PermissionName>;

export type Presentation = keyof typeof governs;

/** Where a text comes from, for those who see it. */
export interface Credit {
	/** Title or name of the source. */
	readonly name: string;
	readonly url: string;
}

/** A text that may be shown with its obligations, or a refusal. */
export type Presented =
	| { readonly shown: true; readonly text: string; readonly credit?: string; readonly cut: boolean }
	| { readonly shown: false; readonly because: Verdict['because'] };

/**
 * Brings a text that an application is about to show under the terms of its source: a quote is cut to the limit, a
 * transformation is refused where `derivative` forbids it, and credit and link are added where they are required.
 * The credit stands apart from the text: it does not count towards the words of a quote (R2-16).
 *
 * @param verdict of the use that `governs[presentation]` names, from `decide`; any other is a fault of the program.
 * @throws TypeError when the verdict is about another use.
 */
export function present(presentation: Presentation, text: string, verdict: Verdict, source: Credit): Presented {
	if (verdict.use !== governs[presentation])
		throw new TypeError(`a ${presentation} needs the verdict on ${governs[presentation]}, not on ${verdict.use}`);
	if (!verdict.permitted) return { shown: false, because: verdict.because };
	const { quoteWords } = verdict.limits ?? {};
	const kept = quoteWords === undefined ? text : limitWords(text, quoteWords);
	const cut = kept !== text;
	const credit = creditLine(verdict.obligations, source);
	return {
		shown: true,
		text: cut ? `${kept} …` : text,
		cut,
		...(credit !== undefined && { credit }),
	};
}

/** The words that pay what is owed: the name for `attribution: required`, the URL for `link-back: required`. */
export function creditLine({ attribution, linkBack }: Obligations, { name, url }: Credit): string | undefined {
	const parts = [attribution === 'required' ? name : '', linkBack === 'required' ? url : ''].filter(Boolean);
	return parts.length > 0 ? `Source: ${parts.join(', ')}` : undefined;
}
