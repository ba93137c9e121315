import type { FetchSuccess } from '@wayleave/io/http';

/** Suffixes that servers put on an entity tag when they compress, and do not take off when it comes back. */
const suffix = /-(?:gzip|br|deflate|zstd)(?="$)/;

/** The headers of a conditional request (RFC 9110 §13.1). */
export function conditionsOf(last: Validators | undefined): Record<string, string> {
	const { etag, lastModified } = last ?? {};
	const bare = etag?.replace(suffix, '');
	return {
		...(etag !== undefined && { 'If-None-Match': bare === etag ? etag : `${etag}, ${bare}` }),
		...(lastModified !== undefined && { 'If-Modified-Since': lastModified }),
	};
}

/** The validator that is compared here and not sent to the server. */
export function withoutConditions({ bodyHash }: Validators): Validators {
	return bodyHash === undefined ? {} : { bodyHash };
}

/** Whether anything was asked that a 304 could answer. */
export function isConditional(last: Validators | undefined): boolean {
	return last?.etag !== undefined || last?.lastModified !== undefined;
}

/** Validators of a response for the next request. An invalid tag (RFC 9110 §8.8.3) is not sent back. */
export function validatorsOf({ headers }: FetchSuccess): Validators {
	const etag = headers.getAll('etag')[0]?.trim();
	const lastModified = headers.getAll('last-modified')[0]?.trim();
	return {
		...(etag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) && { etag }),
		...(lastModified !== undefined && !Number.isNaN(Date.parse(lastModified)) && { lastModified }),
	};
}

/** Values that show whether a page has changed. */
export interface Validators {
	readonly etag?: string;
	readonly lastModified?: string;
	/** SHA-256 of the decoded body. */
	readonly bodyHash?: Uint8Array;
}
