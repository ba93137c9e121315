/** Problems of a sitemap, with a sentence for each. */
export const sitemapProblems = {
	'sitemap-xml-declaration-not-first': 'text precedes the XML declaration',
	'sitemap-raw-ampersand': 'an ampersand is not escaped as &amp;',
	'sitemap-unclosed': 'the file ends before all elements are closed',
	'sitemap-entry': 'an entry does not have exactly one address in <loc>: {text}',
	'sitemap-bad-url': '{text} is not a URL that can be fetched',
	'sitemap-too-many-urls': 'the file lists more than 50,000 URLs',
	'sitemap-gzip-broken': 'the compressed data is truncated or damaged',
	'sitemap-too-large': 'the decompressed file is larger than the limit',
	'sitemap-unreadable': 'the file is neither a sitemap nor a list of URLs',
} as const;

export type SitemapProblemCode = keyof typeof sitemapProblems;
