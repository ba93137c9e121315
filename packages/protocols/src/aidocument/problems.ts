import type { Finding as DocumentFinding } from '../internal/document-text.ts';
import type { Problem, Severity } from '../problem.ts';

const error = (sentence: string) => ({ severity: 'error' as const, sentence });
const warning = (sentence: string) => ({ severity: 'warning' as const, sentence });
const info = (sentence: string) => ({ severity: 'info' as const, sentence });

/** Severity and sentence of each code; `{name}` stands for an argument. An error makes the document unusable. */
export const aiDocumentProblems = {
	'aidocument-not-json': error('the text is no JSON from here on'),
	'aidocument-too-deep': error('the document nests deeper than {limit} levels'),
	'aidocument-unrecognised': error('this is no AIDocument: it has neither a schema object (2.0) nor a url (1.0)'),
	'aidocument-unsupported-version': error('version {version} is not supported: 1.0 and 2.x are'),
	'aidocument-migrated': info('a document of version 1.0, read as 2.0'),
	'aidocument-missing-field': error('{pointer} is required and missing'),
	'aidocument-wrong-type': error('{pointer} should be of type {expected}, not {found}'),
	'aidocument-wrong-value': error('{pointer} should be {expected}, not {found}'),
	'aidocument-byte-order-mark': warning('the text begins with a byte order mark, which JSON does not allow'),
	'aidocument-empty-field': info('{pointer} is empty: an optional field without a value is left out'),
	'aidocument-dropped-field': warning('{pointer} was dropped with version 1.0: it is not portable'),
	'aidocument-cache-contradiction': warning('cache.status {status} does not go with {pointer} = {found}'),
	'aidocument-signals-contradiction': warning(
		'{pointer} is {found}, but the structure of the document says {expected}',
	),
	'aidocument-economics-arithmetic': warning('{pointer} is {found}, but follows from the other numbers as {expected}'),
	'aidocument-malformed-language': warning('identity.language {found} is no BCP 47 language tag'),
	'aidocument-mime-content-type': warning(
		'identity.content_type is a class of page such as article, not the MIME type {found}',
	),
	'aidocument-omitted': info('{count} more problems are not listed'),
} satisfies Record<string, { severity: Severity; sentence: string }>;

export type AIDocumentProblemCode = keyof typeof aiDocumentProblems;
export type AIDocumentProblem = Problem<AIDocumentProblemCode>;

export type Finding = DocumentFinding<AIDocumentProblemCode>;
