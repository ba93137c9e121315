import { type AddressFault, type PathFault, type Readings, readPageUrl, readPath } from '@wayleave/protocols/url';
import type { Identity } from './identity.ts';
import { cameThroughProxy, overridingPaths } from './path-overrides.ts';
import type { Visit } from './visit.ts';

/** A request target, read. */
export interface Target {
	/** The forwarded target: byte for byte as received, without the authority of an absolute form. */
	readonly raw: string;
	/** The path without its query, unreserved characters decoded: what our own routes are compared with. */
	readonly path: string;
	/**
	 * `path?query` as servers may understand it. Mostly one; more where an upstream could see another path in the same
	 * bytes (`//x`, `%2F`): a rule that withholds one of them withholds the request.
	 */
	readonly readings: readonly string[];
	/** Rules withhold a page in any letter case. */
	readonly ignoreCase: boolean;
}

export type TargetFault = PathFault | 'fragment' | 'foreign-authority' | 'not-a-path';

/** Printable ASCII. */
const printable = /^[\x21-\x7e]+$/;
const absolute = /^(https?):\/\/([^/?#]*)/i;
/**
 * Names of letters, digits, `_`, `~`, `-`, the last one with single dots inside, and any query: all servers read these
 * alike.
 */
const plain = /^(?:\/[\w~-]+)*(?:\/|\/[\w~-]+(?:\.[\w~-]+)+)?(?:\?[\x21\x22\x24-\x7e]*)?$/;

/**
 * Reads the target of a request so that what is judged is what is forwarded. What different servers would read
 * differently, and no honest client sends, is a fault (RFC 9112 §3.2, RFC 3986 §3.3).
 *
 * @param host the `Host` field, which an absolute target has to agree with (RFC 9112 §3.2.2).
 */
export function readTarget(target: string, host: string | undefined, readings: Readings): Target | TargetFault {
	if (target.charCodeAt(0) === 0x2f && !readings.ignoreTrailingSlash && plain.test(target)) {
		return { raw: target, path: pathOf(target), readings: [target], ignoreCase: readings.ignoreCase };
	}
	if (target.charCodeAt(0) !== 0x2f)
		return printable.test(target) ? readOther(target, host, readings) : 'bad-character';
	if (target.includes('#')) return printable.test(target) ? 'fragment' : 'bad-character';
	const path = pathOf(target);
	const found = readPath(path, target.slice(path.length), readings);
	if (typeof found === 'string') return found;
	const own = found.length === 1 && !path.includes('%') ? path : ownPath(found[0] ?? '/');
	return { raw: target, path: own, readings: found, ignoreCase: readings.ignoreCase };
}

export function isFault<Read extends object>(read: Read | TargetFault | AddressFault): read is TargetFault {
	return typeof read === 'string';
}

/**
 * Reads everything by which a request names a page: its target, and what an adapter or a header names besides. The
 * readings of all are judged.
 *
 * @param siteHost the host of requests that name none: HTTP/1.0 has no `Host`.
 */
export function readVisit(
	visit: Visit,
	identity: Identity,
	readings: Readings,
	siteHost: string,
): Target | TargetFault {
	const target = readTarget(visit.target, visit.header('host') ?? siteHost, readings);
	if (isFault(target)) return target;
	const named = cameThroughProxy({ visit, identity }) ? overridingPaths(visit) : [];
	if (visit.alsoNamed !== undefined) named.push(...visit.alsoNamed);
	if (named.length === 0) return target;
	const all = [...target.readings];
	for (const name of named) {
		const other = readName(name, readings);
		if (typeof other === 'string') return other;
		all.push(...other);
	}
	return { ...target, readings: all };
}

/** A path or a URL of any host that a header gives as the page that is meant. */
function readName(name: string, readings: Readings): readonly string[] | TargetFault {
	const text = name.trim();
	if (!absolute.test(text)) {
		const target = readTarget(text.startsWith('/') ? text : `/${text}`, undefined, readings);
		return isFault(target) ? target : target.readings;
	}
	const page = readPageUrl(text, readings);
	if (page === 'credentials' || page === 'not-a-url') return 'not-a-path';
	return isFault(page) ? page : page.readings;
}

function readOther(target: string, host: string | undefined, readings: Readings): Target | TargetFault {
	if (target === '*') return { raw: '*', path: '*', readings: [], ignoreCase: false };
	const [whole, scheme = '', authority = ''] = absolute.exec(target) ?? [];
	if (whole === undefined) return 'not-a-path';
	const bare = (text: string) => text.toLowerCase().replace(scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/, '');
	if (host === undefined || bare(authority) !== bare(host)) return 'foreign-authority';
	const rest = target.slice(whole.length);
	return readTarget(rest.startsWith('/') ? rest : `/${rest}`, host, readings);
}

function pathOf(target: string): string {
	const question = target.indexOf('?');
	return question < 0 ? target : target.slice(0, question);
}

function ownPath(reading: string): string {
	return (reading.split('?', 1)[0] ?? '/').replace(/\/{2,}/g, '/');
}
