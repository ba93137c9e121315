import type { FileKind } from '@wayleave/protocols/file-types';
import type { SomLayer, SomScope } from '@wayleave/protocols/som';

/** The preferred form of pages, if a site permits several. */
export type Preference = 'som' | 'markdown' | 'html';

/**
 * Why a document was made from what it was made from. `page-disallowed`: robots.txt forbids the page and offers this
 * instead; `announced`: the site offers it; `preferred`: the caller wanted it; `not-offered`: there was nothing else;
 * `not-usable`: there was, and it did not do (`detail` says why).
 */
export type RepresentationReason = 'page-disallowed' | 'announced' | 'preferred' | 'not-offered' | 'not-usable';

/** The representation that a document was made from, the reason, and its cost. */
export interface Representation {
	readonly kind: 'som' | 'markdown' | 'accessibility-tree' | 'html' | 'text' | FileKind;
	readonly why: RepresentationReason;
	readonly detail?: string;
	/** Of the response, decoded. */
	readonly bytes: number;
	/** Of cl100k_base, in the response as it came; for HTML only with `economics`. */
	readonly tokens?: number;
	/** The requested URL, if it was not the page. */
	readonly url?: string;
	/** The layer that named it (SOM directives §5.4). */
	readonly layer?: SomLayer;
	readonly scope?: SomScope;
	/** Advisory, as the site announced it. */
	readonly tokenBudget?: number;
	/** As the markup of the page tells. */
	readonly tokenCount?: number;
	/** Id of the key of the publisher whose signature holds; absent where nothing was signed. */
	readonly signedBy?: string;
	/** Until when it is used again without a request (RFC 3339), and with which validators it is asked for afterwards. */
	readonly freshUntil?: string;
	readonly etag?: string;
	readonly lastModified?: string;
}

/** Whether what is stored may be used without a request. */
export function isFresh({ freshUntil }: Representation, now: number): boolean {
	return freshUntil !== undefined && Date.parse(freshUntil) > now;
}
