export interface ValidatorRow {
	etag: string | null;
	last_modified: string | null;
	body_hash: Uint8Array | null;
}

export function toValidators({ etag, last_modified, body_hash }: ValidatorRow) {
	return {
		...(etag !== null && { etag }),
		...(last_modified !== null && { lastModified: last_modified }),
		...(body_hash !== null && { bodyHash: body_hash }),
	};
}
