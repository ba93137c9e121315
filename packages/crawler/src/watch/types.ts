import type { Result } from '../model/result.ts';

/** A server that gets signed notices of changes. */
export interface NoticeReceiver {
	/** `https:`; `http:` for this machine and private networks. */
	readonly url: string;
	/**
	 * The shared secret of Standard Webhooks: `whsec_` and 24 to 64 bytes as base64, or any other text of at least 24
	 * bytes.
	 */
	readonly secret: string;
}

/** Options of a watch: a crawl that remembers what pages said, and tells what has changed. */
export interface WatchOptions {
	/** Get a signed notice of each change. Default: none. */
	readonly receivers?: readonly NoticeReceiver[];
	/** Earlier versions of each page that the store keeps, from 1. Default 5. */
	readonly history?: number;
}

/** A visit as far as a watch looks at it. */
export interface ObservedVisit {
	readonly visit: { readonly at: number };
	readonly results: readonly Result[];
	/** Whether documents may be stored. */
	readonly keep: boolean;
	/** Whether all redirects of the visit were permanent (301, 308); undefined without any. */
	readonly permanent?: boolean;
}
