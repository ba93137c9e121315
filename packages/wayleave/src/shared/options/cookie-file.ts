import type { Cookie } from '@wayleave/io/http';

/**
 * Reads exported cookies: the Netscape format of curl and wget, or JSON as browsers' extensions, Puppeteer and
 * Playwright write it (an array, or an object with `cookies`), or an object of names and values.
 *
 * @param hosts get cookies that name no domain
 * @throws Error that says where, and never what the value is
 */
export function parseCookies(text: string, hosts: readonly string[]): Cookie[] {
	const start = text.replace(/^\uFEFF/, '').trimStart();
	return /^[[{]/.test(start) ? parseJson(start, hosts) : parseNetscape(text);
}

function parseNetscape(text: string): Cookie[] {
	return text.split(/\r?\n/).flatMap((written, at) => {
		// A browser's mark for cookies that scripts do not see.
		const line = written.replace(/^#HttpOnly_/, '');
		if (line.trim() === '' || line.startsWith('#')) return [];
		const [domain = '', subdomains = '', path = '', secure = '', expires = '', name = '', ...value] = line.split('\t');
		if (
			value.length === 0 ||
			domain === '' ||
			!/^-?\d+(?:\.\d+)?$/.test(expires) ||
			!isFlag(subdomains) ||
			!isFlag(secure)
		)
			throw new Error(
				`line ${at + 1} is not a cookie: expected domain, TRUE or FALSE, path, TRUE or FALSE, seconds, name and value, separated by tabs`,
			);
		return [
			{
				name,
				value: value.join('\t'),
				...placeOf(domain, subdomains.toUpperCase() === 'TRUE'),
				path,
				secure: secure.toUpperCase() === 'TRUE',
				...expiryOf(Number(expires)),
			},
		];
	});
}

const isFlag = (text: string): boolean => /^(?:true|false)$/i.test(text);

function parseJson(text: string, hosts: readonly string[]): Cookie[] {
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		throw new Error('it starts like JSON but is not valid JSON');
	}
	const found = Array.isArray(data) ? data : (data as { cookies?: unknown }).cookies;
	if (Array.isArray(found)) return found.flatMap((each, at) => readCookie(each, `cookie ${at + 1}`, hosts));
	return Object.entries(data as object).flatMap(([name, value]) =>
		readCookie({ name, value }, `cookie ${name}`, hosts),
	);
}

function readCookie(data: unknown, where: string, hosts: readonly string[]): Cookie[] {
	const cookie = (typeof data === 'object' && data !== null ? data : {}) as Readonly<Record<string, unknown>>;
	const { name, value, domain, path, secure, hostOnly } = cookie;
	if (typeof name !== 'string' || typeof value !== 'string') throw new Error(`${where} has no name or no value`);
	const places =
		typeof domain === 'string' && domain !== ''
			? [placeOf(domain, hostOnly === false)]
			: hosts.map((host) => ({ domain: host, subdomains: false }));
	const rest = {
		name,
		value,
		...(typeof path === 'string' && path !== '' && { path }),
		...(secure === true && { secure }),
		...expiryOf(cookie.expirationDate ?? cookie.expires ?? cookie.expiry),
	};
	return places.map((place) => ({ ...rest, ...place }));
}

/** A leading dot has meant "and all hosts below" since before RFC 6265. */
function placeOf(domain: string, subdomains: boolean) {
	return { domain: domain.replace(/^\./, '').toLowerCase(), subdomains: subdomains || domain.startsWith('.') };
}

/** 0, negative and absent mean: until the browser closes. */
function expiryOf(when: unknown): { expires?: number } {
	const seconds = typeof when === 'string' && !/^-?\d/.test(when) ? Date.parse(when) / 1000 : Number(when);
	if (typeof when === 'string' && /^\d{4}-/.test(when)) return { expires: Date.parse(when) / 1000 };
	return when !== undefined && when !== null && seconds > 0 ? { expires: seconds } : {};
}
