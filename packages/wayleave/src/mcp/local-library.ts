import { type CommonOptions, createDocumentFetcher, type DocumentFetcher } from '@wayleave/crawler';
import { createFetcher, type Fetcher } from '@wayleave/io';
import { self } from '../check/agent.ts';
import { type FileAnswer, policyRedirects, politeFetch } from '../check/fetch-file.ts';
import { readSite } from '../check/read-site.ts';
import { SearchIndex } from '../search/search-index.ts';
import { openServiceDatabase } from '../server/database.ts';
import type { Library } from './library.ts';

export interface LocalLibraryOptions {
	/** Sends our identity. */
	readonly userAgent: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly store: string;
	readonly crawling: Omit<CommonOptions, 'store' | 'signal'>;
	/** Host names that may be on a private network. */
	readonly privateHosts: readonly string[];
}

/** What a policy file may weigh. */
const mostBytes = 10 << 20;

/** The tools on this machine: a store, a crawler, an index. */
export async function openLocalLibrary(options: LocalLibraryOptions): Promise<Library & { close(): Promise<void> }> {
	const { store, crawling, privateHosts, userAgent, headers } = options;
	const db = openServiceDatabase(store);
	let documents: DocumentFetcher | undefined;
	try {
		documents = await createDocumentFetcher({ ...crawling, store, privateHosts });
		const index = await SearchIndex.open(db, documents.documentsSince);
		const fetcher = createFetcher({
			userAgent,
			headers,
			allowPrivate: (host) => privateHosts.includes(host),
			...(crawling.lookup && { lookup: crawling.lookup }),
		});
		return libraryOf(documents, index, fetcher, async () => {
			await fetcher.close();
			await documents!.close();
			await db.destroy();
		});
	} catch (error) {
		await documents?.close();
		await db.destroy();
		throw error;
	}
}

function libraryOf(documents: DocumentFetcher, index: SearchIndex, fetcher: Fetcher, close: () => Promise<void>) {
	const polite = politeFetch(fetcher, () => {});
	return {
		fetch: (url: string, refresh: boolean) =>
			documents.fetch(url, { freshnessPolicy: refresh ? 'force_refresh' : 'cache_first' }),
		find: (url: string) => documents.find(url),
		search: (query: string, more: { host?: string | undefined; limit: number }) => index.search(query, more),
		readTerms: (url: string, wantPage: boolean) => readSite(url, self, polite, wantPage),
		readFile: async (url: string) => fileOf(await polite.get(url, policyRedirects)),
		close,
	};
}

export function fileOf(answer: FileAnswer): { bytes: Uint8Array } | { detail: string } {
	if (!answer.ok) return { detail: answer.detail };
	if (answer.status !== 200) return { detail: `status ${answer.status}` };
	return answer.body.length > mostBytes ? { detail: 'it is too large' } : { bytes: answer.body };
}
