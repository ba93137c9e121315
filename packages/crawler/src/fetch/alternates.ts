import { type Alternate, isFileType, maxAlternates, type Page } from '@wayleave/extract';
import type { ReceivedHeaders } from '@wayleave/io/http';
import { parseLinkHeader } from '@wayleave/protocols/headers';
import { normaliseUrl } from '../discover/normalise.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import { type ContentKind, type FileKind, isFileKind } from '../response/classify.ts';
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
	const stated = headerAlternates(response.headers, url, isFile);
	const landing = isFile ? await landingPages([...new Set([url, from.url])], context) : [];
	const all = new Map<string, Alternate>();
	for (const each of [...(page.alternates ?? []), ...stated, ...landing])
		if (each.url !== url && !all.has(each.url)) all.set(each.url, each);
	const { alternates: _, ...rest } = page;
	return all.size === 0 ? rest : { ...rest, alternates: [...all.values()].slice(0, maxAlternates) };
}

/** RFC 8288; a file names its page as `canonical` (RFC 6596), `alternate` or `collection` (RFC 6573). */
function headerAlternates(headers: ReceivedHeaders, base: string, isFile: boolean): Alternate[] {
	const relations = isFile ? ['canonical', 'alternate', 'collection'] : ['alternate', 'item'];
	return headers.getAll('link').flatMap((header) =>
		parseLinkHeader(header).flatMap(({ target, rel, params }) => {
			const type = params.get('type');
			const fits = isFile
				? type === undefined || /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)
				: isFileType(type);
			if (!fits || params.has('anchor') || !rel.some((relation) => relations.includes(relation))) return [];
			const url = normaliseUrl(target, base);
			return url === undefined ? [] : [{ url, ...(type !== undefined && { type }) }];
		}),
	);
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
