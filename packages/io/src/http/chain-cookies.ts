import { isBelow } from './cookie-path.ts';
import { parseDate } from './parse-date.ts';

/** The most cookies of one chain, and the most characters of one cookie. */
const maxCookies = 50;
const maxLength = 4096;

interface ChainCookie {
	readonly origin: string;
	readonly path: string;
	readonly secure: boolean;
	readonly name: string;
	readonly value: string;
}

/**
 * The cookies of one redirect chain: a cookie from a response goes with later requests of the chain to the same origin,
 * and is dropped when the chain ends. The cookies identify no user: the site itself set them a moment before. Follows
 * RFC 6265, except that no cookie goes to another origin (scheme, host, port), regardless of its `Domain`: it may renew
 * a login for the user's own site, and another port can be another site.
 */
export class ChainCookies {
	#cookies: readonly ChainCookie[] = [];

	/** Stores the cookies of a response. @param url that was requested */
	take(url: string, headers: { getAll(name: string): readonly string[] }): void {
		const target = new URL(url);
		for (const line of headers.getAll('set-cookie')) this.#set(target, line);
	}

	/** The value of `Cookie` for a request; undefined if there is none. */
	valueFor(url: string): string | undefined {
		const { origin: target, pathname, protocol } = new URL(url);
		const own = this.#cookies.filter(
			({ origin, path, secure }) => origin === target && isBelow(pathname, path) && (!secure || protocol === 'https:'),
		);
		const sorted = own.toSorted((a, b) => b.path.length - a.path.length);
		return sorted.length === 0 ? undefined : sorted.map(({ name, value }) => `${name}=${value}`).join('; ');
	}

	#set({ origin, pathname, protocol }: URL, line: string): void {
		const [pair = '', ...attributes] = line.split(';');
		const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
		const isSendable = /^[^\s\0-\x1f\x7f]+$/.test(name.trim()) && !/[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/.test(value);
		if (!isSendable || pair.length > maxLength) return;
		const given = new Map(attributes.map(readAttribute));
		const path = given.get('path')?.startsWith('/') ? (given.get('path') ?? '/') : defaultPath(pathname);
		const secure = given.has('secure');
		const cookie = { origin, path, secure, name: name.trim(), value: value.trim() };
		const others = this.#cookies.filter(
			(each) => each.origin !== origin || each.path !== path || each.name !== cookie.name,
		);
		const isOver = isExpired(given) || (secure && protocol !== 'https:');
		this.#cookies = isOver ? others : [...others, cookie].slice(-maxCookies);
	}
}

function readAttribute(text: string): [name: string, value: string] {
	const at = text.indexOf('=');
	return at === -1
		? [text.trim().toLowerCase(), '']
		: [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
}

/** RFC 6265 §5.1.4. */
function defaultPath(pathname: string): string {
	const end = pathname.lastIndexOf('/');
	return end <= 0 ? '/' : pathname.slice(0, end);
}

/** Whether the cookie is being deleted. `Max-Age` takes precedence over `Expires` (RFC 6265 §5.3). */
function isExpired(attributes: ReadonlyMap<string, string>): boolean {
	const age = attributes.get('max-age');
	if (age !== undefined && /^-?\d+$/.test(age)) return Number(age) <= 0;
	return parseDate(attributes.get('expires') ?? '') <= Date.now();
}
