/**
 * Bytes of the SHA-256 of a body that a store keeps. 128 bits tell two versions of a page apart; who makes two bodies with
 * the same ones can only hide changes of pages of its own.
 */
const keptLength = 16;

/** The part of a hash that is kept. */
export const keptHash = (hash: Uint8Array): Uint8Array => hash.subarray(0, keptLength);

/** Whether a hash is the known one, of which a store may have kept a part. */
export const isKnownHash = (known: Uint8Array, hash: Uint8Array): boolean =>
	known.length >= Math.min(keptLength, hash.length) && Buffer.compare(known, hash.subarray(0, known.length)) === 0;
