/** The HTTP status that goes with each failure, and its sentence. */
export const problemTable = {
	'bad-request': [400, 'the request does not match the API description'],
	'host-unknown': [421, 'the request names a host that this server does not know as its own'],
	'origin-foreign': [403, 'the request comes from a page of another site'],
	'key-missing': [401, 'an API key is required'],
	'key-invalid': [401, 'the API key is unknown or has been revoked'],
	'key-expired': [401, 'the API key has expired'],
	'scope-missing': [403, 'the API key lacks the scope for this request'],
	'not-found': [404, 'the URL does not exist'],
	'not-cached': [404, 'no document of this page is stored, or it is too old'],
	'submission-unknown': [404, 'this key has no such submission'],
	'method-not-allowed': [405, 'the URL does not support this method'],
	'not-acceptable': [406, 'no representation matches the Accept header'],
	'request-too-large': [413, 'the request body is larger than the limit'],
	'request-not-json': [415, 'the request has no Content-Type of JSON'],
	'rate-exceeded': [429, 'the key has used up its request rate'],
	'quota-exceeded': [429, 'the key has used up its daily document quota'],
	'queue-full': [429, 'the key has too many queued submissions'],
	'time-limit': [504, 'the document was not ready in time; it is still being fetched'],
	'host-busy': [503, 'another process of the operator is crawling this site'],
	'shutting-down': [503, 'the service is shutting down'],
	'owner-refused': [403, 'the proven owner of the site excludes this page from the service'],
	'domain-invalid': [422, 'this domain cannot be owned (a public suffix)'],
	'site-unknown': [404, 'the domain is not registered with this key'],
	'site-unproven': [403, 'the ownership of the domain is not proven'],
	'signature-invalid': [403, 'the signature of the request does not hold, or cannot be checked'],
	'report-unknown': [404, 'the report does not exist, or it is not reviewed yet'],
	'internal-error': [500, 'the service failed'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ServiceProblemCode = keyof typeof problemTable;

/** Failures of the service itself; there is a page for each in `docs/problems/`. */
export const serviceProblems = Object.fromEntries(
	Object.entries(problemTable).map(([code, [, sentence]]) => [code, sentence]),
) as { readonly [Code in ServiceProblemCode]: (typeof problemTable)[Code][1] };
