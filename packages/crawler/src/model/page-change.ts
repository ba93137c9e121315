import type { Limits, Obligations } from '@wayleave/protocols/policy';
import type { DocumentDiff } from '../diff/block-diff.ts';

/** Kinds of change to a page. */
export const pageChangeKinds = ['added', 'changed', 'gone', 'moved', 'terms'] as const;
export type PageChangeKind = (typeof pageChangeKinds)[number];

/** The terms of a site for one page, as far as a change of them is a change of the page. */
export interface PageTerms {
	/** Whether the page may be requested. */
	readonly permitted: boolean;
	/** For a page that may not: the reason of its outcome. */
	readonly reason?: string;
	/** Declared uses, and the site's statement on each. */
	readonly uses?: Readonly<Record<string, string>>;
	readonly obligations?: Obligations;
	readonly limits?: Limits;
	/** Lines that refer to licence terms. */
	readonly licences?: readonly string[];
}

/** One announced version of the document of a page. */
export interface AnnouncedVersion {
	/** Counts the announced versions of the page from 1. */
	readonly version: number;
	/** SHA-256 of its Markdown, as hexadecimal digits. */
	readonly sha256: string;
}

/** One change to a page: the `data` of a notice. */
export interface PageChange {
	readonly kind: PageChangeKind;
	readonly url: string;
	/** When the crawler saw it; RFC 3339. */
	readonly at: string;
	/** Of the current document; for a page that is gone, of the last one. */
	readonly title?: string;
	/** For `changed` and `moved`: the version that the difference applies to, if the store had it. */
	readonly before?: AnnouncedVersion;
	/** For `added`, `changed` and `moved`. */
	readonly after?: AnnouncedVersion;
	/** From the Markdown of `before`, else from an empty document, to that of `after` (`applyDiff`). */
	readonly diff?: DocumentDiff;
	/** Why there is no difference. */
	readonly withheld?: string;
	/** For `moved`: the address of the page now. For `gone`: where its address leads, to another page. */
	readonly movedTo?: string;
	/** For `moved`: how the site says so. */
	readonly by?: 'redirect' | 'canonical';
	/** For `gone`: the reason of the outcome, `http-404`. */
	readonly reason?: string;
	/** For `terms`. */
	readonly terms?: { readonly before: PageTerms; readonly after: PageTerms };
}
