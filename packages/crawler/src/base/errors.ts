/** Reasons why a crawl cannot work at all. */
export type CrawlErrorCode =
	| 'no-seeds'
	| 'bad-seed'
	| 'bad-option'
	| 'no-contact'
	| 'store-in-use'
	| 'store-unreadable'
	| 'store-failed'
	| 'lease-lost'
	| 'cycle-over'
	| 'sink-failed'
	| 'fetcher-closed'
	| 'no-browser';

/** Ends a crawl. What was committed before stays. */
export class CrawlError extends Error {
	readonly code: CrawlErrorCode;

	constructor(code: CrawlErrorCode, message: string, options: { cause?: unknown } = {}) {
		super(message, options);
		this.name = 'CrawlError';
		this.code = code;
	}
}
