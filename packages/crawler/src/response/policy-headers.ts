import type { Page } from '@wayleave/extract';
import { type LicenceReference, type PageSignals, pageSignalFields, rslType } from '@wayleave/protocols/policy';

/** What the header of a page says about its use: it is kept with the page, since not every answer says it again. */
export type Terms = readonly (readonly [name: string, value: string])[];

/** Those that `withPage` of a permit reads. */
const fields: ReadonlySet<string> = new Set(pageSignalFields);

export function termsOf(headers: Iterable<readonly [string, string]>): Terms {
	return [...headers].flatMap(([name, value]) => {
		const field = name.toLowerCase();
		if (!fields.has(field) || (field === 'link' && !isLicence(value))) return [];
		return [[field, value] as const];
	});
}

/** All that a page says about its use: in its header fields, and in its head. */
export function signalsOf(source: string, page: Page | undefined, headers: Terms): PageSignals {
	return { source, headers, meta: page?.robots ?? [], licences: licencesOf(source, page) };
}

/** `<link rel="license" type="application/rsl+xml">`; a licence of another type does not state terms of use for agents. */
function licencesOf(source: string, page: Page | undefined): LicenceReference[] {
	return (page?.links ?? [])
		.filter(isLicenceLink)
		.map(({ rel, url }) => ({ url, source, line: 0, text: `<link rel="${rel}" type="${rslType}" href="${url}">` }));
}

export const isLicenceLink = ({ rel, type = '' }: NonNullable<Page['links']>[number]): boolean =>
	/(?:^| )license(?: |$)/.test(rel) && type.toLowerCase() === rslType;

/** Of all links, only licence links state terms of use (RSL). */
const isLicence = (link: string): boolean => /\blicense\b/i.test(link) && /application\/rsl\+xml/i.test(link);

/** A 304 updates the fields that it has, and leaves the others as they were (RFC 9111 §3.2). */
export function termsAfter304(headers: Iterable<readonly [string, string]>, before: Terms = []): Terms {
	const now = termsOf(headers);
	return [...before.filter(([field]) => !now.some(([name]) => name === field)), ...now];
}
