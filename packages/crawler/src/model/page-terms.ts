import type { PageTerms } from './page-change.ts';
import type { PolicyNote } from './result.ts';

/** The terms of a page that may be read, as JSON: equal texts are equal terms. Line numbers are not part of them. */
export function termsOfNote({ uses = {}, obligations, limits, licences }: Partial<PolicyNote> = {}): string {
	// `permitted` already says whether the page may be requested, regardless of the line that permits it.
	const { crawl: _, ...others } = uses;
	const terms: PageTerms = {
		permitted: true,
		uses: sorted(others),
		...(obligations && { obligations: sorted(obligations) }),
		...(limits && { limits: sorted(limits) }),
		...(licences && { licences: [...new Set(licences.map(({ text }) => text.trim()))].sort() }),
	};
	return JSON.stringify(terms);
}

/** The terms of a page that is refused. */
export const termsOfRefusal = (reason: string): string =>
	JSON.stringify({ permitted: false, reason } satisfies PageTerms);

const sorted = <Value extends object>(value: Value): Value =>
	Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as Value;
