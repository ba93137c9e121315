import { ChainCookies, type FetchSuccess, redirectTarget } from '@wayleave/io';
import type { Judgement, Stands } from '../change/change-detection.ts';
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
import type { Instead } from '../represent/types.ts';
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
		const journey = await follower.go();
		if (typeof journey === 'string') follower.unclaim();
		return journey;
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
	readonly #widened: string[] = [];
	readonly #claims: string[] = [];
	readonly #withdrawn: string[] = [];
	#hops = 0;
	#url: string;
	/** Whether an answer has led here. */
	#led = false;
	#last: LastSeen | undefined;
	/** How the address stands that is not asked, where it has led on. */
	#standing: Ending | undefined;

	constructor(from: FrontierUrl, home: HostSlot, context: CrawlContext, owner: FrontierUrl) {
		this.#from = from;
		this.#owner = owner;
		this.#home = home;
		this.#context = context;
		this.#url = from.url;
		this.#last = from.last;
	}

	async go(): Promise<RedirectResult | NotScheduled> {
		const { policyChecker, send } = this.#context;
		if (this.#home.host.https && this.#url.startsWith('http:')) {
			const stop = await this.#goOnTo(toHttps(this.#url));
			if (stop !== undefined) return stop;
		}
		for (;;) {
			const slot = await this.#slot();
			if (slot === undefined) return this.#stop(redirected, { leadsTo: this.#url });
			if (await this.#context.store.isForgotten(this.#url + (this.#from.route ?? '')))
				return this.#stop({ outcome: 'out-of-scope', reason: 'forgotten' });
			const permit = await policyChecker.check(
				this.#url,
				slot,
				this.#from.kind === 'sitemap' ? 'list' : undefined,
				this,
			);
			if (typeof permit === 'string') return this.#noTurn(permit);
			if (permit.permitted ? permit.store !== 'yes' : permit.withdrawn) this.#withdrawn.push(this.#url);
			// That a page is the same says nothing where no copy of it is there.
			else if (this.#last?.kept === false && this.#from.kind === 'page') this.#last = undefined;
			const judged = permit.permitted ? await this.#judge(slot, permit) : undefined;
			if (typeof judged === 'string') return this.#noTurn(judged);
			if (judged?.look === false) {
				const stood = await this.#stand(judged, permit);
				if (stood !== undefined) return stood;
				continue;
			}
			if (!permit.permitted && permit.final) return this.#forbidden(permit);
			const instead = await this.#represent(slot, permit);
			if (typeof instead === 'string') return this.#noTurn(instead);
			if (instead.learned !== undefined) return this.#represented(instead, instead.learned);
			if (!permit.permitted) return this.#forbidden(permit, instead.detail);
			const limit = this.#from.kind === 'sitemap' ? { maxBytes: largestSitemap } : {};
			await this.#forgetDocument();
			const last = judged?.audit ? undefined : this.#conditions();
			const headers = { ...conditionsOf(last), ...judged?.headers };
			// What the site lets nobody keep is not for the archive either.
			const record = permit.store === 'yes' ? this.#owner : undefined;
			const identity = judged?.audit === true;
			const cookie = this.#cookies.valueFor(this.#url);
			this.#sent.add(requestKey(this.#url, cookie));
			const answer = await send(slot, this.#url, { headers, identity, record, cookie, ...limit });
			policyChecker.used(this);
			if (typeof answer === 'string') return this.#noTurn(answer);
			if (judged !== undefined) this.#context.changes?.observe(judged.note, answer);
			if (!answer.ok) {
				const ending: Ending = { outcome: 'failed', reason: answer.reason, detail: answer.detail };
				return this.#stop(ending, answer.status === undefined ? {} : { status: answer.status });
			}
			if (wantsHttps(answer)) this.#preferHttps(slot);
			this.#cookies.take(this.#url, answer.headers);
			const target = redirectTarget(answer);
			const arrived = target === undefined ? await this.#arrive(slot, answer, permit, instead.detail) : undefined;
			const refresh =
				typeof arrived === 'object' && arrived.arrived === true ? await this.#sendsOn(arrived) : undefined;
			if (arrived !== undefined && refresh === undefined) return arrived;
			const next = refresh ?? (target?.ok ? normaliseUrl(target.url) : undefined);
			if (next === undefined)
				return this.#stop(failed('bad-redirect', target?.ok ? target.url : (target?.detail ?? '')));
			if (next !== this.#url && next === toHttps(this.#url)) this.#preferHttps(slot);
			this.#led = true;
			const stop = await this.#goOnTo(next);
			if (stop !== undefined) return stop;
		}
	}

	/** A refresh back to the start does not count: pages that alternate are pages. */
	async #sendsOn(arrived: RedirectArrived): Promise<string | undefined> {
		if (this.#from.kind === 'sitemap') return undefined;
		const next = await sendsOnTo(arrived, this.#context);
		return next === undefined || this.#passed.has(next) ? undefined : next;
	}

	/** The target of a redirect is visited from its host's queue; the URL that redirected is not requested again. */
	#noTurn(why: NotScheduled): NotScheduled | RedirectStopped {
		// A chain that returned to its start begins again.
		if (this.#url === this.#from.url) return why;
		const led = this.#led || this.#standing !== undefined;
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
		if (this.#from.kind === 'sitemap') return this.#leaveToItsRetry(await this.#context.store.find(next, 'sitemap'));
		return (await this.#leaveScope(next)) ?? (await this.#claim(next));
	}

	/** The same request again would bring the same response. */
	#isRepeated(next: string): boolean {
		const cookie = this.#cookies.valueFor(next);
		return cookie === undefined || this.#sent.has(requestKey(next, cookie));
	}

	/** A seed may lead elsewhere, and the scope goes with it; nothing else may, nor to what the caller leaves out. */
	async #leaveScope(next: string): Promise<RedirectStopped | undefined> {
		const { scope, learnScope, discovery } = this.#context;
		const ending = this.#from.seed ? undefined : discovery.leftOut(next);
		if (scope.check(next) !== undefined) await learnScope();
		if (scope.check(next) === undefined) return ending && this.#stop({ ...ending, detail: next });
		if (!this.#from.seed) return this.#stop({ outcome: 'out-of-scope', reason: 'redirect-out-of-scope', detail: next });
		if (scope.widen(next)) this.#widened.push(next);
		return undefined;
	}

	/** Takes the target, unless it is somebody else's or has been visited: then its outcome tells. */
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
		const known = await store.find(next);
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

	/** The page has an outcome of its own, unless one leads to the other all around: then nobody arrives anywhere. */
	async #ledOn(next: string, more: Partial<RedirectStopped> = { leadsTo: next }): Promise<RedirectStopped> {
		const { claims, store } = this.#context;
		let url: string | undefined = next;
		for (let hops = 0; url !== undefined && hops <= maxRedirects; hops++) {
			if (this.#passed.has(url)) return this.#stop(failed('redirect-loop', url));
			url = claims.leadOf(url) ?? ledTo(await store.find(url));
		}
		return this.#stop(redirected, more);
	}

	/** What could not be had a moment ago is not asked for again before its time, whoever leads there. */
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
		// A lease that is lost is told to whoever writes next.
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
	async #stand(
		{ ending, redirectedTo }: Stands,
		permit: Permit,
	): Promise<RedirectRepresented | RedirectStopped | undefined> {
		if (this.#from.kind === 'sitemap' || !permit.permitted) return this.#represented({}, { ending });
		if (redirectedTo === undefined || ending.outcome !== 'unchanged')
			return this.#represented({}, await reuseDocument(this.#url, ending, permit, this.#context));
		this.#standing ??= ending;
		return this.#goOnTo(redirectedTo);
	}

	/** SOM directives §4.5: pages only; a sitemap has no representation. */
	async #represent(slot: HostSlot, permit: Permit, page?: FetchSuccess): Promise<Instead | NotScheduled> {
		// A representation is of the page, not of what its scripts show for a route.
		if (this.#from.kind === 'sitemap' || this.#from.route !== undefined) return {};
		const more = page === undefined ? {} : { page };
		return represent({ from: this.#from, url: this.#url, slot, permit, context: this.#context, ...more });
	}

	/** That a page is the same does not say that its document is, where that would be read otherwise now. */
	async #forgetDocument(): Promise<void> {
		const { renderer, store } = this.#context;
		if (this.#last === undefined || this.#from.kind === 'sitemap') return;
		const snapshot = await store.snapshot(this.#url);
		if (snapshot === undefined) return;
		// What a browser shows of it, its bytes do not say either.
		if (renderer?.mayImprove(snapshot.document)) this.#last = undefined;
		else if (isReadOtherwise(snapshot, this.#context)) this.#last = { ...withoutConditions(this.#last), kept: true };
	}

	/** Who wants to know what the page announces has to see the page. */
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

	#represented({ status, bytes }: Instead, learned: ProcessedResponse): RedirectRepresented {
		return {
			arrived: 'represented',
			url: this.#url,
			learned,
			claims: this.#claims,
			widened: this.#widened,
			withdrawn: this.#withdrawn,
			...this.#stood(),
			...(status !== undefined && { status }),
			...(bytes !== undefined && { bytes }),
		};
	}

	/** At the page; what it announces of itself may be better. */
	async #arrive(
		slot: HostSlot,
		answer: FetchSuccess,
		permit: Permitted,
		unusable: string | undefined,
	): Promise<RedirectResult | NotScheduled> {
		const looks = this.#looksAtPages() && answer.status === 200;
		const instead = looks ? await this.#represent(slot, permit, answer) : { detail: unusable };
		if (typeof instead === 'string') return this.#noTurn(instead);
		if ('learned' in instead && instead.learned !== undefined) return this.#represented(instead, instead.learned);
		return {
			arrived: true,
			url: this.#url,
			answer,
			permit,
			...(instead.detail !== undefined && { unusable: instead.detail }),
			last: this.#last,
			claims: this.#claims,
			widened: this.#widened,
			withdrawn: this.#withdrawn,
			...this.#stood(),
		};
	}

	#stood() {
		return this.#standing && { standing: this.#standing };
	}

	#stop(ending: Ending, more: Partial<RedirectStopped> = {}): RedirectStopped {
		const way = { claims: this.#claims, widened: this.#widened, withdrawn: this.#withdrawn };
		const own = ending === redirected ? (this.#standing ?? redirected) : ending;
		return { arrived: false, ending: own, url: this.#url, ...way, ...more };
	}
}

const requestKey = (url: string, cookie = ''): string => `${url} ${cookie}`;

const redirected: Ending = { outcome: 'fetched', reason: 'redirected' };

/** What waits may lead elsewhere than the last time. */
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
