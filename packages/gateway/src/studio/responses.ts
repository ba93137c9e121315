/** No resources of other origins, no inline code, no framing. */
const contentPolicy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every response to an operator. */
export const operatorHeaders = {
	'cache-control': 'no-store',
	'content-security-policy': contentPolicy,
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-robots-tag': 'noindex',
};

export function problem(
	status: number,
	title: string,
	more: Readonly<Record<string, unknown>> = {},
	fields: Readonly<Record<string, string>> = {},
): Response {
	const body = JSON.stringify({ title, status, ...more });
	const headers = { ...operatorHeaders, 'content-type': 'application/problem+json', ...fields };
	return new Response(body, { status, headers });
}
