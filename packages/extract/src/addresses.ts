import { parseUrl, withoutBrackets } from '@wayleave/protocols/url';

/** Resolves the addresses of a page. */
export interface Address {
	readonly url: string;
	/** WHATWG host without the port. */
	readonly host: string;
	/** http(s). */
	readonly isWeb: boolean;
}

/**
 * Paths and queries that the URL standard leaves as they are: no segment begins with a dot or a percent sign, and no
 * character has to be encoded.
 */
const plain = /^\/(?!\/)(?:[\w~!$&()*+,;=:@-][\w~!$&()*+,;=:@%.-]*(?:\/+|(?=\?)|$))*(?:\?[\w~!$&()*+,;=:@%./?-]*)?$/;

/** Longer ones are left to the parser. */
const maxPlain = 2000;

/**
 * The addresses of one page, resolved against its base. Pages repeat them, and most lead to their own site: each is
 * looked at once, and the URL parser is only asked about those that are not plain.
 */
export class Addresses {
	/** Base of relative addresses: absolute. */
	readonly base: string;
	readonly #origin: string;
	readonly #host: string;
	readonly #known = new Map<string, Address | undefined>();

	constructor(base: string) {
		this.base = base;
		const { origin, hostname, protocol, href } = parseUrl(base) ?? nowhere;
		// With credentials, or where there is no host, nothing is plain.
		const isPlain = (protocol === 'http:' || protocol === 'https:') && href.startsWith(`${origin}/`);
		this.#origin = isPlain ? origin : '';
		this.#host = hostname;
	}

	/** Absolute form of an http(s) address, or undefined. */
	absolute(address: string | undefined): string | undefined {
		const found = this.resolve(address);
		return found?.isWeb ? found.url : undefined;
	}

	/** Undefined where an address leads nowhere. */
	resolve(address: string | undefined): Address | undefined {
		const text = address?.trim();
		if (text === undefined || text === '') return undefined;
		let found = this.#known.get(text);
		if (found === undefined && !this.#known.has(text)) {
			found = this.#plain(text) ?? this.#parsed(text);
			this.#known.set(text, found);
		}
		return found;
	}

	#plain(text: string): Address | undefined {
		if (this.#origin === '' || text.length > maxPlain) return undefined;
		const isWhole = text.startsWith(this.#origin);
		const url = this.#origin + (isWhole ? text.slice(this.#origin.length) : text);
		// Taking the path out of the whole makes that a copy: a piece of a page would keep the whole page in memory.
		if (!plain.test(url.slice(this.#origin.length))) return undefined;
		return { url, host: this.#host, isWeb: true };
	}

	#parsed(text: string): Address | undefined {
		const parsed = parseUrl(withoutBrackets(text), this.base);
		if (parsed === undefined) return undefined;
		const { href, hostname, protocol } = parsed;
		return { url: href, host: hostname, isWeb: protocol === 'http:' || protocol === 'https:' };
	}
}

const nowhere = { origin: '', hostname: '', protocol: '', href: '' };
