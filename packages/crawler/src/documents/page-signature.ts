import type { MinHashSignature } from '../model/minhash-signature.ts';
import type { Prose } from '../read/prose.ts';

/** Hashes of a page's text, for comparison with other pages. */
export interface Signature {
	readonly minHash?: MinHashSignature | undefined;
	readonly prose: Prose;
	/** Of the decoded body. */
	readonly bodyHash: Uint8Array;
	/** The page with nearly the same text. */
	readonly twin?: Twin | undefined;
}

export interface Twin {
	readonly url: string;
	readonly prose?: number;
}
