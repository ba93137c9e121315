import { type HeaderLink, parseLinkHeader } from '../headers/index.ts';
import { excerpt } from '../internal/text-problems.ts';
import type { ParsedSom } from './directives.ts';
import type { SomProblem } from './problems.ts';
import { somProblem } from './report.ts';
import type { SomDeclaration, Stated } from './types.ts';
import { readHttpUrl, type SomFormat, somFormats, somMediaTypes } from './values.ts';

export const somLinkRelation = 'semantic-representation';

/**
 * Reads a `Link` header (SOM directives §5.3): the first link whose relation is `semantic-representation` and whose
 * target is a URL. It names the representation itself, and its `type` the format.
 * A relative target is resolved against the URL of the page.
 */
export function parseSomLink(header: string, pageUrl: string): ParsedSom {
	const problems: SomProblem[] = [];
	for (const link of parseLinkHeader(header)) {
		if (!link.rel.includes(somLinkRelation)) continue;
		const url = readHttpUrl(link.target, pageUrl);
		if (url !== undefined) return { value: declare(link, url.href, problems), problems };
		problems.push(somProblem('som-invalid-endpoint', nowhere, { value: excerpt(link.target) }));
	}
	return { value: {}, problems };
}

const nowhere = { line: 0, column: 0 };

function declare(link: HeaderLink, url: string, problems: SomProblem[]): SomDeclaration {
	const target = { value: { kind: 'representation', url }, written: link.target, ...nowhere } as const;
	const type = link.params.get('type');
	if (type === undefined || isAnyJson(type)) return { target };
	const format: Stated<SomFormat | undefined> = { value: formatOfType(type), written: type, ...nowhere };
	if (format.value === undefined) problems.push(somProblem('som-unknown-format', nowhere, { value: excerpt(type) }));
	return { target, format };
}

/** JSON of no particular kind says nothing of the format: the content will. */
function isAnyJson(type: string): boolean {
	return /^application\/(?:json|(?!som\+)[^;\s]+\+json)\s*(?:;|$)/i.test(type.trim());
}

function formatOfType(type: string): SomFormat | undefined {
	const essence = type.replace(/;.*/s, '').trim().toLowerCase();
	return somFormats.find((format) => format !== 'accessibility-tree' && somMediaTypes[format] === essence);
}
