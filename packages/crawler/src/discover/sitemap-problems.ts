/** What can be odd in a sitemap, with the sentence for each. */
export const sitemapProblems = {
	'sitemap-xml-declaration-not-first': 'something stands before the XML declaration',
	'sitemap-raw-ampersand': 'an ampersand is not written as &amp;',
	'sitemap-unclosed': 'the file ends before its elements are closed',
	'sitemap-bad-url': '{text} is no address that could be fetched',
	'sitemap-too-many-urls': 'the file lists more than 50,000 addresses',
	'sitemap-gzip-broken': 'the compressed data breaks off or is damaged',
	'sitemap-too-large': 'the file is larger than the limit once it is decompressed',
	'sitemap-unreadable': 'this is neither a sitemap nor a list of addresses',
} as const;

export type SitemapProblemCode = keyof typeof sitemapProblems;
