/** An answer of the gateway itself, ready for any server. */
export interface GatewayResponse {
	readonly status: number;
	/** Names in lower case; a list stands for several lines. */
	readonly headers: Readonly<Record<string, string | readonly string[]>>;
	/** The sender omits it in responses to HEAD. */
	readonly body: string | Uint8Array<ArrayBuffer>;
}

/** An answer as a `Response` of the Web. */
export function toWebResponse(response: GatewayResponse, method: string): Response {
	const headers = new Headers();
	for (const [name, value] of Object.entries(response.headers)) {
		for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each);
	}
	const empty = method === 'HEAD' || response.status === 304 || response.status === 204;
	return new Response(empty ? null : response.body, { status: response.status, headers });
}

/** A `Response` of the Web as an answer; its body is read to the end. */
export async function fromWebResponse(response: Response): Promise<GatewayResponse> {
	const headers = Object.fromEntries(response.headers);
	return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}

/** The bytes of a body. */
export function lengthOf(body: GatewayResponse['body']): number {
	return typeof body === 'string' ? utf8.encode(body).length : body.length;
}

const utf8 = new TextEncoder();

/** An error as `application/problem+json` (RFC 9457). A response to one client is not for another: caches may not store it. */
export function problemResponse(
	status: number,
	code: string,
	title: string,
	more: Readonly<Record<string, unknown>> = {},
	headers: GatewayResponse['headers'] = {},
): GatewayResponse {
	return {
		status,
		headers: {
			'content-type': 'application/problem+json',
			'cache-control': 'no-store',
			vary: 'User-Agent, X-Agent-Identity, Signature, Accept',
			'x-content-type-options': 'nosniff',
			...headers,
		},
		body: JSON.stringify({ type: `urn:wayleave:problem:${code}`, code, title, status, ...more }),
	};
}
