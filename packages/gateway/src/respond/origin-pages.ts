import { decodeHtml } from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { LRUCache } from 'lru-cache';
import type { PageRequest, SourcePage } from '../som/index.ts';
import { readUpTo } from './read-body.ts';

/** Gets a request answered by the site. */
export type OriginFetch = (request: Request) => Promise<Response>;

/** How large a page is as HTML. */
export interface PageSize {
	readonly bytes: number;
	readonly tokens: number;
}

/** Bytes of a page that is to be represented. */
const maxPageBytes = 10_000_000;
/** Media types of pages that have representations. */
export const pages = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
/** Characters of an address that is remembered. */
const maxKeyLength = 1000;
/** Milliseconds for which it is remembered whether a file exists. */
const existsFor = 300_000;

/** Pages as the site gives them to everybody: no cookie, no credentials go with the request. */
export function createOriginPages(fetchOrigin: OriginFetch) {
	const sizes = new LRUCache<string, PageSize>({ maxSize: 10_000, sizeCalculation: () => 1 });
	const known = new LRUCache<string, boolean>({ maxSize: 5000, sizeCalculation: () => 1, ttl: existsFor });
	return {
		/** Whether the site has a file at an address: what it answers with a page is taken for none (a soft 404). */
		async has(url: string): Promise<boolean> {
			const kept = known.get(url);
			if (kept !== undefined) return kept;
			const head = await fetchOrigin(new Request(url, { method: 'HEAD', redirect: 'manual' }));
			// Some servers answer HEAD with 405 though they would respond to GET; that body is not read.
			const refused = head.status === 405 || head.status === 501;
			const response = refused ? await fetchOrigin(new Request(url, { redirect: 'manual' })) : head;
			await response.body?.cancel();
			const exists = response.status === 200 && !pages.test(response.headers.get('content-type') ?? '');
			if (url.length <= maxKeyLength) known.set(url, exists);
			return exists;
		},
		sizeOf: (url: string): PageSize | undefined => sizes.get(url),
		async page(url: string, etag: string | undefined, request: PageRequest = {}): Promise<SourcePage> {
			const headers = new Headers({ accept: 'text/html,application/xhtml+xml', 'accept-encoding': 'identity' });
			headers.set('user-agent', 'Wayleave-Gateway');
			if (request.acceptLanguage !== undefined) headers.set('accept-language', request.acceptLanguage);
			if (etag !== undefined) headers.set('if-none-match', etag);
			const response = await fetchOrigin(new Request(url, { headers, redirect: 'manual' }));
			const type = response.headers.get('content-type') ?? '';
			const fields = Object.fromEntries(response.headers);
			if (response.status !== 200 || !pages.test(type)) {
				await response.body?.cancel();
				const notHtml = response.status === 200 ? { notHtml: type || 'an unknown content type' } : {};
				return { status: response.status, html: '', headers: fields, ...notHtml };
			}
			const { bytes, cut } = await readUpTo(response, maxPageBytes);
			if (cut) return { status: 502, html: '' };
			const html = decodeHtml(bytes, type).text;
			if (url.length <= maxKeyLength) sizes.set(url, { bytes: bytes.length, tokens: countTokens(html) });
			const validator = response.headers.get('etag');
			return {
				status: 200,
				html,
				headers: fields,
				...(validator !== null && { etag: validator }),
			};
		},
	};
}
