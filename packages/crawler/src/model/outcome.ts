import { fetchFailures } from '@wayleave/io/http';

/** The outcomes in the order in which people want to read them. */
export const outcomes = ['fetched', 'unchanged', 'gone', 'refused', 'failed', 'deferred', 'out-of-scope'] as const;

/** How a URL can end. Every URL that is ever seen ends as exactly one of these. */
export type Outcome = (typeof outcomes)[number];

/** Reasons that are not an HTTP status: each with the sentence that explains it. */
export const reasonTexts = {
	redirected: 'the URL redirects to another one, which has its own outcome',
	'store-session-only': 'emitted but not stored: the site allows copies for the session only',
	'store-no': 'emitted but not stored: the site allows no copies',
	cached: 'the stored snapshot was emitted without a request',
	'not-modified': 'the server says that the page has not changed (304)',
	'same-content': 'the response is byte-for-byte the same as before',
	manifest: "the site's manifest lists the page as unchanged; no request was sent",
	'not-due': 'the page is not due for a recheck yet',
	'manifest-removed': 'the manifest lists the whole site and no longer lists the page',

	'robots-disallow': 'a robots.txt rule disallows the URL',
	'robots2-disallow': 'a robots2.txt path rule disallows the URL',
	'robots2-crawl-no': 'robots2.txt forbids crawling',
	'robots2-read-no': 'robots2.txt forbids reading',
	'robots2-ask': 'robots2.txt requires permission first, and the site granted none',
	'robots2-rate-zero': 'robots2.txt sets a request rate of zero',
	'policy-deny': "the site's policy forbids a declared use",
	'ask-denied': 'the site denied the permission request',
	'ask-out-of-scope': 'the site granted permission, but not for this URL',
	'ask-no-endpoint': 'the site requires permission but names no ask endpoint; treated as no',
	'ask-unreadable': "the ask endpoint's reply could not be parsed; treated as no",
	'ask-later': 'the ask endpoint said to ask again later',

	...fetchFailures,
	'too-many-redirects': 'more than ten redirects in a row',
	'redirect-loop': 'the redirects form a loop',
	'bad-redirect': 'a redirect has no Location that can be fetched',
	'304-without-request': 'the server sent 304 (not modified) to an unconditional request',
	'unsupported-type': 'this content type cannot be turned into a document',
	'pdf-without-text': 'the PDF has no visible text: it is a scan, or its text is hidden',
	'file-encrypted': 'the file needs a password, or a key of a shop',
	'file-copy-forbidden': 'the file does not permit copying its text',
	'file-damaged': 'the file is damaged or truncated',
	'file-over-limit': 'the file needs more pages, time or memory than the crawler spends on one',
	'no-content': 'the page has no text',
	'needs-rendering': 'the page has no text until its scripts run: --render auto reads it in a browser',
	'extraction-failed': 'the page could not be parsed',
	'soft-404': 'the site sends a web page for URLs that it does not have',
	'sitemap-unreadable': 'the file is neither a sitemap nor a feed',

	'robots-unreachable': 'robots.txt could not be fetched; the site is not crawled until it can be',
	'robots2-unreachable': 'robots2.txt could not be fetched; the site is not crawled until it can be',
	'rate-limited': 'the server asked for a longer pause than this run waits',
	'crawl-delay-too-long': 'the site asks for a longer crawl delay than this run waits',
	'host-unreachable': 'the host failed several times in a row',
	'max-pages': 'the page limit was reached',
	'budget-spent': 'the request budget of the host for this cycle is used up',

	'other-host': "on a host outside the crawl's scope",
	'other-domain': "on a domain outside the crawl's scope",
	'outside-prefix': "outside the crawl's path prefix",
	'max-depth': 'more links away from the start than the depth limit',
	'redirect-out-of-scope': "redirects out of the crawl's scope",
	nofollow: 'the page asks crawlers not to follow its links',
	filtered: 'excluded by a URL filter',
	feed: 'a feed or sitemap that a page links: a list of pages, not a page',
	forgotten: 'removed by wayleave store forget; --undo lets it be fetched again',
	'url-too-long': 'the URL is longer than 2,048 characters',
	'trap-repeated-path': 'the path repeats its own segments (crawler trap)',
	'trap-deep-path': 'the path has more segments than any real site uses (crawler trap)',
	'trap-calendar': 'an endless calendar: each date links to the next (crawler trap)',
	'trap-query-permutation': 'the same page under endless combinations of query parameters (crawler trap)',
	'trap-repeated-query': 'the query repeats one parameter (crawler trap)',
	'trap-nested-address': 'the URL holds a URL that holds another one (crawler trap)',
	'trap-copies': 'URLs of this form brought copies of known pages and nothing new (crawler trap)',
	alias: 'another URL of a page, which has its own outcome',
} as const satisfies Record<string, string>;

/** Why a URL ended as it did. `http-404` and the like name the status of the response. */
export type Reason = keyof typeof reasonTexts | `http-${number}`;

/** The sentence for a reason. */
export function explainReason(reason: Reason): string {
	return reason in reasonTexts
		? reasonTexts[reason as keyof typeof reasonTexts]
		: `the server responded with ${reason.slice('http-'.length)}`;
}

/** How one visit ended. */
export interface Ending {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	/** Details for people. */
	readonly detail?: string;
	/** For `alias`: the page whose other address this is. */
	readonly aliasOf?: string;
}
