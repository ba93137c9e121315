import type { Representation } from './representation.ts';

/** The source of a document: the page itself, or a representation of it. */
export interface Source {
	readonly kind: Representation['kind'];
	/** Of the page. */
	readonly url: string;
	readonly body: Uint8Array;
	/** The whole header. */
	readonly contentType: string | undefined;
}
