/** An answer of the gateway itself, ready for any server. */
export interface Answer {
	readonly status: number;
	/** Names in lower case; a list stands for several lines. */
	readonly headers: Readonly<Record<string, string | readonly string[]>>;
	/** Left out of answers to HEAD by whoever sends it. */
	readonly body: string | Uint8Array<ArrayBuffer>;
}

/** An answer as a `Response` of the Web. */
export function responseOf(answer: Answer, method: string): Response {
	const headers = new Headers();
	for (const [name, value] of Object.entries(answer.headers)) {
		for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each);
	}
	const empty = method === 'HEAD' || answer.status === 304 || answer.status === 204;
	return new Response(empty ? null : answer.body, { status: answer.status, headers });
}

/** A `Response` of the Web as an answer; its body is read to the end. */
export async function answerOf(response: Response): Promise<Answer> {
	const headers = Object.fromEntries(response.headers);
	return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}

/** The bytes of a body. */
export function lengthOf(body: Answer['body']): number {
	return typeof body === 'string' ? utf8.encode(body).length : body.length;
}

const utf8 = new TextEncoder();

/** An error as `application/problem+json` (RFC 9457). An answer to one client is none for the next: nobody may keep it. */
export function problemAnswer(
	status: number,
	code: string,
	title: string,
	more: Readonly<Record<string, unknown>> = {},
	headers: Answer['headers'] = {},
): Answer {
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
