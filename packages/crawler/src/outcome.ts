/** How a URL can end. Every URL that is ever seen ends as exactly one of these. */
export type Outcome = 'fetched' | 'unchanged' | 'gone' | 'refused' | 'failed' | 'deferred' | 'out-of-scope';
