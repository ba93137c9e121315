import type { Evidence } from '@wayleave/protocols';

/** An error as `application/problem+json` (RFC 9457), with what decided where something did. */
export function problemResponse(
	status: number,
	code: string,
	title: string,
	extra: { detail?: string; evidence?: readonly Evidence[]; headers?: Record<string, string> } = {},
): Response {
	const body = {
		type: `urn:wayleave:problem:${code}`,
		code,
		title,
		status,
		...(extra.detail === undefined ? {} : { detail: extra.detail }),
		...(extra.evidence === undefined || extra.evidence.length === 0 ? {} : { evidence: extra.evidence }),
	};
	// A response to one client is not for another: caches may not store it.
	const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...extra.headers };
	return new Response(JSON.stringify(body), { status, headers });
}
