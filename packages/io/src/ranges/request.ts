import { registrableDomain } from '../dns/registrable-domain.ts';
import { redirectTarget } from '../http/redirect.ts';
import type { Fetcher, FetchResult } from '../http/types.ts';
import type { StoredRangeList } from './store.ts';

const maxRedirects = 3;

/** Asks for a list at its stable URL, conditionally where one is kept (RFC 9110 §13.1). */
export async function requestList(
	fetcher: Pick<Fetcher, 'get'>,
	{ url, body, etag, lastModified }: StoredRangeList,
	options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<FetchResult> {
	const headers: Record<string, string> = { accept: 'application/json' };
	if (body !== undefined && etag !== undefined) headers['if-none-match'] = etag;
	if (body !== undefined && lastModified !== undefined) headers['if-modified-since'] = lastModified;
	let response = await fetcher.get(url, { headers, ...options });
	for (let hops = 0; response.ok && hops < maxRedirects; hops++) {
		const target = redirectTarget(response);
		// No downgrade from TLS.
		if (target?.ok !== true || (url.startsWith('https:') && !target.url.startsWith('https:'))) break;
		// The owner of another domain is not the operator of the list.
		if (!sameSite(url, target.url)) {
			return {
				ok: false,
				url,
				reason: 'bad-response',
				detail: `redirects to another domain, ${new URL(target.url).host}`,
			};
		}
		response = await fetcher.get(target.url, { headers, ...options });
	}
	return response;
}

function sameSite(one: string, other: string): boolean {
	const site = (url: string) => {
		const { hostname } = new URL(url);
		return registrableDomain(hostname) ?? hostname;
	};
	return site(one) === site(other);
}
