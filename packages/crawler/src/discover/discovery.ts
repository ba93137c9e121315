import type { AddressRules } from '../addresses/address-rules.ts';
import { hashRoute } from '../addresses/routes.ts';
import { BoundedMap } from '../base/bounded-map.ts';
import type { Ending, Reason } from '../model/outcome.ts';
import type { NewUrl, OutOfScope } from '../store/roles/frontier.ts';
import { maxUrlLength, normaliseRoute, normaliseUrl } from './normalise.ts';
import type { Scope } from './scope.ts';
import { shapeOf } from './traps.ts';

/** Links seen a moment ago, which need not be looked at again: the navigation of a site stands on every page. */
const rememberedLinks = 20_000;
/** Lists that one page may name. */
const maxLists = 10;

export interface DiscoveryOptions {
	readonly scope: Scope;
	readonly maxDepth: number;
	/** Whether lists of pages are read. */
	readonly sitemaps: boolean;
	/** Whether routes after `#` are pages of their own: only a browser can show them. */
	readonly routes: () => boolean;
	/** Gets the links to routes that are left out, once each as long as they are remembered. */
	readonly onRouteLeft?: (url: string) => void;
	readonly filter: ((url: URL) => URL | undefined) | undefined;
	readonly rules: AddressRules;
	/** Whether a host is known to want https. */
	readonly wantsHttps: (host: string) => boolean;
	readonly now: () => number;
}

/** The page that a link stands on. */
export interface LinkOrigin {
	readonly depth: number;
	readonly dates: number;
}

/** Turns what is found on a page into what is known: normalised, each once, and judged: to be visited, or why not. */
export class Discovery {
	readonly #options: DiscoveryOptions;
	/** By link as written: the least depth at which it was judged. */
	readonly #recent = new BoundedMap<number>(rememberedLinks);

	constructor(options: DiscoveryOptions) {
		this.#options = options;
	}

	/** @param links absolute; what is no http(s) URL is no page and is passed over */
	links(links: Iterable<string>, { depth, dates }: LinkOrigin, nofollow = false): NewUrl[] {
		const found = new Map<string, NewUrl>();
		for (const link of links) {
			if ((this.#recent.get(link) ?? Number.POSITIVE_INFINITY) <= depth + 1) continue;
			for (const url of this.#judge(link, depth + 1, dates, nofollow)) found.set(url.url, url);
			// A link that this page forbids to follow may be on another page.
			if (!nofollow) this.#remember(link, depth + 1);
		}
		return [...found.values()];
	}

	/** @param links to lists of pages (feeds, sitemaps), absolute; those in scope are read like sitemaps */
	lists(links: readonly string[]): NewUrl[] {
		const { scope, maxDepth, sitemaps } = this.#options;
		if (!sitemaps || maxDepth < 1) return [];
		const urls = links.flatMap((link) => normaliseUrl(link) ?? []).map((url) => this.#preferHttps(url));
		return [...new Set(urls)]
			.filter((url) => url.length <= maxUrlLength && scope.check(url) === undefined)
			.slice(0, maxLists)
			.map((url) => ({ url, kind: 'sitemap', host: new URL(url).hostname, depth: 0, dates: 0 }));
	}

	/** Whether a URL that was found is still wanted; scope, depth and filter may be others than when it was. */
	check(url: string, depth: number): Ending | undefined {
		return this.#belongs(url, depth) ?? this.leftOut(url);
	}

	/** Whether the user excludes a URL. */
	leftOut(url: string): Ending | undefined {
		const leaves = this.#options.rules.excludes(url) || this.#filter(url) === undefined;
		return leaves ? outOfScope('filtered') : undefined;
	}

	/** The ending of a URL that is a known other address of a page, and that page. */
	alias({ url, depth, dates }: OutOfScope): { readonly ending: Ending; readonly found: NewUrl[] } | undefined {
		const folded = this.#options.rules.fold(url);
		if (folded === undefined) return undefined;
		return { ending: aliasOf(folded.url, folded.why), found: [this.page(folded.url, depth, dates)] };
	}

	/** A page that waits for a visit. */
	page(url: string, depth: number, dates: number): NewUrl {
		return { url, kind: 'page', host: new URL(url).hostname, depth, dates };
	}

	#belongs(url: string, depth: number): Ending | undefined {
		const { scope, maxDepth } = this.#options;
		const reason = scope.check(url) ?? (depth > maxDepth ? 'max-depth' : undefined);
		return reason && outOfScope(reason);
	}

	/**
	 * Judges one URL that is normalised already, and that the filter has seen.
	 *
	 * @param dates date pages on the way to it
	 */
	endingOf(url: string, depth: number, dates: number): { ending?: Ending; dates: number } {
		const shape = shapeOf(url, dates, this.#options.now());
		const ending = this.#belongs(url, depth) ?? (shape.trap && outOfScope(shape.trap));
		return { dates: shape.dates, ...(ending && { ending }) };
	}

	/** The scope has changed: what was judged before may be judged otherwise now. */
	forget(): void {
		this.#recent.clear();
	}

	/** The host of a URL that was out of scope, when it is not any more. */
	reconsider({ url, depth, dates }: OutOfScope): { host: string } | undefined {
		if (this.#options.rules.fold(url) !== undefined) return undefined;
		// Its own date is counted already.
		const { ending = this.leftOut(url) } = this.endingOf(url, depth, Math.max(0, dates - 1));
		return ending === undefined ? { host: new URL(url).hostname } : undefined;
	}

	/** A link, and the page whose other address it is. */
	#judge(link: string, depth: number, dates: number, nofollow: boolean): NewUrl[] {
		const page = normaliseUrl(link);
		if (page === undefined) return [];
		const found = this.#judgeNormal(page, depth, dates, nofollow);
		const whole = normaliseRoute(link) ?? page;
		if (whole === page) return found;
		if (this.#options.routes()) return [...found, ...this.#judgeNormal(whole, depth, dates, nofollow)];
		if (this.#options.scope.check(page) === undefined) this.#options.onRouteLeft?.(whole);
		return found;
	}

	#judgeNormal(normal: string, depth: number, dates: number, nofollow: boolean): NewUrl[] {
		const one = this.#judgeOne(normal, depth, dates, nofollow);
		const folded = one.ending === undefined ? this.#options.rules.fold(one.url) : undefined;
		if (folded === undefined) return [one];
		return [{ ...one, ending: aliasOf(folded.url, folded.why) }, this.#judgeOne(folded.url, depth, dates, nofollow)];
	}

	#judgeOne(normal: string, depth: number, dates: number, nofollow: boolean): NewUrl {
		const filtered = this.#filter(this.#preferHttps(normal));
		const url = filtered ?? normal;
		const page = { url: url.slice(0, maxUrlLength), kind: 'page' as const, host: new URL(url).hostname, depth };
		if (url.length > maxUrlLength) return { ...page, dates, ending: outOfScope('url-too-long') };
		if (filtered === undefined || this.#options.rules.excludes(url))
			return { ...page, dates, ending: outOfScope('filtered') };
		// First of all: another scope is no reason to follow what a page forbids to follow.
		if (nofollow) return { ...page, dates, ending: outOfScope('nofollow') };
		return { ...page, ...this.endingOf(url, depth, dates) };
	}

	#filter(url: string): string | undefined {
		const { filter } = this.#options;
		if (filter === undefined) return url;
		const kept = filter(new URL(url));
		return kept === undefined
			? undefined
			: hashRoute(url) === undefined
				? normaliseUrl(kept.href)
				: normaliseRoute(kept.href);
	}

	/** AIWebIndex 2.0 §7: later http links of a host that advertises https are requested over https. */
	#preferHttps(url: string): string {
		return url.startsWith('http:') && this.#options.wantsHttps(new URL(url).hostname) ? toHttps(url) : url;
	}

	#remember(link: string, depth: number): void {
		// A link may be as long as its page, as `data:` URLs are: thousands of them would fill the memory.
		if (link.length > maxUrlLength) return;
		// A copy: a piece of a page would keep the whole page in memory.
		this.#recent.set(Buffer.from(link).toString(), depth);
	}
}

export function toHttps(url: string): string {
	const secure = new URL(url);
	secure.protocol = 'https:';
	return secure.href;
}

/** @param why the evidence, for people */
export const aliasOf = (page: string, why: string): Ending => ({
	outcome: 'out-of-scope',
	reason: 'alias',
	detail: `${page} (${why})`,
	aliasOf: page,
});

export const outOfScope = (reason: Reason): Ending => ({ outcome: 'out-of-scope', reason });
