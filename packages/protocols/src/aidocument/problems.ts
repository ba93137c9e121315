import type { Problem, Severity } from '../problem.ts';

/** The sentence for each code; `{name}` stands for an argument of the problem. */
export const aiDocumentProblems = {
	'aidocument-not-json': 'the text is no JSON from here on',
	'aidocument-too-deep': 'the document nests deeper than {limit} levels',
	'aidocument-unrecognised': 'this is no AIDocument: it has neither a schema object (2.0) nor a url (1.0)',
	'aidocument-unsupported-version': 'version {version} is not supported: 1.0 and 2.x are',
	'aidocument-migrated': 'a document of version 1.0, read as 2.0',
	'aidocument-missing-field': '{pointer} is required and missing',
	'aidocument-wrong-type': '{pointer} should be of type {expected}, not {found}',
	'aidocument-wrong-value': '{pointer} should be {expected}, not {found}',
	'aidocument-byte-order-mark': 'the text begins with a byte order mark, which JSON does not allow',
	'aidocument-empty-field': '{pointer} is empty: an optional field without a value is left out',
	'aidocument-dropped-field': '{pointer} was dropped with version 1.0: it is not portable',
	'aidocument-cache-contradiction': 'cache.status {status} does not go with {pointer} = {found}',
	'aidocument-signals-contradiction': '{pointer} is {found}, but the structure of the document says {expected}',
	'aidocument-economics-arithmetic': '{pointer} is {found}, but follows from the other numbers as {expected}',
	'aidocument-malformed-language': 'identity.language {found} is no BCP 47 language tag',
	'aidocument-mime-content-type': 'identity.content_type is a class of page such as article, not the MIME type {found}',
} as const;

export type AIDocumentProblemCode = keyof typeof aiDocumentProblems;
export type AIDocumentProblem = Problem<AIDocumentProblemCode>;

/** A problem before its place in the text is known. */
export interface Finding {
	readonly code: AIDocumentProblemCode;
	readonly pointer: string;
	readonly args?: Readonly<Record<string, string | number>>;
}

/** Errors make the document unusable; the rest can be read in spite of them. */
export const aiDocumentSeverities = {
	'aidocument-not-json': 'error',
	'aidocument-too-deep': 'error',
	'aidocument-unrecognised': 'error',
	'aidocument-unsupported-version': 'error',
	'aidocument-migrated': 'info',
	'aidocument-missing-field': 'error',
	'aidocument-wrong-type': 'error',
	'aidocument-wrong-value': 'error',
	'aidocument-byte-order-mark': 'warning',
	'aidocument-empty-field': 'info',
	'aidocument-dropped-field': 'warning',
	'aidocument-cache-contradiction': 'warning',
	'aidocument-signals-contradiction': 'warning',
	'aidocument-economics-arithmetic': 'warning',
	'aidocument-malformed-language': 'warning',
	'aidocument-mime-content-type': 'warning',
} as const satisfies Record<AIDocumentProblemCode, Severity>;
