import { believes, type TrustState } from '@wayleave/protocols/pagedigest';
import { isKnownHash } from '../model/body-hash.ts';
import type { Ending } from '../model/outcome.ts';
import type { Former, ListedUrl, Outlook } from '../store/roles/changes.ts';

/** Facts about the site when one of its URLs is due. */
export interface SiteFacts {
	readonly trust: TrustState;
	/** The manifest means to describe the whole site. */
	readonly complete: boolean;
	/** Nothing on the site has changed since the last cycle that was settled as a whole. */
	readonly stayed: boolean;
}

/** Whether a URL is asked for, and why, or how it ends without that. */
export type Decision =
	| { readonly request: true; readonly why: RequestReason }
	/** The former outcome stands; `reason` says why, where there is a document. */
	| { readonly request: false; readonly ending: Ending };

export type RequestReason =
	/** No evidence against a visit: a new URL, or one that no manifest describes. */
	| 'ordinary'
	/** The manifest says that it is new or has changed. */
	| 'manifest'
	/** The manifest says that it has not changed, and this is the test of that. */
	| 'audit';

const ordinary: Decision = { request: true, why: 'ordinary' };

/**
 * The decision about one URL by the manifest of its site (pagedigest §5.1), as far as it is trusted.
 *
 * @param drawn whether the lot has fallen on this URL for an audit
 */
export function judgeByManifest(
	site: SiteFacts,
	key: string,
	outlook: Outlook,
	drawn: (listed: ListedUrl) => boolean,
): Decision {
	const { listed, former } = outlook;
	if (site.trust.level === 'distrusted') return ordinary;
	if (listed === undefined || listed.state === 'undescribed') {
		// An equal `site_rev` counts for unlisted pages too, if the manifest covers the whole site.
		const covered = site.complete && site.stayed && former !== undefined && isSettled(former);
		return covered ? keepCurrent(former, 'manifest') : ordinary;
	}
	if (listed.state === 'removed') return { request: false, ending: { outcome: 'gone', reason: 'manifest-removed' } };
	const same = listed.state === 'listed' && listed.rev === listed.listedRev;
	if (!same || former === undefined) return { request: true, why: 'manifest' };
	if (!isSettled(former) || !believes(site.trust, key) || contradicts(outlook)) return ordinary;
	return drawn(listed) ? { request: true, why: 'audit' } : keepCurrent(former, 'manifest');
}

/**
 * A sitemap leads to nothing new where the manifest lists the whole site, and one that was not there before need not be
 * looked for again where a manifest tells what comes.
 */
export function judgeSitemap({ trust, complete }: SiteFacts, { former }: Outlook): Decision {
	if (former === undefined || trust.level === 'distrusted') return ordinary;
	return complete || former.outcome === 'gone' ? keepCurrent(former, 'manifest') : ordinary;
}

/** The stored copy is not the one that the manifest describes: seen without a request. */
function contradicts({ listed, bodyHash }: Outlook): boolean {
	if (listed?.digest === undefined || bodyHash === undefined) return false;
	return !isKnownHash(bodyHash, Buffer.from(listed.digest.slice('sha256:'.length), 'hex'));
}

/** Whether another visit would only repeat what is known, provided that the page has not changed. */
export function isSettled({ outcome, reason }: Former): boolean {
	if (outcome === 'fetched' || outcome === 'unchanged' || outcome === 'gone') return true;
	if (outcome === 'out-of-scope') return reason === 'redirect-out-of-scope';
	return outcome === 'failed' && reason !== undefined && readInVain.has(reason);
}

/** The bytes came, and no document could be made of them. */
export const readInVain: ReadonlySet<string> = new Set([
	'unsupported-type',
	'no-content',
	'pdf-without-text',
	'file-encrypted',
	'file-copy-forbidden',
	'file-damaged',
	'file-over-limit',
	'needs-rendering',
	'extraction-failed',
]);

/** The outcome of the last visit, once more, without a request. */
export function keepCurrent(former: Former, reason: 'manifest' | 'not-due' | 'budget-spent'): Decision {
	const { outcome, reason: before, detail } = former;
	const had = outcome === 'fetched' || outcome === 'unchanged';
	const same = { outcome, ...(before && { reason: before }), ...(detail !== undefined && { detail }) };
	return { request: false, ending: had ? { outcome: 'unchanged', reason } : same };
}
