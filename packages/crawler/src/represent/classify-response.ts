import type { FetchResult, FetchSuccess } from '@wayleave/io/http';
import type { Ending } from '../model/outcome.ts';

/**
 * Meaning of an endpoint's response. `final`: a decision about the page, which applies to the page itself
 * too; `unusable`: as if there were no endpoint, so that a page that is permitted is fetched itself.
 */
export type Meaning =
	| { readonly means: 'content'; readonly response: FetchSuccess }
	| { readonly means: 'not-modified'; readonly response: FetchSuccess }
	| { readonly means: 'final'; readonly ending: Ending }
	| { readonly means: 'unusable'; readonly detail: string };

/** @param permitted whether the page itself may be fetched */
export function meaningOf(response: FetchResult, permitted: boolean, conditional: boolean): Meaning {
	if (!response.ok) return { means: 'unusable', detail: response.reason };
	const { status } = response;
	const detail = `the SOM endpoint responded with ${status}`;
	switch (status) {
		case 200:
		case 203:
			return { means: 'content', response };
		case 304:
			return conditional ? { means: 'not-modified', response } : { means: 'unusable', detail };
		case 404:
			if (permitted) return { means: 'unusable', detail };
			return { means: 'final', ending: { outcome: 'gone', reason: 'http-404', detail } };
		case 410:
			return { means: 'final', ending: { outcome: 'gone', reason: 'http-410', detail } };
		case 401:
		case 402:
		case 403:
		case 407:
		case 451:
			return { means: 'final', ending: { outcome: 'refused', reason: `http-${status}`, detail } };
		case 429:
			return { means: 'final', ending: { outcome: 'deferred', reason: 'rate-limited', detail } };
		default:
			return { means: 'unusable', detail };
	}
}
