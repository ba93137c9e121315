import { urlKey } from '@wayleave/protocols/pagedigest';
import type { Ending } from '../model/outcome.ts';
import type { ListedUpdate } from '../store/roles/changes.ts';
import { readInVain } from './decide.ts';
import type { Note } from './request-note.ts';

/**
 * Records the revision of a listed URL at the end of a visit, only if the page was fetched
 * and was the one that the manifest describes. The trust in the manifest is moved on the way.
 */
export function commitRevision({ url, site, outlook, why, verdict, announced }: Note, ending: Ending): ListedUpdate[] {
	const { listed, former } = outlook;
	if (announced) site.recordHint(ending.outcome === 'fetched');
	if (!site.usable) return withoutRevision(url, site, ending);
	if (listed === undefined || listed.state === 'removed' || listed.state === 'undescribed') return [];
	const update = (state: ListedUpdate['state'], rev?: number) => [
		{ site: site.record.id, key: listed.key, state, rev },
	];
	const claimsSame = listed.state === 'listed' && listed.rev === listed.listedRev;
	const stayed = ending.outcome === 'unchanged' && ending.reason !== 'cached';
	// Without a digest nothing proves a change, since bytes may churn, but that there was none is seen.
	if (claimsSame && stayed && listed.digest === undefined) site.apply({ kind: 'match', key: listed.key });
	if (why === 'manifest' && listed.state === 'due' && stayed && former !== undefined && site.settledBefore)
		site.apply({ kind: 'soft-evidence' });
	if (verdict?.verdict === 'mismatch') return update('due');
	if (ending.outcome === 'refused') return update('listed');
	if (!wasHad(ending) || claimsSame) return [];
	return listed.state === 'decreased' ? update('listed') : update('listed', listed.listedRev);
}

/** A page that changed without its manifest saying so has none of the listed revisions. */
function withoutRevision(url: string, { record }: Note['site'], ending: Ending): ListedUpdate[] {
	const key = urlKey(url);
	const isAnother = ending.outcome === 'gone' || (ending.outcome !== 'unchanged' && wasHad(ending));
	return isAnother && key !== undefined ? [{ site: record.id, key, state: 'due', rev: undefined }] : [];
}

/** The URL was answered for; a copy that was used without asking does not count. */
function wasHad({ outcome, reason }: Ending): boolean {
	if (outcome === 'fetched' || outcome === 'unchanged') return reason !== 'cached';
	if (outcome === 'out-of-scope') return reason === 'redirect-out-of-scope';
	return outcome === 'failed' && reason !== undefined && readInVain.has(reason);
}
