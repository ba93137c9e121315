/** Bytes under keys, in a bucket or in a folder. A key has segments with `/` between them, none of them `.` or `..`. */
export interface ObjectStore {
	/** `s3://bucket/prefix` or `file:/folder`: where it is, for messages and for opening it again. */
	readonly place: string;
	/**
	 * Writes an object as a whole: readers see the old one or the new one, never a part. Resolves when it is durable.
	 *
	 * @throws ObjectStoreError
	 */
	put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, headers?: ObjectHeaders): Promise<void>;
	/** The bytes of an object; undefined if there is none. @throws ObjectStoreError */
	get(key: string): Promise<Uint8Array | undefined>;
	/** The bytes of an object, a piece at a time. @throws ObjectStoreError, `missing` if there is none */
	read(key: string): AsyncIterable<Uint8Array>;
	/** @throws ObjectStoreError */
	head(key: string): Promise<ObjectInfo | undefined>;
	/** The objects whose keys begin with `prefix`. @throws ObjectStoreError */
	list(prefix: string): AsyncIterable<ObjectInfo>;
	/** Removes objects; keys without one are ignored. @throws ObjectStoreError */
	delete(keys: readonly string[]): Promise<void>;
	close(): void;
}

/** Header fields with which a server gives out an object; a folder has none. */
export interface ObjectHeaders {
	/** `Content-Type` (RFC 9110 §8.3). */
	readonly contentType?: string | undefined;
	/** `Cache-Control` (RFC 9111 §5.2). */
	readonly cacheControl?: string | undefined;
}

export interface ObjectInfo {
	readonly key: string;
	/** Bytes. */
	readonly size: number;
	/** Milliseconds since 1970, by the clock of the server. */
	readonly modifiedAt: number;
}

export interface ObjectStoreOptions {
	/** Milliseconds for which a request is retried while the server is away or overloaded. Default 120,000. */
	readonly patience?: number;
	/** Called once when the server goes away, and once when it is back. */
	readonly onTrouble?: (trouble: ObjectStoreTrouble) => void;
	/** Default `process.env`. */
	readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ObjectStoreTrouble {
	readonly state: 'lost' | 'back';
	readonly detail: string;
}

export type ObjectStoreErrorCode =
	/** The place cannot be read as one. */
	| 'bad-place'
	/** The client for S3 is not installed. */
	| 'package-missing'
	/** The credentials are missing, wrong, or not allowed to do this. */
	| 'no-access'
	| 'no-bucket'
	/** There is no such object. */
	| 'missing'
	/** The server was away or overloaded for longer than the patience. */
	| 'unreachable'
	/** The server or the disk refuses for another reason. */
	| 'failed';

/** A place for objects cannot be used. The message names the place and says what to do. */
export class ObjectStoreError extends Error {
	readonly code: ObjectStoreErrorCode;

	constructor(code: ObjectStoreErrorCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.name = 'ObjectStoreError';
		this.code = code;
	}
}
