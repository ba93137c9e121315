import { type BaseReader, Document, type Metadata } from '@llamaindex/core/schema';
import { type CrawlOptions, crawl, type Result } from '@wayleave/crawler';

/**
 * Reads a site into LlamaIndex.TS, on its own terms: one document for each page, its main content as Markdown.
 *
 * ```ts
 * const documents = await new WayleaveReader({ store: 'sqlite:docs.db' }).loadData(['https://docs.example.com/']);
 * const index = await VectorStoreIndex.fromDocuments(documents);
 * ```
 *
 * The id of a document is its address: an index that is given it again replaces what it had.
 */
export class WayleaveReader implements BaseReader<Document<Metadata>> {
	readonly #options: CrawlOptions;

	constructor(options: CrawlOptions = {}) {
		this.#options = options;
	}

	async loadData(seeds: readonly string[]): Promise<Document<Metadata>[]> {
		const documents: Document<Metadata>[] = [];
		for await (const document of this.lazyLoadData(seeds)) documents.push(document);
		return documents;
	}

	/** One page after the other; the crawl goes only as fast as they are taken, and ends when no more are. */
	async *lazyLoadData(seeds: readonly string[]): AsyncGenerator<Document<Metadata>> {
		for await (const result of crawl(seeds, this.#options)) {
			const document = toDocument(result);
			if (document !== undefined) yield document;
		}
	}
}

function toDocument({ url, outcome, document, policy }: Result): Document<Metadata> | undefined {
	if (document === undefined) return undefined;
	const { source, identity, content } = document;
	const metadata = {
		source: source.url,
		outcome,
		title: identity.title,
		description: identity.description,
		language: identity.language,
		fetchedAt: source.fetched_at,
		policy,
	};
	return new Document({
		id_: url,
		text: content.markdown,
		metadata,
		// The terms of the site are for the users of the text, not for the model that embeds it.
		excludedEmbedMetadataKeys: ['outcome', 'policy', 'fetchedAt'],
		excludedLlmMetadataKeys: ['outcome', 'policy'],
	});
}
