import { error, info, type ProblemTable, warning } from '../internal/problem-maker.ts';
import type { Problem } from '../problem.ts';

/** Severity and sentence of each code; `{name}` stands for an argument. */
export const somProblems = {
	'som-endpoint-missing': warning('{name} has no effect without SOM-Endpoint'),
	'som-invalid-endpoint': error('{value} is not an absolute http or https URL; the endpoint is not used'),
	'som-endpoint-not-https': warning('{value} is not an https URL; agents do not use it'),
	'som-endpoint-without-path': warning('{value} has no path, so agents append /v1/som; write the full URL'),
	'som-unknown-format': error('{value} is not a known format; the endpoint is not used'),
	'som-unknown-scope': warning('{value} is not a known scope and is ignored'),
	'som-unknown-auth': warning('{value} is not a known authentication method; the endpoint is not used'),
	'som-invalid-number': warning('{name} must be a whole number, not {value}; it is ignored'),
	'som-repeated': warning('{name} is already set in line {first}; this line is ignored'),
	'som-unknown-directive': warning('{name} is not a SOM directive at this place and is ignored'),
	'som-foreign-source': warning('the representation describes {source}, not this page, and is ignored'),
	'som-document-not-json': error('the text is not valid JSON from here on'),
	'som-document-too-deep': error('the document nests deeper than {limit} levels'),
	'som-document-unsupported-version': error(
		'som_version {version} is not supported; supported are 0.1 and later, and 1.x',
	),
	'som-document-missing-field': error('{pointer} is required but missing'),
	'som-document-wrong-type': error('{pointer} should be of type {expected}, not {found}'),
	'som-document-wrong-value': error('{pointer} should be {expected}, not {found}'),
	'som-document-empty-region': warning('{pointer} has no elements: omit empty regions'),
	'som-document-repeated-id': warning('the id {id} is already used; ids must be unique in a document'),
	'som-document-byte-order-mark': info('the text begins with a byte order mark, which JSON does not allow'),
	'som-document-omitted': info('{count} more problems are not listed'),
} satisfies ProblemTable;

export type SomProblemCode = keyof typeof somProblems;
export type SomProblem = Problem<SomProblemCode>;
