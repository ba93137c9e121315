import type { Page } from '@wayleave/extract';
import { isPolicyHeader, isPolicyLink, type LicenceReference, type PageSignals } from '@wayleave/protocols/policy';

/** Headers of a page about its use: stored with the page, since a 304 need not repeat them. */
export type Terms = readonly (readonly [name: string, value: string])[];

export function termsOf(headers: Iterable<readonly [string, string]>): Terms {
	return [...headers].flatMap(([name, value]) => {
		const field = name.toLowerCase();
		return isPolicyHeader(field, value) ? [[field, value] as const] : [];
	});
}

/** All that a page says about its use: in its header fields, and in its head. */
export function signalsOf(source: string, page: Page | undefined, headers: Terms): PageSignals {
	return { source, headers, meta: page?.robots ?? [], licences: licencesOf(source, page) };
}

/** The links of a page that state terms. */
function licencesOf(source: string, page: Page | undefined): LicenceReference[] {
	return (page?.links ?? []).filter(isPolicyLink).map(({ rel, type = '', url }) => ({
		url,
		source,
		line: 0,
		text: `<link rel="${rel}" type="${type.toLowerCase()}" href="${url}">`,
	}));
}

/** A 304 updates the fields that it has, and leaves the others as they were (RFC 9111 §3.2). */
export function termsAfter304(headers: Iterable<readonly [string, string]>, before: Terms = []): Terms {
	const now = termsOf(headers);
	return [...before.filter(([field]) => !now.some(([name]) => name === field)), ...now];
}
