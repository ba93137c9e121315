import type { PageTerms } from './page-change.ts';
import type { PolicyNote } from './result.ts';

/** The terms of a page that may be read, as JSON: equal texts are equal terms. Where the lines stand is no part of it. */
export function termsOfNote({ uses = {}, obligations, limits, licences }: Partial<PolicyNote> = {}): string {
	// That the page may be requested shows in `permitted`; whether a line says so, or none forbids it, is the same.
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
