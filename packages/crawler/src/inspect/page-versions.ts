import { sha256 } from '@wayleave/io/hash';
import { type DocumentDiff, diffDocuments } from '../diff/block-diff.ts';
import { isSpent } from '../model/result.ts';
import type { StoreReader } from '../store/roles/reader.ts';
import type { VersionText } from '../store/roles/watch.ts';

/** One version of a page. */
export interface PageVersion extends Omit<VersionText, 'version'> {
	/** Counts announced versions from 1; absent for a page that no crawl has watched. */
	readonly version?: number;
	/** Of its Markdown, as hexadecimal digits. */
	readonly sha256: string;
}

/** How a page differs from an earlier version of it. */
export interface PageDifference {
	readonly url: string;
	readonly before: PageVersion;
	readonly after: PageVersion;
	/** Leads from the Markdown of `before` to that of `after`. */
	readonly diff: DocumentDiff;
}

/** The versions of a page in a store, the latest first; `withheld` if none may be shown. */
export interface PageVersions {
	readonly url: string;
	readonly versions: readonly PageVersion[];
	readonly withheld?: string;
}

/** The versions of a page: its document, and those of before that the store has kept. */
export async function versionsOf(store: StoreReader, url: string): Promise<PageVersions> {
	const documents = await store.pages.versions(url);
	if (documents.some(({ policy }) => isSpent(policy)))
		return { url, versions: [], withheld: 'the site allowed a single use, and the visit used it' };
	const number = await store.watch?.current(url);
	const earlier = (await store.watch?.earlier(url)) ?? [];
	const [current, former] = documents.map(({ fetchedAt, document }) =>
		versionOf({ fetchedAt, title: document.identity.title ?? '', markdown: document.content.markdown }),
	);
	if (current === undefined) return { url, versions: earlier.map(versionOf) };
	const newest = number === undefined ? current : { version: number, ...current };
	const announced = earlier.filter(({ version }) => version !== number).map(versionOf);
	// Without a watch, there is the document before.
	const others = number === undefined && former !== undefined ? [former] : announced;
	return { url, versions: [newest, ...others] };
}

function versionOf(text: Omit<PageVersion, 'sha256'>): PageVersion {
	return { ...text, sha256: Buffer.from(sha256(Buffer.from(text.markdown))).toString('hex') };
}

/**
 * The difference of the current document from an earlier one.
 *
 * @param since the number of a version, or a moment: the version that was current then; default: the one before
 * @returns a sentence if the store has no such version
 */
export function differenceSince(
	{ url, versions, withheld }: PageVersions,
	since?: { readonly version: number } | { readonly at: number },
): PageDifference | string {
	const [after, ...earlier] = versions;
	if (withheld !== undefined) return withheld;
	if (after === undefined) return 'the store has no document of this page';
	const before = earlier.find(({ version, fetchedAt }) => {
		if (since === undefined) return true;
		return 'version' in since ? version === since.version : fetchedAt <= since.at;
	});
	if (before !== undefined) return { url, before, after, diff: diffDocuments(before.markdown, after.markdown) };
	if (earlier.length === 0)
		return 'the store has one version of this page: crawl with --history N or --on-change URL to keep earlier ones';
	const oldest = earlier.at(-1);
	const from = oldest?.version === undefined ? '' : `version ${oldest.version}, `;
	return `the store has no version of this page from then: the oldest is ${from}fetched ${new Date(oldest?.fetchedAt ?? 0).toISOString()}`;
}
