import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from './place.ts';
import { formatPlace } from './place.ts';
import { ObjectStoreError } from './types.ts';

/** The module of the official client; not installed with Wayleave. */
export type S3Module = typeof import('@aws-sdk/client-s3');

/** Connections to a server at a time. */
export const maxConnections = 32;

/** @throws ObjectStoreError `package-missing` when the client is not installed */
export async function loadS3(place: S3Place, load = () => import('@aws-sdk/client-s3')): Promise<S3Module> {
	try {
		return await load();
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@aws-sdk/client-s3'")) throw error;
		throw new ObjectStoreError(
			'package-missing',
			`${formatPlace(place)} needs the package @aws-sdk/client-s3: run npm install @aws-sdk/client-s3`,
			{ cause: error },
		);
	}
}

/**
 * Credentials, profiles and roles are found as in every program with the SDK. With an endpoint of its own the bucket is
 * in the path, since few servers besides AWS have a name for each bucket.
 */
export function createS3Client(
	{ S3Client }: S3Module,
	place: S3Place,
	given: Readonly<Record<string, string | undefined>> | undefined,
): S3Client {
	const env = given ?? process.env;
	const endpoint = place.endpoint ?? env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
	const region = place.region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? (endpoint && 'us-east-1');
	return new S3Client({
		...(endpoint && { endpoint }),
		...(region && { region }),
		// An environment that is not that of the process: the SDK does not look into it.
		...(given?.AWS_ACCESS_KEY_ID && {
			credentials: { accessKeyId: given.AWS_ACCESS_KEY_ID, secretAccessKey: given.AWS_SECRET_ACCESS_KEY ?? '' },
		}),
		forcePathStyle: place.pathStyle ?? endpoint !== undefined,
		// `Retry` retries for as long as the caller has patience, and reports it.
		maxAttempts: 1,
		// The same steps for each command: to put them together again takes a third of an upload.
		cacheMiddleware: true,
		// The checksums of later versions of S3 are unknown to many servers; `Content-MD5` is known to all.
		requestChecksumCalculation: 'WHEN_REQUIRED',
		responseChecksumValidation: 'WHEN_REQUIRED',
		requestHandler: {
			connectionTimeout: 10_000,
			httpAgent: { maxSockets: maxConnections, keepAlive: true },
			httpsAgent: { maxSockets: maxConnections, keepAlive: true },
		},
	});
}
