import type { Readings } from '@wayleave/protocols/url';

/**
 * One request as the gateway judges it, whatever server it came to. Light, because one is made for every request:
 * a `Request` of the Web costs more than the whole decision.
 */
export interface Visit {
	readonly method: string;
	/** The request target as it stood on the wire: `/path?query`, a whole URL, or `*`. */
	readonly target: string;
	/** Other strings by which the server behind may find the page: a rewritten URL, a header such as `X-Original-URL`. */
	readonly alsoNamed?: readonly string[] | undefined;
	/** How the router behind reads a path, where an adapter knows it; readings of the policy file are added. */
	readonly readings?: Readings | undefined;
	/** Address of the peer: the client, or a proxy in front. */
	readonly address: string;
	/** The value of a field by its lower-case name; several lines joined by `, `. */
	header(name: string): string | undefined;
}

/** A `Request` of the Web as a visit. Its URL has been normalised already: what was on the wire is not known any more. */
export function visitOf(request: Request, address: string): Visit {
	const { pathname, search } = new URL(request.url);
	return {
		method: request.method,
		target: pathname + search,
		address,
		header: (name) => request.headers.get(name) ?? undefined,
	};
}
