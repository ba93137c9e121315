import type { Alternate, Page } from '@wayleave/extract';
import { type FileKind, isFileKind } from '@wayleave/protocols/file-types';
import { normaliseUrl } from '../discover/normalise.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import { addAlternates } from '../read/add-alternates.ts';
import { alternateLinks } from '../response/alternate-links.ts';
import type { ContentKind } from '../response/classify.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { RedirectArrived } from './redirect-result.ts';

/** The name by which a file finds the pages that name it as their other form. */
const nameOfAlternate = (url: string): string => `alternate ${url}`;

/** Names under which the page is stored: one for each of its files. */
export const alternateNames = ({ emitted }: ProcessedResponse): string[] =>
	(emitted?.page?.alternates ?? []).map(({ url }) => nameOfAlternate(normaliseUrl(url) ?? url));

/**
 * Adds the other forms of a page that its markup does not have: those in `Link` headers, and for a file the pages that
 * were read before and name it.
 */
export async function withAlternates(
	page: Page,
	from: FrontierUrl,
	{ response, url }: RedirectArrived,
	kind: ContentKind | FileKind,
	context: CrawlContext,
): Promise<Page> {
	const isFile = isFileKind(kind);
	const stated = alternateLinks(response.headers, url, isFile).map((each) => ({
		...each,
		url: normaliseUrl(each.url) ?? each.url,
	}));
	const landing = isFile ? await landingPages([...new Set([url, from.url])], context) : [];
	return addAlternates(page, url, [...stated, ...landing]);
}

/** Pages that name one of these addresses as their file, as they were last read. */
async function landingPages(urls: readonly string[], { store }: CrawlContext): Promise<Alternate[]> {
	const named = await store.pages.comparable(urls.map(nameOfAlternate), []);
	const pages = await Promise.all([...new Set(named.map(({ url }) => url))].map((url) => store.pages.snapshot(url)));
	return pages.flatMap((snapshot) => {
		const files = snapshot?.page?.alternates ?? [];
		const isNamed = snapshot?.isCurrent === true && files.some(({ url }) => urls.includes(normaliseUrl(url) ?? url));
		return isNamed ? [{ url: snapshot.url, type: 'text/html' }] : [];
	});
}
