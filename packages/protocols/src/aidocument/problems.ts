import type { Finding as DocumentFinding } from '../internal/document-text.ts';
import { error, info, type ProblemTable, warning } from '../internal/problem-maker.ts';
import type { Problem } from '../problem.ts';

/** Severity and sentence of each code; `{name}` stands for an argument. An error makes the document unusable. */
export const aiDocumentProblems = {
	'aidocument-not-json': error('the text is not valid JSON from here on'),
	'aidocument-too-deep': error('the document nests deeper than {limit} levels'),
	'aidocument-unrecognised': error('this is not an AIDocument: it has neither a schema object (2.0) nor a url (1.0)'),
	'aidocument-unsupported-version': error('version {version} is not supported; supported are 1.0 and 2.x'),
	'aidocument-migrated': info('the document has version 1.0 and was migrated to 2.0'),
	'aidocument-missing-field': error('{pointer} is required but missing'),
	'aidocument-wrong-type': error('{pointer} should be of type {expected}, not {found}'),
	'aidocument-wrong-value': error('{pointer} should be {expected}, not {found}'),
	'aidocument-byte-order-mark': warning('the text begins with a byte order mark, which JSON does not allow'),
	'aidocument-empty-field': info('{pointer} is empty: omit optional fields that have no value'),
	'aidocument-dropped-field': warning(
		'{pointer} was dropped in the migration from version 1.0: it has no counterpart in 2.0',
	),
	'aidocument-cache-contradiction': warning('cache.status {status} contradicts {pointer} = {found}'),
	'aidocument-signals-contradiction': warning(
		'{pointer} is {found}, but the structure of the document says {expected}',
	),
	'aidocument-economics-arithmetic': warning('{pointer} is {found}, but the other numbers give {expected}'),
	'aidocument-malformed-language': warning('identity.language {found} is not a BCP 47 language tag'),
	'aidocument-mime-content-type': warning(
		'identity.content_type must be a page class such as article, not the MIME type {found}',
	),
	'aidocument-omitted': info('{count} more problems are not listed'),
} satisfies ProblemTable;

export type AIDocumentProblemCode = keyof typeof aiDocumentProblems;
export type AIDocumentProblem = Problem<AIDocumentProblemCode>;

export type Finding = DocumentFinding<AIDocumentProblemCode>;
