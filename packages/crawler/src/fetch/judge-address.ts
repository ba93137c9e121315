import { isDatePage } from '../addresses/dates.ts';
import { hashRoute } from '../addresses/routes.ts';
import { isOneKind, measuredForm, type SiteKnowledge } from '../addresses/site-knowledge.ts';
import {
	inOrder,
	listedFolder,
	partsOf,
	pathAddress,
	pathSession,
	type UrlPart,
	withSortedQuery,
} from '../addresses/url-parts.ts';
import { aliasOf, outOfScope } from '../discover/discovery.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import type { Comparable } from '../store/roles/pages.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { LeftOut } from './left-out.ts';
import { leaveOutRoute } from './visit-route.ts';

/** An address without the parts that do not change its page. */
export interface Core {
	/** Equal for all addresses of the page. */
	readonly key: string;
	/** The removed parts. */
	readonly idle: readonly UrlPart[];
	/** Whether the key is an address that could be requested. */
	readonly isAddress: boolean;
	/** For people. */
	readonly why: string;
}

const isKnownSession = ({ name, value }: UrlPart): boolean => /^#?\//.test(name) && pathSession.test(value);

/** Removes the idle parts of this host, and sorts listed items. */
export function coreOf(url: string, site: SiteKnowledge): Core {
	let key = url;
	const idle = partsOf(url).filter((part) => isKnownSession(part) || site.isIdle(part));
	for (const { name } of idle) key = partsOf(key).find((part) => part.name === name)?.rest ?? key;
	const why = idle.map(({ name, value }) =>
		/^#?[?;]/.test(name) ? `without ${name.replace(/^#?[?;]/, '')}` : `in place of ${value}`,
	);
	const folder = listedFolder(key);
	const ordered = folder !== undefined && (folder.isFilter || site.isListing(folder.place)) ? inOrder(key) : key;
	const sorted = withSortedQuery(ordered);
	if (sorted !== key) why.push('in another order');
	return {
		key: sorted,
		idle,
		isAddress: idle.every(({ isAddress }) => isAddress),
		why: why.join(', ') || 'found before',
	};
}

/** Whether the address has items that may come in another order. */
export const isListing = (url: string): boolean => url.includes('&') || listedFolder(url) !== undefined;

/** The name of the first page that has all parts but this one. */
export const nameOf = ({ name, rest }: UrlPart): string => `${name} ${rest}`;
export const nameOfCore = ({ key }: Core): string => `= ${key}`;

/** Decides before a request whether an address belongs to a known page, or to a form without new content. */
export class AddressJudge {
	readonly #context: CrawlContext;
	readonly #site: SiteKnowledge;
	/** Addresses being visited, by their core. */
	readonly #chosen = new Map<string, string>();
	/** Lookups in progress, by core: other addresses of the core wait for them. */
	readonly #lookups = new Map<string, Promise<string | undefined>>();
	/** Visits in progress, by the part they may teach something about. */
	readonly #teaching = new Map<string, { readonly url: string; readonly end: Promise<void> }>();

	constructor(context: CrawlContext, site: SiteKnowledge) {
		this.#context = context;
		this.#site = site;
	}

	/**
	 * Waits for visits that may teach something about this address. The caller calls the returned function when its visit
	 * ends.
	 */
	async turn({ url, seed }: FrontierUrl): Promise<() => void> {
		if (seed) return () => {};
		for (;;) {
			const keys = this.#openKeys(url);
			const busy = keys.map((key) => this.#teaching.get(key)).find((visit) => visit !== undefined);
			if (busy === undefined) return this.#teach(keys, url);
			// It may wait for this one: neither learns from the other then.
			if (!(await this.#context.claims.waitFor(url, busy.url, () => busy.end))) return () => {};
		}
	}

	#openKeys(url: string): string[] {
		const form = measuredForm(url);
		const parts = partsOf(url).filter((part) => !isKnownSession(part) && this.#site.isOpen(part));
		// The first routes of a host show whether it has any.
		const isTest = hashRoute(url) !== undefined && this.#site.hasRoutes === undefined;
		return [
			...parts.map(({ name }) => name),
			...(form !== undefined && this.#site.isBarren(form) ? [form] : []),
			...(isTest ? ['#'] : []),
		];
	}

	#teach(keys: readonly string[], url: string): () => void {
		if (keys.length === 0) return () => {};
		let release = () => {};
		const visit = new Promise<void>((resolve) => {
			release = resolve;
		});
		for (const key of keys) this.#teaching.set(key, { url, end: visit });
		return () => {
			for (const key of keys) this.#teaching.delete(key);
			release();
		};
	}

	/** Undefined: visit the address. */
	async leaveOut(from: FrontierUrl): Promise<LeftOut | undefined> {
		const { url, seed, depth, dates, last, listed, foundOn } = from;
		if (this.#context.renderer?.hasBrowser === true && hashRoute(url) !== undefined) {
			const left = await leaveOutRoute(from, this.#site, this.#context);
			if (left !== undefined) return left;
		}
		if (seed) return undefined;
		const { discovery } = this.#context;
		const known = discovery.alias({ url, depth, dates });
		if (known !== undefined) return known;
		const folder = listedFolder(url);
		if (folder !== undefined && folder.things.length > 2) this.#site.sawListing(folder.place);
		// The kind of a page that was read before is known, and addresses that the site lists are wanted.
		if (last !== undefined || listed === true) return undefined;
		const core = coreOf(url, this.#site);
		const page = this.#mayHaveOthers(url, core) ? await this.#pageOf(url, core) : undefined;
		if (page !== undefined) {
			const isTrial = core.idle.map(({ name }) => this.#site.fold(name)).includes(true);
			const found = page === core.key ? [discovery.page(page, depth, dates)] : [];
			if (!isTrial) return { ending: aliasOf(page, core.why), found };
		}
		return this.#exhausted(url, foundOn);
	}

	/** Whether other addresses of the page may have been visited: on most sites there are none. */
	#mayHaveOthers(url: string, { key }: Core): boolean {
		return key !== url || this.#site.folds || isListing(url);
	}

	/** Ends the visit. */
	release({ url }: FrontierUrl): void {
		for (const [key, chosen] of this.#chosen) if (chosen === url) this.#chosen.delete(key);
	}

	/** The page whose other address this is; undefined if the address represents the page. */
	async #pageOf(url: string, core: Core): Promise<string | undefined> {
		// Two addresses of one core that were looked up at once could each become an alias of the other.
		for (let other = this.#lookups.get(core.key); other !== undefined; other = this.#lookups.get(core.key)) await other;
		const chosen = this.#chosen.get(core.key);
		if (chosen !== undefined) return chosen === url ? undefined : chosen;
		const lookup = this.#lookUp(url, core).finally(() => this.#lookups.delete(core.key));
		this.#lookups.set(core.key, lookup);
		return lookup;
	}

	async #lookUp(url: string, core: Core): Promise<string | undefined> {
		const urls = core.isAddress && core.key !== url ? [core.key] : [];
		const pages = await this.#context.store.pages.comparable([nameOfCore(core), ...core.idle.map(nameOf)], urls);
		const page = pages.find((each) => each.url !== url && isPage(each));
		const bare = core.isAddress && core.idle.some(({ name }) => this.#site.hasBare(name)) ? core.key : undefined;
		const found = page?.url ?? bare;
		if (found === undefined) this.#chosen.set(core.key, url);
		return found;
	}

	#exhausted(url: string, foundOn?: string): LeftOut | undefined {
		const form = measuredForm(url);
		if (form === undefined) return undefined;
		const isListed = foundOn !== undefined && !isOneKind(url, foundOn);
		if (!this.#site.isExhausted(form, isListed) || this.#site.skip(form, isListed)) return undefined;
		const { visits, fresh } = this.#site.learned.forms[form] ?? { visits: 0, fresh: 0 };
		const reason = isDatePage(new URL(pathAddress(url)))
			? 'trap-calendar'
			: form.includes('?')
				? 'trap-query-permutation'
				: 'trap-copies';
		const detail = `${form}: of ${visits} visits ${fresh} brought something new`;
		return { ending: { ...outOfScope(reason), detail }, found: [] };
	}
}

/** Whether the page was read, or waits to be. */
const isPage = ({ outcome }: Comparable): boolean =>
	outcome === undefined || outcome === 'fetched' || outcome === 'unchanged';
