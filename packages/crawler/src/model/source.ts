import type { Representation } from './representation.ts';

/** What a document is made from: the page itself, or a representation of it. */
export interface Source {
	readonly kind: Representation['kind'];
	/** Of the page. */
	readonly url: string;
	readonly body: Uint8Array;
	/** The whole header. */
	readonly contentType: string | undefined;
}
