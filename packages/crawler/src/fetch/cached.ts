import { present } from '@wayleave/protocols';
import { rfc3339 } from '../base/time.ts';
import { isFresh } from '../model/representation.ts';
import { isSpent, type Result } from '../model/result.ts';
import type { KnownUrl } from '../store/roles/frontier.ts';
import type { Snapshot } from '../store/roles/pages.ts';
import type { Store } from '../store/roles/store.ts';

/** The snapshots of results. */
const snapshots = new WeakMap<Result, Snapshot>();

/**
 * The stored snapshot, its time of fetching as it was (AIWebIndex 2.0 §4.2).
 *
 * @param maxAge how long ago the site may have said last that it is good; milliseconds
 * @param known an earlier result for the URL: returned itself if nothing but the time of asking differs
 */
export async function findCached(
	store: Pick<Store, 'frontier' | 'pages'>,
	url: string,
	now: number,
	maxAge = Number.POSITIVE_INFINITY,
	known?: Result,
): Promise<Result | undefined> {
	const asked = await store.frontier.find(url);
	const { redirectedTo } = asked ?? {};
	const page = redirectedTo === undefined ? asked : await store.frontier.find(redirectedTo);
	if (page === undefined || isRevoked(page)) return undefined;
	const before = known && snapshots.get(known);
	const snapshot = await store.pages.snapshot(page.url, before);
	if (snapshot === undefined || now - snapshot.checkedAt > maxAge) return undefined;
	const { document, page: more, policy, representation } = snapshot;
	if (isSpent(policy)) return undefined;
	if (representation?.freshUntil !== undefined && !isFresh(representation, now)) return undefined;
	if (snapshot === before && known?.url === url && known.redirectedTo === redirectedTo) return known;
	const result: Result = {
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
		...present({ page: more, policy, representation }),
	};
	snapshots.set(result, snapshot);
	return result;
}

/** Pages that are gone or now refused are never served from the cache. */
const isRevoked = ({ outcome }: KnownUrl): boolean => outcome === 'gone' || outcome === 'refused';
