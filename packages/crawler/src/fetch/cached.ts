import { rfc3339 } from '../base/time.ts';
import { isFresh } from '../model/representation.ts';
import { isSpent, type Result } from '../model/result.ts';
import type { KnownUrl } from '../store/roles/frontier.ts';
import type { Store } from '../store/roles/store.ts';

/**
 * The stored snapshot, its time of fetching as it was (AIWebIndex 2.0 §4.2).
 *
 * @param maxAge how long ago the site may have said last that it is good; milliseconds
 */
export async function findCached(
	store: Store,
	url: string,
	now: number,
	maxAge = Number.POSITIVE_INFINITY,
): Promise<Result | undefined> {
	const known = await store.find(url);
	const { redirectedTo } = known ?? {};
	const page = redirectedTo === undefined ? known : await store.find(redirectedTo);
	if (page === undefined || isWithdrawn(page)) return undefined;
	const snapshot = await store.snapshot(page.url);
	if (snapshot === undefined || now - snapshot.checkedAt > maxAge) return undefined;
	const { document, page: more, policy, representation } = snapshot;
	if (isSpent(policy)) return undefined;
	if (representation?.freshUntil !== undefined && !isFresh(representation, now)) return undefined;
	return {
		url,
		outcome: 'unchanged',
		reason: 'cached',
		depth: 0,
		at: rfc3339(now),
		...(redirectedTo !== undefined && { redirectedTo }),
		document: {
			...document,
			source: { ...document.source, freshness_policy: 'cache_first' },
			cache: { status: 'hit', origin_contacted: false, body_fetched: false },
		},
		...(more && { page: more }),
		...(policy && { policy }),
		...(representation && { representation }),
	};
}

/** What a site has taken away, or forbids by now, is not given from memory. */
const isWithdrawn = ({ outcome }: KnownUrl): boolean => outcome === 'gone' || outcome === 'refused';
