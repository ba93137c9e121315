import { nowhere } from '../internal/problem-maker.ts';
import { formatTimestamp } from '../internal/timestamp.ts';
import { coverageTest } from './coverage.ts';
import { formatManifest } from './format.ts';
import { hasTrackingQuery, isUrlKey } from './key.ts';
import type { PagedigestProblem } from './problems.ts';
import { pagedigestProblem } from './report.ts';
import type { PageRevision, RevisionState } from './revisions.ts';
import { sameCoverage } from './succession.ts';
import type { Coverage, Digest, Manifest, ManifestEntry } from './types.ts';

/** A page as it is served now. */
export interface PublishedPage {
	/** The origin-relative request target, percent-encoded. */
	readonly key: string;
	/** Decides the revision: any text that changes if and only if the content does (pagedigest §3.2.1, §4.2). */
	readonly fingerprint: string;
	/** Hash of the very bytes that every client gets; left out where they vary or churn. */
	readonly digest?: Digest;
	/** Milliseconds since 1970. */
	readonly modified?: number;
}

export interface BuildManifestOptions {
	/** The time of generation, milliseconds since 1970. */
	readonly time: number;
	/** Under `prefixes` only pages that begin with one of them are listed. */
	readonly coverage?: Coverage;
	/** The manifest that the site serves now. A state that is lost, or older than this, is detected by it. */
	readonly published?: Manifest;
	/** A larger manifest is refused: consumers would not read it (pagedigest §7.3); 10,000,000 unless given. */
	readonly maxBytes?: number;
}

export interface BuiltManifest {
	/** Undefined when the manifest would be too large. */
	readonly manifest: Manifest | undefined;
	/** To be stored before the manifest is published, so that the state is never behind. */
	readonly state: RevisionState;
	readonly problems: readonly PagedigestProblem[];
}

const emptyState: RevisionState = { siteRev: 0, floor: 1, pages: new Map() };

/**
 * Makes the next manifest of a site (pagedigest §4): a revision rises when its content changed, and `site_rev` when any
 * did or a URL came or went. Neither ever falls: revisions of removed URLs are kept, and where the state is behind what
 * was published, everything jumps above the highest integer that was ever seen.
 */
export function buildManifest(
	previous: RevisionState | undefined,
	pages: Iterable<PublishedPage>,
	{ time, coverage: wanted, published, maxBytes = 10_000_000 }: BuildManifestOptions,
): BuiltManifest {
	const problems: PagedigestProblem[] = [];
	const coverage = closePrefixes(wanted, problems);
	const listed = listPages(pages, coverage, problems);
	const behind = published !== undefined && isBehind(previous ?? emptyState, published);
	const state = behind
		? jump(previous ?? emptyState, published, listed, coverage, problems)
		: advance(previous ?? emptyState, listed, coverage);
	const entries = new Map<string, ManifestEntry>();
	for (const [key, page] of listed) {
		const known = state.pages.get(key);
		if (known === undefined) throw new Error(`${key} is listed and has no revision`);
		entries.set(key, entryOf(page, known.rev));
	}
	const manifest: Manifest = {
		version: 1,
		generated: formatTimestamp(time),
		siteRev: state.siteRev,
		...(coverage && { coverage }),
		entries,
	};
	if (new TextEncoder().encode(formatManifest(manifest)).length <= maxBytes) return { manifest, state, problems };
	problems.push(pagedigestProblem('pagedigest-too-large', nowhere, { limit: maxBytes }));
	return { manifest: undefined, state: previous ?? emptyState, problems };
}

/** Prefixes that end with `/`, as they should be published (pagedigest §3.1). */
function closePrefixes(coverage: Coverage | undefined, problems: PagedigestProblem[]): Coverage | undefined {
	if (coverage?.mode !== 'prefixes') return coverage;
	const prefixes = coverage.prefixes.map((prefix) => {
		if (prefix.endsWith('/')) return prefix;
		problems.push(pagedigestProblem('pagedigest-open-prefix', nowhere, { prefix }));
		return `${prefix}/`;
	});
	return { mode: 'prefixes', prefixes };
}

/** The pages that may be listed, by key. */
function listPages(
	pages: Iterable<PublishedPage>,
	coverage: Coverage | undefined,
	problems: PagedigestProblem[],
): Map<string, PublishedPage> {
	const covers = coverage === undefined ? () => true : coverageTest(coverage);
	const listed = new Map<string, PublishedPage>();
	for (const page of pages) {
		const { key } = page;
		if (!isUrlKey(key)) problems.push(pagedigestProblem('pagedigest-invalid-key', nowhere, { key }));
		else if (hasTrackingQuery(key)) problems.push(pagedigestProblem('pagedigest-tracking-key', nowhere, { key }));
		else if (listed.has(key)) problems.push(pagedigestProblem('pagedigest-duplicate-key', nowhere, { key }));
		else if (covers(key)) listed.set(key, page);
	}
	return listed;
}

function entryOf({ digest, modified }: PublishedPage, rev: number): ManifestEntry {
	return {
		rev,
		...(digest !== undefined && { digest }),
		...(modified !== undefined && { modified: formatTimestamp(modified) }),
	};
}

/** Whether the site serves an integer that the state does not know of: it is lost or was restored from a backup. */
function isBehind(state: RevisionState, published: Manifest): boolean {
	if (published.siteRev > state.siteRev) return true;
	for (const [key, { rev }] of published.entries) if (rev > (state.pages.get(key)?.rev ?? -1)) return true;
	return false;
}

function advance(
	state: RevisionState,
	listed: Map<string, PublishedPage>,
	coverage: Coverage | undefined,
): RevisionState {
	let changed = state.siteRev === 0 || !sameCoverage(state.coverage, coverage);
	const pages = new Map<string, PageRevision>();
	for (const [key, page] of state.pages) {
		if (page.listed && !listed.has(key)) changed = true;
		pages.set(key, { ...page, listed: false });
	}
	for (const [key, page] of listed) {
		const known = state.pages.get(key);
		const same = known !== undefined && isSame(known, page);
		const rev = known === undefined ? state.floor : same ? known.rev : known.rev + 1;
		if (!same || !known.listed) changed = true;
		pages.set(key, revisionOf(page, rev));
	}
	const siteRev = changed ? state.siteRev + 1 : state.siteRev;
	return { siteRev, floor: state.floor, ...(coverage && { coverage }), pages };
}

/**
 * Whether the content is what it was. Equal bytes are equal content, even where the fingerprint is made by other rules
 * than last time: a new version of its maker must not raise every revision of a site.
 */
function isSame(known: PageRevision, { fingerprint, digest }: PublishedPage): boolean {
	return known.fingerprint === fingerprint || (digest !== undefined && known.digest === digest);
}

function revisionOf({ fingerprint, digest }: PublishedPage, rev: number): PageRevision {
	return { rev, fingerprint, ...(digest !== undefined && { digest }), listed: true };
}

/**
 * Starts over above all earlier revisions: what was published in the meantime, for listed URLs and for removed ones, is
 * unknown, so no remembered revision can be relied on (pagedigest §4.1).
 */
function jump(
	state: RevisionState,
	published: Manifest,
	listed: Map<string, PublishedPage>,
	coverage: Coverage | undefined,
	problems: PagedigestProblem[],
): RevisionState {
	let highest = Math.max(state.siteRev, state.floor, published.siteRev);
	for (const { rev } of state.pages.values()) highest = Math.max(highest, rev);
	for (const { rev } of published.entries.values()) highest = Math.max(highest, rev);
	const rev = highest + 1;
	problems.push(pagedigestProblem('pagedigest-revisions-behind', nowhere, { rev }));
	const pages = new Map([...listed].map(([key, page]) => [key, revisionOf(page, rev)]));
	return { siteRev: rev, floor: rev, ...(coverage && { coverage }), pages };
}
