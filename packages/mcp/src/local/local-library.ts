import { type CommonOptions, createDocumentFetcher, type DocumentFetcher } from '@wayleave/crawler';
import { type FileResult, policyRedirects, politeFetch, readSite, self } from '@wayleave/crawler/check';
import { openServiceDatabase } from '@wayleave/service/database';
import type { Library } from '../call/library.ts';
import { SearchIndex } from '../search/search-index.ts';

export interface LocalLibraryOptions {
	readonly store: string;
	readonly crawling: Omit<CommonOptions, 'store' | 'signal'>;
	/** Host names that may be on a private network. */
	readonly privateHosts: readonly string[];
}

/** Largest policy file that is read; bytes. */
const maxBytes = 10 << 20;

/** The tools on this machine: a store, a crawler, an index. */
export async function openLocalLibrary(options: LocalLibraryOptions): Promise<Library & { close(): Promise<void> }> {
	const { store, crawling, privateHosts } = options;
	const db = openServiceDatabase(store);
	let documents: DocumentFetcher | undefined;
	try {
		documents = await createDocumentFetcher({ ...crawling, everyReading: true, store, privateHosts });
		const index = await SearchIndex.open(db, documents.documentsSince);
		const opened = documents;
		return {
			...shelfOf(opened, index, rendersPages(crawling)),
			async close() {
				await opened.close();
				await db.destroy();
			},
		};
	} catch (error) {
		await documents?.close();
		await db.destroy();
		throw error;
	}
}

/** Whether pages are opened in a browser. */
export const rendersPages = ({ render = 'never' }: CommonOptions): boolean => render !== 'never';

function shelfOf(documents: DocumentFetcher, index: SearchIndex, renders: boolean): Library {
	const files = (signal: AbortSignal) => politeFetch(documents, undefined, signal);
	return {
		fetch: (url, refresh, signal) =>
			documents.fetch(url, { freshnessPolicy: refresh ? 'force_refresh' : 'cache_first', signal }),
		cached: (url) => documents.cached(url),
		find: (url) => documents.find(url),
		search: (query, more) => index.search(query, more),
		list: (after, limit) => index.list(after, limit),
		readTerms: (url, wantPage, signal) => readSite(url, self, files(signal), { page: wantPage }),
		readFile: async (url, signal) => fileOf(await files(signal).get(url, policyRedirects)),
		renders,
	};
}

export function fileOf(response: FileResult): { bytes: Uint8Array } | { detail: string } {
	if (!response.ok) return { detail: response.detail };
	if (response.status !== 200) return { detail: `status ${response.status}` };
	return response.body.length > maxBytes ? { detail: 'it is too large' } : { bytes: response.body };
}
