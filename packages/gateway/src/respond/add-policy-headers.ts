import { vocabularies } from '@wayleave/protocols/policy';

/** Fields of which a response may have several; of the others the site's own stands. */
export const addsUp: ReadonlySet<string> = new Set([
	'link',
	'vary',
	...vocabularies.flatMap(({ headers = [] }) =>
		headers.flatMap(({ field, repeats }) => (repeats === 'add' ? [field] : [])),
	),
]);

/** Says the terms of a page in its headers, beside what the site says itself. */
export function addTerms(
	terms: Readonly<Record<string, string>>,
	has: (name: string) => boolean,
	append: (name: string, value: string) => void,
): void {
	for (const name in terms) {
		const value = terms[name] ?? '';
		if (value !== '' && (addsUp.has(name) || !has(name))) append(name, value);
	}
}
