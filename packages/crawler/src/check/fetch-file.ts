import type { FetchFailed, FetchSuccess } from '@wayleave/io/http';
import type { PoliteClient } from '../engine/polite-client.ts';

/** The last response after redirects, or why there was none. */
export type FileResult =
	| {
			readonly ok: true;
			/** After redirects. */
			readonly url: string;
			readonly status: number;
			readonly headers: Iterable<readonly [name: string, value: string]>;
			readonly contentType: string;
			readonly body: Uint8Array;
	  }
	| { readonly ok: false; readonly detail: string };

/** Fetches files one after the other, at the pace that their hosts are owed. */
export interface PoliteFetch {
	/** Gets one file. A redirect may lead to where we may not go, so only as many are followed as the caller says. */
	get(url: string, redirects: number): Promise<FileResult>;
	/** Sets the pace that the policy of a site wants for its host. */
	setSitePace: PoliteClient['setSitePace'];
}

/** For files that say what we may do, and are reached before we know (RFC 9309 §2.3.1.2). */
export const policyRedirects = 5;
const maxBytes = 1024 * 1024;

/**
 * The crawler's client, for files whose beginning is enough.
 *
 * @param describe words a failure; servers must not show internals to remote callers
 * @param signal aborts requests in flight
 */
export function politeFetch(
	client: Pick<PoliteClient, 'get' | 'setSitePace'>,
	describe: (failure: FetchFailed) => string = ({ detail }) => detail,
	signal?: AbortSignal,
): PoliteFetch {
	return {
		async get(url, redirects) {
			const limits = { maxBytes, onLimit: 'truncate', ...(signal && { signal }) } as const;
			const response = await client.get(url, redirects, limits);
			return response.ok ? received(response) : { ok: false, detail: describe(response) };
		},
		setSitePace: (url, pace) => client.setSitePace(url, pace),
	};
}

function received({ url, status, headers, body }: FetchSuccess): FileResult {
	return { ok: true, url, status, headers, contentType: headers.get('content-type') ?? '', body };
}
