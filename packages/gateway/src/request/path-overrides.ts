import type { IncomingMessage } from 'node:http';
import type { Identity } from './identity.ts';
import type { Visit } from './visit.ts';

/** Headers from which a server behind may take another path or method than the request line has. */
const pathOverrides: ReadonlySet<string> = new Set([
	'x-original-url',
	'x-original-uri',
	'x-original-path',
	'x-rewrite-url',
	'x-rewrite-uri',
	'x-override-url',
	'x-request-uri',
	'x-request-url',
	'x-forwarded-path',
	'x-forwarded-prefix',
	'x-forwarded-uri',
	'x-forwarded-url',
	'x-envoy-original-path',
	'x-waws-unencoded-url',
	'x-accel-redirect',
	'x-sendfile',
	// Traefik's own; and the prefix that WSGI and CGI servers strip: `SCRIPT_NAME: /open` turns `/open/private` into
	// `/private`.
	'x-replaced-path',
	'x-forwarded-request-uri',
	'request-uri',
	'script-name',
	'x-script-name',
	'x-forwarded-script-name',
	'path-info',
]);
/** Headers whose value is prepended to the path of the request, or stripped from it. */
const prefixes: ReadonlySet<string> = new Set([
	'x-forwarded-prefix',
	'script-name',
	'x-script-name',
	'x-forwarded-script-name',
]);
const methodOverrides: ReadonlySet<string> = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);

/**
 * Whether a header names another path or method. Such headers are dropped unless they come through a trusted proxy:
 * a request would be judged by one path and answered by another.
 *
 * @param name in lower case, `_` written as `-`: CGI makes the same variable of both.
 */
export function isPathOverride(name: string): boolean {
	return pathOverrides.has(name) || methodOverrides.has(name);
}

/** Whether a request came through a proxy of `identity.trustedProxies`, whose headers are believed. */
export function cameThroughProxy({ visit, identity }: { readonly visit: Visit; readonly identity: Identity }): boolean {
	return identity.address !== plainAddress(visit.address);
}

/** An IPv4 address on a socket for both families, as IPv4. */
export function plainAddress(address: string): string {
	return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** The paths that a request's headers name: a proxy passes on what its own client wrote, so they are judged too. */
export function overridingPaths({ header, target }: Visit): string[] {
	const found: string[] = [];
	for (const name of pathOverrides) {
		const value = header(name)?.trim();
		if (value === undefined || value === '') continue;
		if (!prefixes.has(name)) found.push(value);
		else {
			const prefix = value.replace(/\/+$/, '');
			found.push(prefix + target);
			if (prefix !== '' && target.startsWith(prefix)) found.push(target.slice(prefix.length) || '/');
		}
	}
	return found;
}

/** Drops the headers that name another path or method from a message of Node, where a handler would read them. */
export function dropPathOverrides({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
	for (const name of Object.keys(headers)) if (isPathOverride(name.replaceAll('_', '-'))) delete headers[name];
	for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
		if (isPathOverride((rawHeaders[at] ?? '').toLowerCase().replaceAll('_', '-'))) rawHeaders.splice(at, 2);
	}
}

/** The same for a request of the Web, which is only copied where there is something to drop. */
export function withoutPathOverrides(request: Request): Request {
	const names = [...request.headers.keys()].filter((name) => isPathOverride(name.replaceAll('_', '-')));
	if (names.length === 0) return request;
	const headers = new Headers(request.headers);
	for (const name of names) headers.delete(name);
	return new Request(request, { headers });
}
