import { isObject } from '../internal/json-schema.ts';
import { maxJsonDepth } from '../internal/json-text.ts';
import { nowhere } from '../internal/problem-maker.ts';
import { excerpt } from '../internal/text-problems.ts';
import type { ParsedSom } from './directives.ts';
import type { SomProblem } from './problems.ts';
import { somProblem } from './report.ts';
import type { SomDeclaration, Stated } from './types.ts';
import { readChoice, readHttpUrl, type SomFormat, somFormats, somScopes } from './values.ts';

export const somSchemaType = 'WebPageSemanticRepresentation';

/**
 * Reads the JSON-LD of a page, block by block as JSON values: the first `WebPageSemanticRepresentation` of this page
 * with a `representationUrl` (SOM directives §5.2). It may stand anywhere in a block, also inside `@graph`.
 */
export function parseSomSchemaOrg(blocks: readonly unknown[], pageUrl: string): ParsedSom {
	const problems: SomProblem[] = [];
	for (const candidate of findRepresentations(blocks, 0)) {
		const declaration = readRepresentation(candidate, pageUrl, problems);
		if (declaration !== undefined) return { value: declaration, problems };
	}
	return { value: {}, problems };
}

function* findRepresentations(value: unknown, depth: number): Generator<Record<string, unknown>> {
	if (depth > maxJsonDepth || typeof value !== 'object' || value === null) return;
	if (isObject(value) && hasType(value['@type'])) yield value;
	for (const inner of Object.values(value)) yield* findRepresentations(inner, depth + 1);
}

/** `Name`, `schema:Name` and `https://schema.org/Name` all name the type; a node may have several. */
function hasType(type: unknown): boolean {
	const types = Array.isArray(type) ? type : [type];
	return types.some((name) => typeof name === 'string' && name.replace(/^.*[/:#]/, '') === somSchemaType);
}

function readRepresentation(
	node: Record<string, unknown>,
	pageUrl: string,
	problems: SomProblem[],
): SomDeclaration | undefined {
	const { sourceUrl, representationUrl, representationFormat, contentScope, tokenCount } = node;
	if (typeof sourceUrl === 'string' && !isSamePage(sourceUrl, pageUrl)) {
		problems.push(somProblem('som-foreign-source', nowhere, { source: excerpt(sourceUrl) }));
		return undefined;
	}
	const written = typeof representationUrl === 'string' ? representationUrl : '';
	const url = written === '' ? undefined : readHttpUrl(written, pageUrl);
	if (url === undefined) {
		problems.push(somProblem('som-invalid-endpoint', nowhere, { value: excerpt(written) }));
		return undefined;
	}
	const format = statedText(representationFormat, (text) => readChoice<SomFormat>(somFormats, text));
	if (format !== undefined && format.value === undefined) {
		problems.push(somProblem('som-unknown-format', nowhere, { value: excerpt(format.written) }));
	}
	const scope = statedText(contentScope, (text) => readChoice(somScopes, text));
	if (scope !== undefined && scope.value === undefined) {
		problems.push(somProblem('som-unknown-scope', nowhere, { value: excerpt(scope.written) }));
	}
	const isCount = Number.isSafeInteger(tokenCount) && (tokenCount as number) >= 0;
	return {
		target: { value: { kind: 'representation', url: url.href }, written, ...nowhere },
		...(format && { format }),
		...(scope?.value && { scope: { ...scope, value: scope.value } }),
		...(isCount && { tokenCount: { value: tokenCount as number, written: String(tokenCount), ...nowhere } }),
	};
}

function statedText<Value>(written: unknown, read: (text: string) => Value): Stated<Value> | undefined {
	return typeof written === 'string' ? { value: read(written), written, ...nowhere } : undefined;
}

function isSamePage(sourceUrl: string, pageUrl: string): boolean {
	return readHttpUrl(sourceUrl, pageUrl)?.href === readHttpUrl(pageUrl)?.href;
}
