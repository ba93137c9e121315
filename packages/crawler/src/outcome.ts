import { fetchFailures } from '@wayleave/io';

/** The outcomes in the order in which people want to read them. */
export const outcomes = ['fetched', 'unchanged', 'gone', 'refused', 'failed', 'deferred', 'out-of-scope'] as const;

/** How a URL can end. Every URL that is ever seen ends as exactly one of these. */
export type Outcome = (typeof outcomes)[number];

/** Reasons that are not an HTTP status: each with the sentence that explains it. */
export const reasonTexts = {
	redirected: 'the address leads to another one, which has its own outcome',
	'store-session-only': 'handed over, but not kept: the site allows no copy that outlives the session',
	'store-no': 'handed over, but not kept: the site allows no copy',
	cached: 'the stored snapshot was given, and nothing was asked',
	'not-modified': 'the server says that the page has not changed (304)',
	'same-content': 'the page was sent again, byte for byte the same',
	manifest: 'the manifest of the site says that nothing has changed, and nothing was asked',
	'not-due': 'the page has not been due for another look yet',
	'manifest-removed': 'the manifest, which lists the whole site, no longer has the page',

	'robots-disallow': 'a rule of robots.txt forbids the address',
	'robots2-disallow': 'a path rule of robots2.txt forbids the address',
	'robots2-crawl-no': 'robots2.txt forbids crawling',
	'robots2-read-no': 'robots2.txt forbids reading',
	'robots2-ask': 'robots2.txt wants to be asked first, and no permission was given',
	'robots2-rate-zero': 'robots2.txt allows no requests at all',
	'policy-deny': 'a policy of the site forbids a use that was declared',
	'ask-denied': 'the site was asked and said no',
	'ask-out-of-scope': 'the site was asked and said yes, but not for this address',
	'ask-no-endpoint': 'the site wants to be asked, and has no place where that could be done: that is a no',
	'ask-unreadable': 'the site was asked, and its answer is none: that is a no',
	'ask-later': 'the site was asked, and wants to be asked again later',

	...fetchFailures,
	'too-many-redirects': 'one redirect led to the next, more than ten times',
	'redirect-loop': 'the redirects lead back to where they began',
	'bad-redirect': 'a redirect names no address that could be fetched',
	'304-without-request': 'the server answered "not modified" to a request that did not ask',
	'unsupported-type': 'no document is made from this kind of content',
	'no-content': 'the answer has no content',
	'extraction-failed': 'the page could not be read',
	'soft-404': 'a web page was sent in the place of the file',
	'sitemap-unreadable': 'the file is neither a sitemap nor a feed',

	'robots-unreachable': 'robots.txt could not be fetched, and nothing else may be until it can',
	'robots2-unreachable': 'robots2.txt could not be fetched, and nothing else may be until it can',
	'rate-limited': 'the server asked for a pause longer than this run waits',
	'crawl-delay-too-long': 'the site wants a delay longer than this run waits',
	'host-unreachable': 'the host failed several times in a row',
	'max-pages': 'the limit of pages was reached',
	'budget-spent': 'the host had its share of requests for this cycle',

	'other-host': 'on a host that was not asked for',
	'other-domain': 'on a domain that was not asked for',
	'outside-prefix': 'outside the path that was asked for',
	'max-depth': 'further from the start than was asked for',
	'redirect-out-of-scope': 'a redirect leads to where was not asked for',
	nofollow: 'the page asks that its links are not followed',
	filtered: 'left out by a filter of the caller',
	'url-too-long': 'the address is longer than 2,048 characters',
	'trap-repeated-path': 'the path repeats itself: an endless tree',
	'trap-deep-path': 'the path is deeper than any site needs',
	'trap-calendar': 'one date leads to the next without end',
	'trap-query-permutation': 'the same page under ever new combinations of parameters',
	'trap-repeated-query': 'the query repeats the same parameter',
} as const satisfies Record<string, string>;

/** Why a URL ended as it did. `http-404` and the like name the status of the answer. */
export type Reason = keyof typeof reasonTexts | `http-${number}`;

/** The sentence for a reason. */
export function explainReason(reason: Reason): string {
	return reason in reasonTexts
		? reasonTexts[reason as keyof typeof reasonTexts]
		: `the server answered ${reason.slice('http-'.length)}`;
}

/** How one visit ended. */
export interface Ending {
	readonly outcome: Outcome;
	readonly reason?: Reason;
	/** What exactly happened, for people. */
	readonly detail?: string;
}
