/** A file of a page for the operator. */
export interface PageFile {
	/** Content type. */
	readonly type: string;
	readonly body: string | Uint8Array<ArrayBuffer>;
}

/** No resources of other origins, no inline code, no framing. */
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of all responses of a page for the operator. */
export const pageHeaders: Readonly<Record<string, string>> = {
	'cache-control': 'no-store',
	'content-security-policy': policy,
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-robots-tag': 'noindex',
};

/** The file with a name, or `NAME.html`; undefined if there is none. */
export function pageFile(files: ReadonlyMap<string, PageFile>, name: string): Response | undefined {
	const file = files.get(name) ?? files.get(`${name}.html`);
	return file && new Response(file.body, { headers: { ...pageHeaders, 'content-type': file.type } });
}

/**
 * A failure, for programs and in the page (RFC 9457).
 *
 * @param more further members of the object
 * @param fields further header fields
 */
export function pageProblem(
	status: number,
	title: string,
	more: Readonly<Record<string, unknown>> = {},
	fields: Readonly<Record<string, string>> = {},
): Response {
	const headers = { ...pageHeaders, 'content-type': 'application/problem+json', ...fields };
	return new Response(JSON.stringify({ title, status, ...more }), { status, headers });
}
