import type { Problem, Severity } from '../problem.ts';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const somProblems = {
	'som-endpoint-missing': warning('{name} has no effect without SOM-Endpoint'),
	'som-invalid-endpoint': error('{value} is no absolute http or https URL: the endpoint is not used'),
	'som-endpoint-not-https': warning('{value} is not served over https: agents do not use it'),
	'som-endpoint-without-path': warning('{value} has no path: agents append /v1/som; write the full URL'),
	'som-unknown-format': error('{value} is no known format: the endpoint is not used'),
	'som-unknown-scope': warning('{value} is no known scope: it is ignored'),
	'som-unknown-auth': warning('{value} is no known kind of authentication: the endpoint is not used'),
	'som-invalid-number': warning('{name} is a whole number, not {value}: it is ignored'),
	'som-repeated': warning('{name} already stands in line {first}: this line is ignored'),
	'som-unknown-directive': warning('{name} is not a SOM directive of this layer: it is ignored'),
	'som-foreign-source': warning('the representation is of {source}, not of this page: it is ignored'),
	'som-document-not-json': error('the text is no JSON from here on'),
	'som-document-too-deep': error('the document nests deeper than {limit} levels'),
	'som-document-unsupported-version': error('som_version {version} is not supported: 0.1 and later, and 1.x are'),
	'som-document-missing-field': error('{pointer} is required and missing'),
	'som-document-wrong-type': error('{pointer} should be of type {expected}, not {found}'),
	'som-document-wrong-value': error('{pointer} should be {expected}, not {found}'),
	'som-document-empty-region': warning('{pointer} has no elements: an empty region is left out'),
	'som-document-repeated-id': warning('the id {id} is already used: identifiers are unique in a document'),
	'som-document-byte-order-mark': info('the text begins with a byte order mark, which JSON does not allow'),
	'som-document-omitted': info('{count} more problems are not listed'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type SomProblemCode = keyof typeof somProblems;
export type SomProblem = Problem<SomProblemCode>;
