import { hasTrackingQuery, isUrlKey } from '@wayleave/protocols/pagedigest';
import { parseRobots, prepareRobots } from '@wayleave/protocols/robots';
import { LRUCache } from 'lru-cache';

export interface NamedPagesOptions {
	readonly origin: string;
	/** Patterns of the policy file, as robots.txt has them: what they match is a page. */
	readonly patterns?: readonly string[];
	/** Addresses that are kept. Default 100,000. */
	readonly max?: number;
	/** Addresses that share a path and differ in their query or parameters. Default 5000. */
	readonly maxPerPath?: number;
}

const maxKey = 500;
/** Sessions that a site without cookies writes into its links: each visitor gets others. */
const session = /;(?:jsessionid|phpsessid|sessionid)=/i;

/**
 * The addresses of pages that the site itself names: by a link or a canonical on a page that it names, in its sitemap,
 * or in the policy file. A response at any other address is seen only by the client that requests it.
 */
export class NamedPages {
	readonly #origin: URL;
	readonly #isConfigured: (key: string) => boolean;
	readonly #maxPerPath: number;
	/** By the address without the differences of spelling: the spelling that the site used first. */
	readonly #spellings: LRUCache<string, string>;
	readonly #variants = new Map<string, number>();

	constructor({ origin, patterns = [], max = 100_000, maxPerPath = 5000 }: NamedPagesOptions) {
		this.#origin = new URL(origin);
		this.#isConfigured = matcherOf(patterns, origin);
		this.#maxPerPath = maxPerPath;
		// Not `max`, which allocates for all of them at once.
		this.#spellings = new LRUCache({
			maxSize: max,
			sizeCalculation: () => 1,
			dispose: (_, key) => this.#count(key, -1),
		});
		this.add('/');
	}

	get size(): number {
		return this.#spellings.size;
	}

	/** Whether the site names this address, in just this spelling. */
	has(key: string): boolean {
		return this.#spellings.get(plainSpelling(key)) === key || this.isConfigured(key);
	}

	/** The policy file names it. */
	isConfigured(key: string): boolean {
		return this.#isConfigured(key);
	}

	/** The site names an address; named again, it is among the last that are let go of. */
	add(key: string): void {
		if (!isListable(key)) return;
		const plain = plainSpelling(key);
		if (this.#spellings.get(plain) !== undefined) return;
		const path = pathOf(plain);
		if (path !== plain && (this.#variants.get(path) ?? 0) >= this.#maxPerPath) return;
		this.#spellings.set(plain, key);
		this.#count(plain, 1);
	}

	/** The site names a URL: one of this site, by either scheme. */
	addUrl(url: string): void {
		const key = this.keyOf(url);
		if (key !== undefined) this.add(key);
	}

	/** The address on this site that a URL is; undefined for other sites. */
	keyOf(url: string): string | undefined {
		if (!URL.canParse(url)) return undefined;
		const { protocol, host, pathname, search } = new URL(url);
		return /^https?:$/.test(protocol) && host === this.#origin.host ? pathname + search : undefined;
	}

	#count(plain: string, by: number): void {
		const path = pathOf(plain);
		if (path === plain) return;
		const count = (this.#variants.get(path) ?? 0) + by;
		if (count > 0) this.#variants.set(path, count);
		else this.#variants.delete(path);
	}
}

/** Whether a manifest may list an address: it is one, not too long, and holds neither a session nor a tracker. */
export function isListable(key: string): boolean {
	return key.length <= maxKey && isUrlKey(key) && !hasTrackingQuery(key) && !session.test(key);
}

/** An address without the differences that no server has to see: escapes of plain letters, the order of parameters. */
function plainSpelling(key: string): string {
	const [path, query] = split(key);
	return query === undefined ? plainEscapes(path) : `${plainEscapes(path)}?${query.split('&').sort().join('&')}`;
}

function plainEscapes(path: string): string {
	if (!path.includes('%')) return path;
	return path.replace(/%[0-9a-f]{2}/gi, (code) => {
		const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : code.toUpperCase();
	});
}

function split(key: string): [path: string, query: string | undefined] {
	const mark = key.indexOf('?');
	return mark < 0 ? [key, undefined] : [key.slice(0, mark), key.slice(mark + 1)];
}

/** The path without query and `;parameters`. */
export function pathOf(key: string): string {
	return split(key)[0].replace(/;[^/]*/g, '');
}

/** Addresses that a server may take for one: in other letters, with a slash at the end, with a query that it ignores. */
export function loosePath(key: string): string {
	return plainEscapes(pathOf(key))
		.toLowerCase()
		.replace(/(?<=.)\/+$/, '');
}

/** Whether one of the patterns matches, read as robots.txt reads them. */
function matcherOf(patterns: readonly string[], origin: string): (key: string) => boolean {
	if (patterns.length === 0) return () => false;
	const lines = ['User-agent: *', ...patterns.map((pattern) => `Disallow: ${pattern}`)];
	const prepared = prepareRobots(parseRobots(lines.join('\n')).value, ['*']);
	return (key) => !prepared.match(origin + key).allowed;
}
