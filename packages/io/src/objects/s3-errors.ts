import type { S3Place } from './place.ts';
import { formatPlace } from './place.ts';
import { ObjectStoreError } from './types.ts';

/** The fields of an error of the AWS SDK that are looked at. */
interface S3Error {
	readonly name?: string;
	readonly message?: string;
	readonly code?: string;
	readonly $metadata?: { readonly httpStatusCode?: number };
}

/** A stored object is not what was sent. */
export class BrokenUpload extends Error {
	override readonly name = 'BrokenUpload';
}

/** Errors of connections; the SDK passes those of Node on. */
const connectionErrors: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'ECONNABORTED',
	'EPIPE',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EAI_AGAIN',
	'ERR_STREAM_PREMATURE_CLOSE',
]);
/** Errors of a server that may take the same request a moment later. */
const passingErrors: ReadonlySet<string> = new Set([
	'SlowDown',
	'RequestTimeout',
	'InternalError',
	'ServiceUnavailable',
	'Throttling',
	'ThrottlingException',
	'RequestLimitExceeded',
	'OperationAborted',
	'IncompleteBody',
	'BadDigest',
	'XAmzContentSHA256Mismatch',
	'TimeoutError',
	'AbortError',
	'BrokenUpload',
]);

/** Why a request may succeed later; undefined if it may not. */
export function temporaryDetail(error: unknown): string | undefined {
	const { name = '', code = '', message = '', $metadata } = error as S3Error;
	const status = $metadata?.httpStatusCode ?? 0;
	if (connectionErrors.has(code)) return `the server cannot be reached (${code})`;
	if (/socket hang up|aborted/i.test(message) && status === 0) return 'the server closed the connection';
	if (name === 'TimeoutError' || name === 'AbortError') return 'the server does not respond';
	if (passingErrors.has(name)) return name === 'BrokenUpload' ? message : `the server says ${name}`;
	if (status === 429 || status === 408 || (status >= 500 && status !== 501))
		return `the server responds with ${status}`;
	return undefined;
}

/** Whether the error says that there is no such object. */
export function isMissingObject(error: unknown): boolean {
	const { name, $metadata } = error as S3Error;
	return name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404);
}

const credentials = 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or use the role of the machine';

/** An error of the SDK as a sentence that says what to do. */
export function explainS3(error: unknown, place: S3Place, action: string): ObjectStoreError {
	if (error instanceof ObjectStoreError) return error;
	const { name = '', message = '', $metadata } = error as S3Error;
	const status = $metadata?.httpStatusCode ?? 0;
	const make = (code: ObjectStoreError['code'], sentence: string) =>
		new ObjectStoreError(code, `${formatPlace(place)}: ${sentence}`, { cause: error });
	if (name === 'NoSuchBucket')
		return make('no-bucket', `the bucket ${place.bucket} does not exist: create it, or choose another one`);
	if (/Credential/.test(name) || /could not load credentials/i.test(message))
		return make('no-access', `no credentials were found: ${credentials}`);
	if (name === 'ExpiredToken' || name === 'TokenRefreshRequired')
		return make('no-access', 'the credentials have expired: sign in again');
	if (name === 'SignatureDoesNotMatch' || name === 'InvalidAccessKeyId')
		return make('no-access', `the server does not accept the credentials (${name}): ${credentials}`);
	if (name === 'RequestTimeTooSkewed') return make('no-access', 'the clock of this machine is wrong: set it');
	if (status === 403 || status === 401)
		return make('no-access', `these credentials may not ${action}: allow it in the policy of the bucket`);
	if (status === 301 || name === 'AuthorizationHeaderMalformed' || /region is missing/i.test(message))
		return make('failed', 'the bucket needs its region: set AWS_REGION, or add ?region=NAME');
	if ((error as S3Error).code === 'ENOTFOUND')
		return make('failed', 'the host of the endpoint does not exist: check AWS_ENDPOINT_URL_S3 or ?endpoint=URL');
	return make('failed', `the server refuses to ${action}: ${name === '' ? '' : `${name}: `}${message || status}`);
}
