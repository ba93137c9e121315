import {
	compareManifests,
	finishPlan,
	type KnownRevisions,
	type Manifest,
	type Plan,
} from '@wayleave/protocols/pagedigest';
import type { ListedUrl } from '../store/roles/changes.ts';

/** Changes that a manifest makes to the record of its site. */
export interface Changes {
	readonly plan: Pick<Plan, 'anomalies' | 'fallback'>;
	/** `site_rev` to record now: nothing has to be fetched before. */
	readonly settledRev: number | 'keep' | 'forget';
	/** URLs that are listed otherwise than before. */
	readonly listed: readonly ListedUrl[];
	/** Keys that were not listed before. */
	readonly added: readonly string[];
	readonly counts: { readonly changed: number; readonly added: number; readonly removed: number };
	/** So many of its URLs are gone at once that each is looked at instead. */
	readonly massRemoval: boolean;
}

/** A site that loses more of its listed URLs at once has more likely lost a part of its manifest. */
const maxRemovedShare = 0.5;
/** As many may always go. */
const fewRemoved = 10;

/**
 * Compares a manifest with what is remembered, and says what to remember from now on. Whatever is to be fetched loses
 * its recorded revision here and gets the new one when it has been fetched, so that a crash in between costs
 * requests and nothing else.
 *
 * @param settledRev `site_rev` of the last cycle that was settled as a whole
 * @param seenRev that of the manifest that was read last: what is remembered is what that one said
 */
export function planChanges(
	known: readonly ListedUrl[],
	settledRev: number | undefined,
	seenRev: number | undefined,
	next: Manifest,
): Changes {
	const entries: Map<string, { readonly rev?: number | undefined }> = new Map();
	for (const url of known) if (url.state !== 'removed') entries.set(url.key, url);
	const fell = seenRev !== undefined && next.siteRev < seenRev;
	const previous: KnownRevisions = { siteRev: fell ? seenRev : settledRev, entries };
	const plan = compareManifests(previous, next);
	const settlement = finishPlan(plan, next, () => 'failed');
	const { anomalies, fallback } = plan;
	const listedBefore = known.filter(({ state }) => state !== 'removed' && state !== 'undescribed').length;
	const massRemoval = plan.gone.length > fewRemoved && plan.gone.length > maxRemovedShare * listedBefore;
	const before = new Map(known.map((url) => [url.key, url]));
	const listed: ListedUrl[] = [];
	for (const { key, reason, rev } of plan.fetch)
		listed.push({ key, state: reason === 'decreased' ? 'decreased' : 'due', listedRev: rev, ...digestOf(next, key) });
	// On the fast path (pagedigest §3.1) the entries are not looked at one by one.
	if (settledRev !== next.siteRev) listed.push(...describedAnew(plan.unchanged, before, next));
	for (const key of plan.gone) {
		const url = before.get(key);
		if (url === undefined) continue;
		listed.push({ key, state: massRemoval ? 'undescribed' : 'removed', listedRev: url.listedRev });
	}
	for (const key of plan.undescribed) {
		const known = before.get(key);
		if (known === undefined || known.state === 'undescribed') continue;
		// The manifest no longer has a digest for it.
		const { digest: _, ...url } = known;
		listed.push({ ...url, state: 'undescribed' });
	}
	const added = plan.fetch.flatMap(({ key }) => (before.has(key) ? [] : key));
	return {
		plan: { anomalies, fallback },
		settledRev: settlement.siteRev,
		listed,
		added,
		counts: { changed: plan.fetch.length - added.length, added: added.length, removed: plan.gone.length },
		massRemoval,
	};
}

const digestOf = (next: Manifest, key: string) => {
	const digest = next.entries.get(key)?.digest;
	return digest === undefined ? {} : { digest };
};

/** Unchanged URLs of which something else is new: the digest, or that they are listed at all. */
function describedAnew(keys: readonly string[], before: ReadonlyMap<string, ListedUrl>, next: Manifest): ListedUrl[] {
	return keys.flatMap((key) => {
		const [url, entry] = [before.get(key), next.entries.get(key)];
		if (url === undefined || entry === undefined) return [];
		const { rev, digest } = entry;
		if (url.state === 'listed' && url.listedRev === rev && url.digest === digest) return [];
		return { key, state: 'listed' as const, rev, listedRev: rev, ...digestOf(next, key) };
	});
}
