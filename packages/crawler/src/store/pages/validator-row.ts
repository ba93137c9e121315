/** Before a date that is kept as seconds since 1970 in base 36: no date of a server begins with it (RFC 9110 §5.6.7). */
const packedMark = '@';

/** Keeps a date in the usual form as a number, a fifth of its size, and any other as it is. */
export function packDate(date: string): string {
	const milliseconds = Date.parse(date);
	return new Date(milliseconds).toUTCString() === date ? `${packedMark}${(milliseconds / 1000).toString(36)}` : date;
}

/** The date as the server sent it. */
export const unpackDate = (kept: string): string =>
	kept.startsWith(packedMark) ? new Date(Number.parseInt(kept.slice(1), 36) * 1000).toUTCString() : kept;

export interface ValidatorRow {
	etag: string | null;
	last_modified: string | null;
	body_hash: Uint8Array | null;
}

export function toValidators({ etag, last_modified, body_hash }: ValidatorRow) {
	return {
		...(etag !== null && { etag }),
		...(last_modified !== null && { lastModified: unpackDate(last_modified) }),
		...(body_hash !== null && { bodyHash: body_hash }),
	};
}
