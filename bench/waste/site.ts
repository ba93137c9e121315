import type { Reply } from '../../packages/crawler/src/testing/waste-site.ts';
import { canonicalTag, wastePage, words } from '../../packages/crawler/src/testing/waste-site.ts';

export { canonicalTag, words };

/** A site, and what a crawl of it should bring. */
export interface Site {
	readonly name: string;
	readonly serve: (path: string) => Reply;
	/** What no other page of the site says: a crawl has a page when one of its documents says it. */
	readonly says: readonly string[];
}

export const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => at + from);

/** A sentence of its own for each name. */
export const phrase = (name: string): string => words(`phrase of ${name}`, 5);

/** A page with a text that no other has, its phrase in it. */
export const page = (name: string, links: readonly string[], { head = '', text = '' } = {}): string =>
	wastePage(name, links, { head, text: `<p>${phrase(name)}.</p>${text}` });

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A page of few words, as lists and days of calendars are. */
export function short(title: string, text: string, links: readonly string[], head = ''): string {
	const items = links.map((link) => `<li><a href="${escaped(link)}">${escaped(link)}</a></li>`).join('');
	return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${text}</p><ul>${items}</ul></main></body></html>`;
}

export const parse = (path: string): { readonly at: string; readonly query: URLSearchParams } => {
	const [at = '', query = ''] = path.split('?');
	return { at, query: new URLSearchParams(query) };
};

/** Random, and another one in each call: what endless spaces are made of. */
export const drawn = (length: number, radix = 36): string =>
	Array.from({ length }, (_, at) =>
		(at === 0 ? 10 + Math.floor(Math.random() * (radix - 10)) : Math.floor(Math.random() * radix)).toString(radix),
	).join('');
