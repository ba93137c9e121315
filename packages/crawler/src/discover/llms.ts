import { readText } from '../visit/read-text.ts';
import { normaliseUrl } from './normalise.ts';
import type { SitemapEntry } from './sitemap.ts';

/** Where a site says in Markdown what a language model should read (llmstxt.org). */
export const llmsPath = '/llms.txt';

export const isLlms = (url: string): boolean => new URL(url).pathname.endsWith(llmsPath);

/** A URL alone, at the beginning of a line or of a list item. */
const bareUrl = /^[ \t]*(?:[-*+][ \t]+)?(https?:\/\/\S{1,2048})/gm;

/** The links of an llms.txt, in order. */
export function readLlms(text: string, base: string): SitemapEntry[] {
	const linked = readText(text, base, 'markdown').links.map(({ url }) => url);
	const bare = [...text.matchAll(bareUrl)].map(([, url]) => url!);
	const urls = new Set([...linked, ...bare].flatMap((url) => normaliseUrl(url, base) ?? []));
	return [...urls].map((url) => ({ url, kind: 'page' }));
}
