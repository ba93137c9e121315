import { isSpent } from '../model/result.ts';
import type { StoreReader } from '../store/roles/reader.ts';
import type { DocumentPage, ShownVersion } from './api.ts';

/** Characters of a document that the page shows. */
const maxText = 500_000;

/** The document of a page, and the one that it replaced. */
export async function readDocument(store: StoreReader, url: string, canReadSource: boolean): Promise<DocumentPage> {
	const versions = await store.pages.versions(url);
	const [current] = versions;
	const hasSource = canReadSource && current?.capture !== undefined;
	if (versions.some(({ policy }) => isSpent(policy)))
		return {
			...{ url, versions: [], hasSource: false },
			withheld: 'the site allowed a single use, and the visit used it: to show the document would be another use',
		};
	return { url, versions: versions.map(showVersion), hasSource };
}

function showVersion({
	fetchedAt,
	document,
}: Awaited<ReturnType<StoreReader['pages']['versions']>>[number]): ShownVersion {
	const markdown = document.content?.markdown ?? '';
	return {
		fetchedAt,
		title: document.identity?.title ?? '',
		markdown: markdown.slice(0, maxText),
		isCut: markdown.length > maxText,
	};
}
