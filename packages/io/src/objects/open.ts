import { FileObjects } from './file-objects.ts';
import { parsePlace } from './place.ts';
import type { ObjectStore, ObjectStoreOptions } from './types.ts';

/**
 * Opens a place for objects: `s3://BUCKET/PREFIX` (Amazon S3, or another server by `?endpoint=URL` or
 * `AWS_ENDPOINT_URL_S3`), or `file:FOLDER`. Sends no request yet.
 *
 * @throws ObjectStoreError `bad-place`, or `package-missing` when the client for S3 is not installed
 */
export async function openObjectStore(
	place: string,
	options: ObjectStoreOptions & { readonly cwd?: string } = {},
): Promise<ObjectStore> {
	const parsed = parsePlace(place, options.cwd ?? process.cwd());
	if (parsed.kind === 'file') return new FileObjects(parsed);
	// Loaded only by those who use it.
	const { S3Objects } = await import('./s3-objects.ts');
	return S3Objects.open(parsed, options);
}
