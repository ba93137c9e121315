/** One line of a list. */
export interface SitemapEntry {
	readonly url: string;
	/** `sitemap`: a further list, of an index file or where a feed goes on. */
	readonly kind: 'page' | 'sitemap';
	/** As written. */
	readonly lastModified?: string;
}
