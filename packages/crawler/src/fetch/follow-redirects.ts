import { ChainCookies, type FetchFailed, type FetchResult, type FetchSuccess, redirectTarget } from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import type { Judgement, RequestNeeded, StillCurrent } from '../change/change-detection.ts';
import { toHttps } from '../discover/discovery.ts';
import { normaliseUrl } from '../discover/normalise.ts';
import { isOutside } from '../discover/scope.ts';
import { isReadOtherwise } from '../documents/emit-document.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import { reuseDocument } from '../documents/reuse-document.ts';
import type { Ending } from '../model/outcome.ts';
import type { Forbidden, Permit, Permitted } from '../policy/policy-checker.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import { represent } from '../represent/represent.ts';
import type { RepresentResult } from '../represent/types.ts';
import { conditionsOf, type Validators, withoutConditions } from '../response/validators.ts';
import type { FrontierUrl, KnownUrl, LastSeen } from '../store/roles/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';
import { lastContent } from './last-content.ts';
import type { RedirectArrived, RedirectRepresented, RedirectResult, RedirectStopped } from './redirect-result.ts';
import { sendsOnTo } from './sends-on.ts';

const maxRedirects = 10;
/** sitemaps.org allows 50 MB; the limit counts decoded bytes. */
export const largestSitemap = 52_428_800;
/** A redirect to a host that must be left alone for longer waits in the queue of that host. */
const patience = 5000;

/**
 * Fetches a page: checks the policy, waits until the host may be asked, sends the request, and does the same for every
 * redirect, which is a request like any other (stages 3 to 5).
 *
 * @param owner the URL under which an archive keeps the exchanges
 */
export async function followRedirects(
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
	owner: FrontierUrl = from,
): Promise<RedirectResult | NotScheduled> {
	const follower = new RedirectFollower(from, home, context, owner);
	try {
		const chain = await follower.follow();
		if (typeof chain === 'string') follower.unclaim();
		return chain;
	} catch (error) {
		follower.unclaim();
		throw error;
	} finally {
		await follower.letGo();
	}
}

class RedirectFollower {
	readonly #from: FrontierUrl;
	readonly #owner: FrontierUrl;
	readonly #home: HostSlot;
	readonly #context: CrawlContext;
	readonly #passed = new Set<string>();
	/** Requests of this chain, each with the cookies that went with it. */
	readonly #sent = new Set<string>();
	readonly #cookies = new ChainCookies();
	readonly #held = new Map<string, HostSlot>();
	/** Held slots that are released after the last hop. */
	readonly #own: HostSlot[] = [];
	readonly #scopeExpansions: string[] = [];
	readonly #claims: string[] = [];
	readonly #revokedUrls: string[] = [];
	#hops = 0;
	#url: string;
	/** Whether a response has led here. */
	#led = false;
	/** Whether all responses that led here said so for good. */
	#permanent: boolean | undefined;
	#last: LastSeen | undefined;
	/** How the address stands that is not asked, where it has led on. */
	#priorEnding: Ending | undefined;

	constructor(from: FrontierUrl, home: HostSlot, context: CrawlContext, owner: FrontierUrl) {
		this.#from = from;
		this.#owner = owner;
		this.#home = home;
		this.#context = context;
		this.#url = from.url;
		this.#last = from.last;
	}

	/** Follows the chain, one address after the other, to its result. */
	async follow(): Promise<RedirectResult | NotScheduled> {
		const overHttps = this.#home.host.https && this.#url.startsWith('http:');
		let result = overHttps ? await this.#goOnTo(toHttps(this.#url)) : await this.#visit();
		while (result === undefined) result = await this.#visit();
		return result;
	}

	/** One address of the chain; undefined if it led to the next one. */
	async #visit(): Promise<RedirectResult | NotScheduled | undefined> {
		const slot = await this.#slot();
		if (slot === undefined) return this.#stop(redirected, { leadsTo: this.#url });
		if (await this.#isForgotten()) return this.#stop({ outcome: 'out-of-scope', reason: 'forgotten' });

		const permit = await this.#checkPolicy(slot);
		if (typeof permit === 'string') return this.#notScheduled(permit);
		const judgement = permit.permitted ? await this.#judge(slot, permit) : undefined;
		if (typeof judgement === 'string') return this.#notScheduled(judgement);
		if (judgement?.request === false) return this.#reuse(judgement, permit);
		// A refusal that only a representation could get around is not final.
		if (!permit.permitted && permit.final) return this.#forbidden(permit);

		const alternative = await this.#represent(slot, permit);
		if (typeof alternative === 'string') return this.#notScheduled(alternative);
		if (alternative.processed !== undefined) return this.#represented(alternative, alternative.processed);
		if (!permit.permitted) return this.#forbidden(permit, alternative.detail);

		const response = await this.#request(slot, permit, judgement);
		if (typeof response === 'string') return this.#notScheduled(response);
		return response.ok ? this.#process(slot, response, permit, alternative.detail) : this.#failed(response);
	}

	#isForgotten(): Promise<boolean> {
		return this.#context.store.pages.isForgotten(this.#url + (this.#from.route ?? ''));
	}

	/** May the page be requested and kept? */
	async #checkPolicy(slot: HostSlot): Promise<Permit | NotScheduled> {
		const use = this.#from.kind === 'sitemap' ? 'list' : undefined;
		const permit = await this.#context.policyChecker.check(this.#url, slot, use, this);
		if (typeof permit === 'string') return permit;
		if (permit.permitted ? permit.store !== 'yes' : permit.revoked) this.#revokedUrls.push(this.#url);
		// "Not modified" would be of no use without a stored copy.
		else if (this.#last?.kept === false && this.#from.kind === 'page') this.#last = undefined;
		return permit;
	}

	async #request(
		slot: HostSlot,
		permit: Permitted,
		judgement: RequestNeeded | undefined,
	): Promise<FetchResult | NotScheduled> {
		const { policyChecker, send, changes } = this.#context;
		await this.#forgetDocument();
		const isAudit = judgement?.audit === true;
		const cookie = this.#cookies.valueFor(this.#url);
		this.#sent.add(requestKey(this.#url, cookie));
		const response = await send(slot, this.#url, {
			headers: { ...conditionsOf(isAudit ? undefined : this.#conditions()), ...judgement?.headers },
			identity: isAudit,
			// The archive gets nothing that the site does not let us keep.
			record: permit.store === 'yes' ? this.#owner : undefined,
			cookie,
			...(this.#from.kind === 'sitemap' && { maxBytes: largestSitemap }),
		});
		policyChecker.used(this);
		if (typeof response !== 'string' && judgement !== undefined) changes?.observe(judgement.note, response);
		return response;
	}

	#failed({ reason, detail, status }: FetchFailed): RedirectStopped {
		return this.#stop({ outcome: 'failed', reason, detail }, status === undefined ? {} : { status });
	}

	/** The response is a redirect, a page that leads on like one, or the page at the end. */
	async #process(
		slot: HostSlot,
		response: FetchSuccess,
		permit: Permitted,
		unusable: string | undefined,
	): Promise<RedirectResult | NotScheduled | undefined> {
		if (wantsHttps(response)) this.#preferHttps(slot);
		this.#cookies.take(this.#url, response.headers);
		const target = redirectTarget(response);
		if (target !== undefined) {
			const next = target.ok ? normaliseUrl(target.url) : undefined;
			if (next !== undefined) return this.#leadOn(slot, next, response.status === 301 || response.status === 308);
			return this.#stop(failed('bad-redirect', target.ok ? target.url : target.detail));
		}
		const arrived = await this.#arrive(slot, response, permit, unusable);
		const isPage = typeof arrived === 'object' && arrived.arrived === true;
		const next = isPage ? await this.#sendsOn(arrived) : undefined;
		return next === undefined ? arrived : this.#leadOn(slot, next, false);
	}

	#leadOn(slot: HostSlot, next: string, permanent: boolean): Promise<RedirectStopped | undefined> {
		this.#permanent = permanent && this.#permanent !== false;
		if (next !== this.#url && next === toHttps(this.#url)) this.#preferHttps(slot);
		this.#led = true;
		return this.#goOnTo(next);
	}

	/** A refresh back to the start does not count: pages that alternate are pages. */
	async #sendsOn(arrived: RedirectArrived): Promise<string | undefined> {
		if (this.#from.kind === 'sitemap') return undefined;
		const next = await sendsOnTo(arrived, this.#context);
		return next === undefined || this.#passed.has(next) ? undefined : next;
	}

	/** The target of a redirect is visited from its host's queue; the URL that redirected is not requested again. */
	#notScheduled(why: NotScheduled): NotScheduled | RedirectStopped {
		// A chain that returned to its start begins again.
		if (this.#url === this.#from.url) return why;
		const led = this.#led || this.#priorEnding !== undefined;
		return led && !this.#context.single ? this.#stop(redirected, { leadsTo: this.#url }) : why;
	}

	/** AIWebIndex 2.0 §7: from now on http links of this host are requested over https. */
	#preferHttps({ host }: HostSlot): void {
		if (host.https) return;
		host.https = true;
		this.#context.emit({ type: 'host', host: host.name, change: 'https' });
	}

	unclaim(): void {
		for (const url of this.#claims) this.#context.claims.release(url);
	}

	async letGo(): Promise<void> {
		this.#context.policyChecker.used(this);
		for (const slot of this.#own) await this.#context.hosts.release(slot);
	}

	/** The next hop, or why there is none. */
	async #goOnTo(next: string): Promise<RedirectStopped | undefined> {
		this.#passed.add(this.#url);
		const isBack = this.#passed.has(next);
		if (isBack && this.#isRepeated(next)) return this.#stop(failed('redirect-loop', next));
		if (++this.#hops > maxRedirects) return this.#stop(failed('too-many-redirects', next));
		this.#url = next;
		this.#last = next === this.#from.url ? this.#from.last : undefined;
		// Repeated with cookies that it did not have before; it is already claimed.
		if (isBack) return undefined;
		if (this.#from.kind === 'sitemap')
			return this.#leaveToItsRetry(await this.#context.store.frontier.find(next, 'sitemap'));
		return (await this.#leaveScope(next)) ?? (await this.#claim(next));
	}

	/** The same request again would bring the same response. */
	#isRepeated(next: string): boolean {
		const cookie = this.#cookies.valueFor(next);
		return cookie === undefined || this.#sent.has(requestKey(next, cookie));
	}

	/** A seed may lead elsewhere, and the scope goes with it; nothing else may, nor to what the caller leaves out. */
	async #leaveScope(next: string): Promise<RedirectStopped | undefined> {
		const { scope, refreshScope, discovery } = this.#context;
		const ending = this.#from.seed ? undefined : discovery.leftOut(next);
		if (scope.check(next) !== undefined) await refreshScope();
		if (scope.check(next) === undefined) return ending && this.#stop({ ...ending, detail: next });
		if (!this.#from.seed) return this.#stop({ outcome: 'out-of-scope', reason: 'redirect-out-of-scope', detail: next });
		if (scope.widen(next)) this.#scopeExpansions.push(next);
		return undefined;
	}

	/** Claims the target, unless another visit has it or it was visited: then its outcome counts. */
	async #claim(next: string): Promise<RedirectStopped | undefined> {
		const { claims, store, single } = this.#context;
		if (!claims.take(next, this.#owner.url)) {
			for (const url of this.#passed) claims.setLead(url, next);
			return this.#ledOn(next);
		}
		this.#claims.push(next);
		// Held before it is looked up: otherwise another worker could visit it in between.
		if ((await this.#hold()) === undefined) return this.#stop(redirected, { leadsTo: next });
		if (single) {
			this.#last = await lastContent(next, this.#context);
			return undefined;
		}
		const known = await store.frontier.find(next);
		const waits = this.#leaveToItsRetry(known);
		if (waits !== undefined) return waits;
		if (known?.outcome === undefined || isOutside(known)) {
			this.#last = known?.last;
			return undefined;
		}
		const hasPage = known.outcome === 'fetched' || known.outcome === 'unchanged' || known.reason === 'alias';
		if (hasPage) return this.#ledOn(next, {});
		return this.#stop({ outcome: known.outcome, ...(known.reason && { reason: known.reason }) }, {});
	}

	/** The page has an outcome of its own, unless the redirects form a loop. */
	async #ledOn(next: string, more: Partial<RedirectStopped> = { leadsTo: next }): Promise<RedirectStopped> {
		const { claims, store } = this.#context;
		let url: string | undefined = next;
		for (let hops = 0; url !== undefined && hops <= maxRedirects; hops++) {
			if (this.#passed.has(url)) return this.#stop(failed('redirect-loop', url));
			url = claims.leadOf(url) ?? ledTo(await store.frontier.find(url));
		}
		return this.#stop(redirected, more);
	}

	/** A URL that just failed is not requested again before its retry time, whichever redirect leads there. */
	#leaveToItsRetry(known: KnownUrl | undefined): RedirectStopped | undefined {
		if (known?.due === undefined || known.due <= this.#context.pace.now()) return undefined;
		return this.#stop(redirected, { leadsTo: known.url });
	}

	/** The slot of the host of this hop; undefined when it is not ours to use now. */
	async #slot(): Promise<HostSlot | undefined> {
		const slot = await this.#hold();
		if (slot === this.#home || slot === undefined) return slot;
		return slot.readyAt - this.#context.pace.now() > patience ? undefined : slot;
	}

	/** The host of this hop, for as long as its URL is claimed; undefined when another process has it. */
	async #hold(): Promise<HostSlot | undefined> {
		const { hosts, claims, single } = this.#context;
		const { hostname } = new URL(this.#url);
		if (hostname === this.#home.host.name) return this.#home;
		const held = this.#held.get(hostname);
		if (held !== undefined) return held;
		const slot = await hosts.hold(hostname);
		if (slot === undefined) return undefined;
		this.#held.set(hostname, slot);
		// The next write reports a lost lease.
		if (!single && this.#claims.at(-1) === this.#url)
			claims.attach(this.#url, () => void hosts.release(slot).catch(() => {}));
		else this.#own.push(slot);
		return slot;
	}

	/** Has it changed? That an address still leads to another one says nothing of what is there. */
	async #judge(slot: HostSlot, { store }: Permitted): Promise<Judgement | NotScheduled | undefined> {
		return this.#context.changes?.judge({ from: this.#from, url: this.#url, slot, keeps: store === 'yes' });
	}

	/** Nothing is asked: the stored copy is handed out, from the end of the redirects that once led there. */
	async #reuse(
		{ ending, redirectedTo }: StillCurrent,
		permit: Permit,
	): Promise<RedirectRepresented | RedirectStopped | undefined> {
		if (this.#from.kind === 'sitemap' || !permit.permitted) return this.#represented({}, { ending });
		if (redirectedTo === undefined || ending.outcome !== 'unchanged')
			return this.#represented({}, await reuseDocument(this.#url, ending, permit, this.#context));
		this.#priorEnding ??= ending;
		return this.#goOnTo(redirectedTo);
	}

	/** SOM directives §4.5: pages only; a sitemap has no representation. */
	async #represent(slot: HostSlot, permit: Permit, page?: FetchSuccess): Promise<RepresentResult | NotScheduled> {
		// A representation is of the page, not of what its scripts show for a route.
		if (this.#from.kind === 'sitemap' || this.#from.route !== undefined) return {};
		const more = page === undefined ? {} : { page };
		return represent({ from: this.#from, url: this.#url, slot, permit, context: this.#context, ...more });
	}

	/** That a page is the same does not say that its document is, where that would be read otherwise now. */
	async #forgetDocument(): Promise<void> {
		const { renderer, store } = this.#context;
		if (this.#last === undefined || this.#from.kind === 'sitemap') return;
		const snapshot = await store.pages.snapshot(this.#url);
		if (snapshot === undefined) return;
		// Its bytes do not say either what a browser would show.
		if (renderer?.mayImprove(snapshot.document)) this.#last = undefined;
		else if (isReadOtherwise(snapshot, this.#context)) this.#last = { ...withoutConditions(this.#last), kept: true };
	}

	/** Validators for the request; none if the page's own announcements are needed. */
	#conditions(): Validators | undefined {
		return this.#looksAtPages() ? undefined : this.#last;
	}

	#looksAtPages(): boolean {
		return this.#from.kind === 'page' && this.#from.route === undefined && this.#context.settings.prefer === 'som';
	}

	#forbidden({ ending, evidence, everywhere }: Forbidden, detail?: string): RedirectStopped {
		return this.#stop(detail === undefined ? ending : { ...ending, detail }, {
			...(evidence.length > 0 && { evidence }),
			...(everywhere && { everywhere: new URL(this.#url).origin }),
		});
	}

	#represented({ status, bytes }: RepresentResult, processed: ProcessedResponse): RedirectRepresented {
		return {
			arrived: 'represented',
			url: this.#url,
			processed,
			claims: this.#claims,
			scopeExpansions: this.#scopeExpansions,
			revokedUrls: this.#revokedUrls,
			...this.#withPermanence(),
			...this.#withPriorEnding(),
			...present({ status, bytes }),
		};
	}

	/** At the page; what it announces of itself may be better. */
	async #arrive(
		slot: HostSlot,
		response: FetchSuccess,
		permit: Permitted,
		unusable: string | undefined,
	): Promise<RedirectResult | NotScheduled> {
		const readsOffers = this.#looksAtPages() && response.status === 200;
		const alternative = readsOffers ? await this.#represent(slot, permit, response) : { detail: unusable };
		if (typeof alternative === 'string') return this.#notScheduled(alternative);
		if ('processed' in alternative && alternative.processed !== undefined)
			return this.#represented(alternative, alternative.processed);
		return {
			arrived: true,
			url: this.#url,
			response,
			permit,
			...(alternative.detail !== undefined && { unusable: alternative.detail }),
			last: this.#last,
			claims: this.#claims,
			scopeExpansions: this.#scopeExpansions,
			revokedUrls: this.#revokedUrls,
			...this.#withPermanence(),
			...this.#withPriorEnding(),
		};
	}

	#withPermanence() {
		return this.#permanent !== undefined && { permanent: this.#permanent };
	}

	#withPriorEnding() {
		return this.#priorEnding && { priorEnding: this.#priorEnding };
	}

	#stop(ending: Ending, more: Partial<RedirectStopped> = {}): RedirectStopped {
		const way = { claims: this.#claims, scopeExpansions: this.#scopeExpansions, revokedUrls: this.#revokedUrls };
		const permanence = this.#withPermanence();
		const own = ending === redirected ? (this.#priorEnding ?? redirected) : ending;
		return { arrived: false, ending: own, url: this.#url, ...way, ...permanence, ...more };
	}
}

const requestKey = (url: string, cookie = ''): string => `${url} ${cookie}`;

const redirected: Ending = { outcome: 'fetched', reason: 'redirected' };

/** The target of a known redirect; a waiting URL may redirect elsewhere than last time. */
const ledTo = (known: KnownUrl | undefined): string | undefined =>
	known?.outcome === undefined ? undefined : known.redirectedTo;

const failed = (reason: 'bad-redirect' | 'redirect-loop' | 'too-many-redirects', detail: string): Ending => ({
	outcome: 'failed',
	reason,
	detail,
});

/** RFC 6797 §6.1: a header that came over https and does not end the matter. */
function wantsHttps({ url, headers }: FetchSuccess): boolean {
	if (!url.startsWith('https:')) return false;
	const maxAge = /max-age\s*=\s*"?(\d+)/i.exec(headers.get('strict-transport-security') ?? '')?.[1];
	return maxAge !== undefined && Number(maxAge) > 0;
}
