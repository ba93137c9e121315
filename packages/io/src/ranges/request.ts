import { registrableDomain } from '../domain.ts';
import { redirectTarget } from '../fetch/redirect.ts';
import type { FetchAnswer, Fetcher } from '../fetch/types.ts';
import type { StoredRangeList } from './store.ts';

const maxRedirects = 3;

/** Asks for a list at its stable URL, conditionally where one is kept (RFC 9110 §13.1). */
export async function requestList(
	fetcher: Pick<Fetcher, 'get'>,
	{ url, body, etag, lastModified }: StoredRangeList,
	options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<FetchAnswer> {
	const headers: Record<string, string> = { accept: 'application/json' };
	if (body !== undefined && etag !== undefined) headers['if-none-match'] = etag;
	if (body !== undefined && lastModified !== undefined) headers['if-modified-since'] = lastModified;
	let answer = await fetcher.get(url, { headers, ...options });
	for (let hops = 0; answer.ok && hops < maxRedirects; hops++) {
		const target = redirectTarget(answer);
		// What was to come over TLS never comes without.
		if (target?.ok !== true || (url.startsWith('https:') && !target.url.startsWith('https:'))) break;
		// Who controls another domain is not the operator that the list speaks for.
		if (!sameSite(url, target.url)) {
			return {
				ok: false,
				url,
				reason: 'bad-response',
				detail: `redirects to another domain, ${new URL(target.url).host}`,
			};
		}
		answer = await fetcher.get(target.url, { headers, ...options });
	}
	return answer;
}

function sameSite(one: string, other: string): boolean {
	const site = (url: string) => {
		const { hostname } = new URL(url);
		return registrableDomain(hostname) ?? hostname;
	};
	return site(one) === site(other);
}
