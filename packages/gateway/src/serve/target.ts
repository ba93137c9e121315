/** A request target, read. */
export interface Target {
	/** What is forwarded: byte for byte what came, save the authority of an absolute form. */
	readonly raw: string;
	/** The path without its query, unreserved characters decoded: what our own routes are compared with. */
	readonly path: string;
	/**
	 * `path?query` as servers may understand it. Mostly one; more where an upstream could see another path in the same
	 * bytes (`//x`, `%2F`): a rule that withholds one of them withholds the request.
	 */
	readonly readings: readonly string[];
}

export type TargetFault =
	| 'bad-character'
	| 'bad-escape'
	| 'dot-segment'
	| 'fragment'
	| 'foreign-authority'
	| 'not-a-path';

/** Printable ASCII without what no path or query may hold raw: `"`, `<`, `>`, `\`, `^`, backtick, braces and bar pass in a query. */
const printable = /^[\x21-\x7e]+$/;
const absolute = /^https?:\/\/([^/?#]*)/i;
/** A dot segment in any dress: raw or encoded dots between raw, encoded or backward slashes. */
const dotSegment = /(?:^|\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?=$|\/|\\|%2f|%5c|;)/i;
const badEscape = /%(?![0-9a-f]{2})/i;
const needsCare = /%|\/\/|\\|\.\./;

/**
 * Reads the target of a request so that what is judged is what is forwarded. What different servers would read
 * differently, and no honest client sends, is a fault (RFC 9112 §3.2, RFC 3986 §3.3).
 *
 * @param host the `Host` field, which an absolute target has to agree with (RFC 9112 §3.2.2).
 */
export function readTarget(target: string, host: string | undefined): Target | TargetFault {
	if (!printable.test(target)) return 'bad-character';
	if (target.charCodeAt(0) !== 0x2f) return readOther(target, host);
	if (target.includes('#')) return 'fragment';
	const question = target.indexOf('?');
	const path = question < 0 ? target : target.slice(0, question);
	if (!needsCare.test(path) && !path.includes('/.')) return { raw: target, path, readings: [target] };
	return readCarefully(target, path, question < 0 ? '' : target.slice(question));
}

export function isFault(read: Target | TargetFault): read is TargetFault {
	return typeof read === 'string';
}

function readOther(target: string, host: string | undefined): Target | TargetFault {
	if (target === '*') return { raw: '*', path: '*', readings: [] };
	const authority = absolute.exec(target);
	if (authority === null) return 'not-a-path';
	if (host === undefined || authority[1]!.toLowerCase() !== host.toLowerCase()) return 'foreign-authority';
	const rest = target.slice(authority[0].length);
	return readTarget(rest.startsWith('/') ? rest : `/${rest}`, host);
}

function readCarefully(raw: string, path: string, query: string): Target | TargetFault {
	if (badEscape.test(path)) return 'bad-escape';
	if (path.includes('\\') || /%(?:0[0-9a-f]|1[0-9a-f]|7f)/i.test(path)) return 'bad-character';
	if (dotSegment.test(path)) return 'dot-segment';
	const plain = decodeUnreserved(path);
	const split = plain.replace(/%(?:2f|5c)/gi, '/');
	const readings = new Set([plain, collapse(plain), split, collapse(split)]);
	return { raw, path: collapse(plain), readings: [...readings].map((each) => each + query) };
}

/** `%61` and `a` are the same character (RFC 3986 §6.2.2.2). */
function decodeUnreserved(path: string): string {
	return path.replace(/%[0-9a-f]{2}/gi, (code) => {
		const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : code;
	});
}

function collapse(path: string): string {
	return path.replace(/\/{2,}/g, '/');
}
