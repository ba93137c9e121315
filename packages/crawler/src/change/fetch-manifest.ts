import { type FetchResult, type FetchSuccess, redirectTarget } from '@wayleave/io/http';
import { manifestPath } from '@wayleave/protocols/pagedigest';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { SendRequest } from '../politeness/requester.ts';
import { looksLikeHtml } from '../response/classify.ts';
import { conditionsOf, isConditional } from '../response/validators.ts';
import type { SiteRecord } from '../store/roles/changes.ts';

/** Larger manifests are not read: reading stops there (pagedigest §7.3). */
export const largestManifest = 10 * 1024 * 1024;
const maxRedirects = 5;

/** The result of requesting the manifest of an origin. */
export type FetchedManifest =
	| { readonly state: 'read'; readonly response: FetchSuccess }
	| { readonly state: 'unchanged' }
	| { readonly state: 'none' | 'unreachable' | 'invalid'; readonly detail: string };

/** Asks for the manifest where every origin serves it, with the stored validators (pagedigest §2). */
export async function fetchManifest(
	site: SiteRecord,
	slot: HostSlot,
	send: SendRequest,
): Promise<FetchedManifest | NotScheduled> {
	const passed = new Set<string>();
	for (let url = site.origin + manifestPath; ; ) {
		const headers = { Accept: 'application/json, */*;q=0.1', ...conditionsOf(site) };
		const response = await send(slot, url, { headers, maxBytes: largestManifest });
		if (typeof response === 'string') return response;
		const target = response.ok ? redirectTarget(response) : undefined;
		if (target === undefined) return meaningOf(response, isConditional(site));
		passed.add(url);
		// Within the origin only.
		if (!target.ok || new URL(target.url).origin !== site.origin)
			return { state: 'none', detail: 'redirects to another origin' };
		url = target.url.replace(/#.*/s, '');
		if (passed.has(url) || passed.size > maxRedirects)
			return { state: 'none', detail: 'redirects too many times or in a loop' };
	}
}

function meaningOf(response: FetchResult, conditional: boolean): FetchedManifest {
	if (!response.ok) {
		const { reason, detail } = response;
		return { state: reason === 'too-large' ? 'invalid' : 'unreachable', detail: detail === '' ? reason : detail };
	}
	const { status } = response;
	if (status === 200) return isSoft404(response) ? { state: 'none', detail: 'soft-404' } : { state: 'read', response };
	if (status === 304 && conditional) return { state: 'unchanged' };
	return { state: status >= 500 || status === 429 ? 'unreachable' : 'none', detail: `HTTP ${status}` };
}

/** Sites that respond to every address send a page, or a JSON error, instead of a manifest. */
function isSoft404({ body, headers }: FetchSuccess): boolean {
	const start = Buffer.from(body.subarray(0, 1024)).toString('latin1');
	const isObject = /^[\s\xef\xbb\xbf]*\{/.test(start);
	if (looksLikeHtml(start) || (!isObject && /html/i.test(headers.get('content-type') ?? ''))) return true;
	if (!isObject || body.length > largestError) return false;
	const text = new TextDecoder().decode(body);
	return !/"(?:version|generated|site_rev|coverage|entries)"\s*:/.test(text) && isJson(text);
}

/** Bytes; JSON errors are shorter. */
const largestError = 65_536;

function isJson(text: string): boolean {
	try {
		JSON.parse(text.replace(/^\uFEFF/, ''));
		return true;
	} catch {
		return false;
	}
}
