import { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
import { Document } from '@langchain/core/documents';
import { type CrawlOptions, crawl, type Result } from '@wayleave/crawler';

/** Metadata of each document; `policy` has what the site asks of the users of the text. */
export interface PageMetadata extends Record<string, unknown> {
	source: string;
	title?: string;
	description?: string;
	language?: string;
	fetchedAt?: string;
	outcome: Result['outcome'];
	policy?: Result['policy'];
}

/**
 * Loads a site into LangChain.js, on its own terms: one document for each page, its main content as Markdown.
 *
 * ```ts
 * const loader = new WayleaveLoader(['https://docs.example.com/'], { store: 'sqlite:docs.db', maxPages: 100 });
 * for await (const document of loader.lazyLoad()) await vectorStore.addDocuments([document]);
 * ```
 *
 * With a store, loading again asks only what has changed; `metadata.outcome` is `unchanged` for the rest.
 */
export class WayleaveLoader extends BaseDocumentLoader {
	readonly #seeds: readonly string[];
	readonly #options: CrawlOptions;

	constructor(seeds: readonly string[], options: CrawlOptions = {}) {
		super();
		this.#seeds = seeds;
		this.#options = options;
	}

	async load(): Promise<Document<PageMetadata>[]> {
		const documents: Document<PageMetadata>[] = [];
		for await (const document of this.lazyLoad()) documents.push(document);
		return documents;
	}

	/** One page after the other; the crawl goes only as fast as they are taken, and ends when no more are. */
	async *lazyLoad(): AsyncGenerator<Document<PageMetadata>> {
		for await (const result of crawl(this.#seeds, this.#options)) {
			const document = toDocument(result);
			if (document !== undefined) yield document;
		}
	}
}

function toDocument({ url, outcome, document, policy }: Result): Document<PageMetadata> | undefined {
	if (document === undefined) return undefined;
	const { source, identity, content } = document;
	const metadata: PageMetadata = {
		source: source.url,
		outcome,
		...(identity.title !== undefined && { title: identity.title }),
		...(identity.description !== undefined && { description: identity.description }),
		...(identity.language !== undefined && { language: identity.language }),
		...(source.fetched_at !== undefined && { fetchedAt: source.fetched_at }),
		...(policy && { policy }),
	};
	return new Document({ id: url, pageContent: content.markdown, metadata });
}
