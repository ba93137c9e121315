import { manifestPath } from '@wayleave/protocols/pagedigest';
import { fileVocabularies } from '@wayleave/protocols/policy';
import { readText } from '../response/read-text.ts';
import { normaliseUrl } from './normalise.ts';
import type { SitemapEntry } from './sitemap-entry.ts';

/** Path of the Markdown file that tells language models what to read (llmstxt.org). */
export const llmsPath = '/llms.txt';

export const isLlms = (url: string): boolean => new URL(url).pathname.endsWith(llmsPath);

/** Files that speak of pages, and are asked for as what they are. */
const aboutPages = new Set([
	'/robots.txt',
	'/robots2.txt',
	'/sitemap.xml',
	llmsPath,
	manifestPath,
	...fileVocabularies.map(({ file }) => file.path),
]);

const isPage = (url: string): boolean => !aboutPages.has(new URL(url).pathname);

/** A URL alone, at the beginning of a line or of a list item. */
const bareUrl = /^[ \t]*(?:[-*+][ \t]+)?(https?:\/\/\S{1,2048})/gm;

/** The pages that an llms.txt links to, in order. */
export function readLlms(text: string, base: string): SitemapEntry[] {
	const linked = readText(text, base, 'markdown').links.map(({ url }) => url);
	const bare = [...text.matchAll(bareUrl)].map(([, url = '']) => url);
	const urls = new Set([...linked, ...bare].flatMap((url) => normaliseUrl(url, base) ?? []));
	return [...urls].filter(isPage).map((url) => ({ url, kind: 'page' }));
}
