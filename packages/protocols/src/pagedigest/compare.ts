import { describeKey } from './coverage.ts';
import type { Manifest } from './types.ts';

/** The URLs of a site that a consumer knows, and the revisions it fetched. A manifest fits too. */
export interface KnownRevisions {
	/** Undefined until a whole cycle has been settled (`finishPlan`). */
	readonly siteRev?: number | undefined;
	/** By the URL that is requested, before any redirect (pagedigest §5.1 step 3); `rev` is undefined where none was recorded. */
	readonly entries: ReadonlyMap<string, { readonly rev?: number | undefined }>;
}

export interface PlannedFetch {
	readonly key: string;
	/** `new`: no revision is recorded. `decreased`: the manifest contradicts itself about this URL, which is fetched the ordinary way (pagedigest §4.1). */
	readonly reason: 'new' | 'changed' | 'decreased';
	readonly rev: number;
	/** The revision recorded before; undefined for `new`. */
	readonly knownRev?: number;
}

/** A manifest that goes backwards. */
export type Anomaly =
	| { readonly kind: 'site-rev-decreased'; readonly before: number; readonly after: number }
	| { readonly kind: 'rev-decreased'; readonly key: string; readonly before: number; readonly after: number }
	| { readonly kind: 'rev-decreased-widely'; readonly decreased: number; readonly compared: number };

/** The plan for the URLs of a site after reading its manifest (pagedigest §5.1). */
export interface Plan {
	/** Listed URLs to fetch. Whether they may be fetched is for robots.txt and robots2.txt to say. */
	readonly fetch: readonly PlannedFetch[];
	/** Listed URLs that need no fetch; some of them are audited instead. */
	readonly unchanged: readonly string[];
	/** Known URLs that a complete manifest no longer lists. */
	readonly gone: readonly string[];
	/** Known URLs about which the manifest is silent: neither gone nor unchanged. */
	readonly undescribed: readonly string[];
	readonly anomalies: readonly Anomaly[];
	/**
	 * The URLs to crawl as without a manifest: none, those planned as `decreased`, or the whole site;
	 * in the last case the lists above are empty.
	 */
	readonly fallback: 'none' | 'urls' | 'site';
}

export interface CompareOptions {
	/** The share of known URLs above which decreasing revisions void the manifest for the whole site. */
	readonly maxDecreasedShare?: number;
}

const nothing = { fetch: [], unchanged: [], gone: [], undescribed: [], anomalies: [] } as const;

/**
 * Compares what is known of a site with its manifest; `next` is undefined when there is none that can be read,
 * and `previous` when nothing is known.
 *
 * URLs that are neither known nor listed are not in the plan: they get the default crawl, also when `site_rev`
 * stayed.
 */
export function compareManifests(
	previous: KnownRevisions | undefined,
	next: Manifest | undefined,
	{ maxDecreasedShare = 0.5 }: CompareOptions = {},
): Plan {
	if (next === undefined) return { ...nothing, fallback: 'site' };
	const before = previous?.siteRev;
	const after = next.siteRev;
	if (before !== undefined && after < before) {
		return { ...nothing, anomalies: [{ kind: 'site-rev-decreased', before, after }], fallback: 'site' };
	}
	const known: KnownRevisions['entries'] = previous?.entries ?? new Map();
	// The fast path of §3.1: the entries are not even looked at.
	if (before === after)
		return { ...nothing, unchanged: [...next.entries.keys()], ...omitted(known, next), fallback: 'none' };
	return compareEntries(known, next, maxDecreasedShare);
}

function compareEntries(known: KnownRevisions['entries'], next: Manifest, maxDecreasedShare: number): Plan {
	const fetch: PlannedFetch[] = [];
	const unchanged: string[] = [];
	const anomalies: Anomaly[] = [];
	let compared = 0;
	for (const [key, { rev }] of next.entries) {
		const knownRev = known.get(key)?.rev;
		if (knownRev === undefined) fetch.push({ key, reason: 'new', rev });
		else {
			compared++;
			if (rev === knownRev) unchanged.push(key);
			else if (rev > knownRev) fetch.push({ key, reason: 'changed', rev, knownRev });
			else {
				fetch.push({ key, reason: 'decreased', rev, knownRev });
				anomalies.push({ kind: 'rev-decreased', key, before: knownRev, after: rev });
			}
		}
	}
	const decreased = anomalies.length;
	// One URL alone is never widespread, however small the site.
	if (decreased > 1 && decreased > maxDecreasedShare * compared) {
		return {
			...nothing,
			anomalies: [...anomalies, { kind: 'rev-decreased-widely', decreased, compared }],
			fallback: 'site',
		};
	}
	return { fetch, unchanged, anomalies, ...omitted(known, next), fallback: decreased > 0 ? 'urls' : 'none' };
}

/** The known URLs that are not listed, by what their omission means. */
function omitted(known: KnownRevisions['entries'], next: Manifest): Pick<Plan, 'gone' | 'undescribed'> {
	const gone: string[] = [];
	const undescribed: string[] = [];
	for (const key of known.keys()) {
		const state = describeKey(next, key);
		if (state === 'removed') gone.push(key);
		else if (state === 'undescribed') undescribed.push(key);
	}
	return { gone, undescribed };
}

/** How the fetch of a planned URL ended; `refused` by robots.txt, robots2.txt or an ask answer. */
export type PlannedOutcome = 'fetched' | 'refused' | 'failed';

/** The changes to record after a cycle. */
export interface Settlement {
	/**
	 * A number to record as `site_rev`; `keep` what is recorded, so that the next cycle looks at the entries again;
	 * or `forget` it.
	 */
	readonly siteRev: number | 'keep' | 'forget';
	/** Revisions to record, by key. */
	readonly revs: ReadonlyMap<string, number>;
	/** Keys that lose their recorded revision; `all` do where the manifest went backwards for the whole site. */
	readonly forget: readonly string[] | 'all';
}

/**
 * The records of a cycle: a revision only for fetched URLs, and `site_rev` only if every planned URL was
 * fetched or refused by policy. Where a fetch did not happen, or the revision went backwards, the recorded
 * one is forgotten rather than kept: should the manifest ever come back to it, the content may be another.
 */
export function finishPlan(
	plan: Plan,
	next: Manifest | undefined,
	outcomeOf: (key: string) => PlannedOutcome,
): Settlement {
	if (next === undefined) return { siteRev: 'keep', revs: new Map(), forget: [] };
	if (plan.fallback === 'site') return { siteRev: 'forget', revs: new Map(), forget: 'all' };
	const revs = new Map<string, number>();
	const forget = [...plan.gone];
	let complete = true;
	for (const { key, reason, rev } of plan.fetch) {
		const outcome = outcomeOf(key);
		if (reason !== 'decreased' && outcome === 'fetched') revs.set(key, rev);
		else forget.push(key);
		if (outcome === 'failed') complete = false;
	}
	return { siteRev: complete ? next.siteRev : 'keep', revs, forget };
}
