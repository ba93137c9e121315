import type { Reply } from '../../packages/crawler/src/testing/waste-site.ts';
import { canonicalTag, wastePage, words } from '../../packages/crawler/src/testing/waste-site.ts';

export { canonicalTag, words };

/** A site, and the pages that a crawl of it should bring. */
export interface Site {
	readonly name: string;
	readonly serve: (path: string) => Reply;
	/** A phrase that no other page of the site has. The crawl has the page if a document contains it. */
	readonly says: readonly string[];
}

export const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => at + from);

/** A sentence of its own for each name. */
export const phrase = (name: string): string => words(`phrase of ${name}`, 5);

/** A page with unique text that contains its phrase. */
export const page = (name: string, links: readonly string[], { head = '', text = '' } = {}): string =>
	wastePage(name, links, { head, text: `<p>${phrase(name)}.</p>${text}` });

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A page of few words, such as a list or a calendar day. */
export function short(title: string, text: string, links: readonly string[], head = ''): string {
	const items = links.map((link) => `<li><a href="${escaped(link)}">${escaped(link)}</a></li>`).join('');
	return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${text}</p><ul>${items}</ul></main></body></html>`;
}

export const parse = (path: string): { readonly at: string; readonly query: URLSearchParams } => {
	const [at = '', query = ''] = path.split('?');
	return { at, query: new URLSearchParams(query) };
};

/** Random, and different in each call, as in endless spaces. */
export const drawn = (length: number, radix = 36): string =>
	Array.from({ length }, (_, at) =>
		(at === 0 ? 10 + Math.floor(Math.random() * (radix - 10)) : Math.floor(Math.random() * radix)).toString(radix),
	).join('');
