/** What can stand between a caller and an answer of the service itself; there is a page for each in `docs/problems/`. */
export const serviceProblems = {
	'bad-request': 'the request is not as the interface describes it',
	'key-missing': 'an API key is needed',
	'key-invalid': 'the API key is unknown or has been revoked',
	'key-expired': 'the API key has expired',
	'scope-missing': 'the API key does not cover this',
	'not-found': 'there is nothing at this address',
	'not-cached': 'no document of this page is stored, or it is too old',
	'submission-unknown': 'there is no such submission of this key',
	'method-not-allowed': 'the address does not know this method',
	'not-acceptable': 'the document is not to be had in any form that the request accepts',
	'request-too-large': 'the body of the request is larger than the limit',
	'request-not-json': 'the body of the request is not declared as JSON',
	'rate-exceeded': 'the key has made more requests than it may in this time',
	'quota-exceeded': 'the key has had all documents that it may have in one day',
	'queue-full': 'too many submissions of this key are waiting',
	'time-limit': 'the document was not there in time; it is still being fetched',
	'host-busy': 'another process of the operator is visiting this site',
	'shutting-down': 'the service is about to stop',
	'internal-error': 'the service itself has failed',
} as const satisfies Record<string, string>;

export type ServiceProblemCode = keyof typeof serviceProblems;

/** The HTTP status that goes with each. */
export const statusOfProblem = {
	'bad-request': 400,
	'key-missing': 401,
	'key-invalid': 401,
	'key-expired': 401,
	'scope-missing': 403,
	'not-found': 404,
	'not-cached': 404,
	'submission-unknown': 404,
	'method-not-allowed': 405,
	'not-acceptable': 406,
	'request-too-large': 413,
	'request-not-json': 415,
	'rate-exceeded': 429,
	'quota-exceeded': 429,
	'queue-full': 429,
	'time-limit': 504,
	'host-busy': 503,
	'shutting-down': 503,
	'internal-error': 500,
} as const satisfies Record<ServiceProblemCode, number>;
