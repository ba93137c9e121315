import { rfc3339 } from '../base/time.ts';
import { outOfScope } from '../discover/discovery.ts';
import { llmsPath } from '../discover/llms.ts';
import { normaliseUrl } from '../discover/normalise.ts';
import { CombinationCounter } from '../discover/query-combinations.ts';
import type { CrawlContext } from '../fetch/crawl-context.ts';
import { AddressJudge } from '../fetch/judge-address.ts';
import type { LeftOut } from '../fetch/left-out.ts';
import { visitPage } from '../fetch/visit-page.ts';
import { visitSitemap } from '../fetch/visit-sitemap.ts';
import type { Visited } from '../fetch/visited.ts';
import type { CrawlEvent, HostStats } from '../model/events.ts';
import type { Ending } from '../model/outcome.ts';
import type { HostSlot } from '../politeness/host-slot.ts';
import { familyOf, LimitedFamilies } from '../politeness/limited-families.ts';
import { hostFailures } from '../response/classify.ts';
import type { EndWhere, FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import { ChangeNotifier } from './change-notifier.ts';
import type { Committer } from './committer.ts';
import type { Meter } from './meter.ts';
import type { Output } from './output.ts';
import type { PageBudget } from './page-budget.ts';
import type { ScopeExpander } from './scope-expander.ts';
import { keyOf, UrlWindow } from './url-window.ts';

/** Failures in a row after which the host counts as down. */
const maxFailures = 5;

/** The part of a run that the loop of one host needs. */
export interface HostRun {
	readonly context: CrawlContext;
	readonly output: Output;
	readonly budget: PageBudget;
	readonly meter: Meter;
	readonly committer: Committer;
	readonly scopeExpander: ScopeExpander;
	readonly stopping: boolean;
	emit(event: CrawlEvent): void;
	/** Ends early when `changed` is notified for the first time after `seen`, or the run stops. */
	sleep(ms: number, changed: ChangeNotifier, seen: number): Promise<void>;
	endPending(ending: Ending, where?: EndWhere): Promise<number>;
	giveWay(loop: HostLoop): void;
	dismiss(slot: HostSlot): void;
	fail(error: unknown): void;
}

/** Visits the URLs of one host, nearest to the seeds first, for as long as there are any. */
export class HostLoop {
	readonly slot: HostSlot;
	readonly #run: HostRun;
	readonly #combinations = new CombinationCounter();
	readonly #limited = new LimitedFamilies();
	readonly #origins = new Set<string>();
	readonly #flying = new Map<number, Promise<void>>();
	readonly #changed = new ChangeNotifier();
	readonly #window: UrlWindow;
	#judge: AddressJudge | undefined;
	#failures = 0;
	/** URLs that wait, as far as commits tell. */
	#pending = 0;
	#over = false;

	constructor(slot: HostSlot, run: HostRun) {
		this.slot = slot;
		this.#run = run;
		this.#window = new UrlWindow(slot.host.id, run.context, this.#flying, () => this.#limited.last(slot.isRefusing));
	}

	/** New URLs of this host may be in the store. */
	notify(added: number): void {
		this.#pending += added;
		this.#window.more = true;
		this.#changed.notify();
	}

	/** Leaves this host to another worker. */
	handOver(): void {
		this.#over = true;
		this.#run.dismiss(this.slot);
		this.#changed.notify();
	}

	stats(): HostStats {
		const { clock, pace } = this.#run.context;
		const now = pace.now();
		const { host, delay, busy: inFlight } = this.slot;
		const stats = { host: host.name, pending: this.#pending, inFlight, delay };
		const waiting = this.slot.waiting(now);
		if (waiting === undefined) return stats;
		return { ...stats, waiting: { ...waiting, until: clock.now() + waiting.until - now } };
	}

	async visitAll(): Promise<void> {
		const { context } = this.#run;
		this.#pending = await context.store.frontier.waiting(this.slot.host.id);
		this.#judge = new AddressJudge(context, await context.sites.enter(this.slot.host));
		try {
			while (!this.#over && !this.#run.stopping && (await this.#step()));
		} finally {
			await Promise.all(this.#flying.values());
		}
	}

	/** Starts one visit, or waits until there may be one to start; false when there is nothing left. */
	async #step(): Promise<boolean> {
		await this.#run.output.room();
		if (this.#flying.size >= this.slot.connections) {
			await Promise.race(this.#flying.values());
			return true;
		}
		const next = await this.#window.next();
		if (next !== undefined) return this.#start(next);
		return this.#wait();
	}

	async #start(next: FrontierUrl): Promise<boolean> {
		if (next.kind === 'page' && !(await this.#run.budget.reserve())) {
			this.#run.context.claims.release(keyOf(next));
			return false;
		}
		const visit = this.#visit(next).finally(() => {
			this.#flying.delete(next.id);
			this.#changed.notify();
		});
		this.#flying.set(next.id, visit);
		return true;
	}

	/** For a visit to end, for new URLs, or for the moment when a URL is to be tried again; false when all are done. */
	async #wait(): Promise<boolean> {
		const { store, pace } = this.#run.context;
		const seen = this.#changed.version;
		if (this.#window.more) return true;
		if (this.#flying.size === 0) {
			const due = await store.frontier.nextDue(this.slot.host.id);
			if (due === undefined) return this.#window.more;
			const wait = due - pace.now();
			if (wait > 0) await this.#run.sleep(wait, this.#changed, seen);
			if (wait > 0 || !this.#window.skipped) {
				this.#window.more = true;
				return true;
			}
		}
		// The rest is being visited, here or through a redirect, and reports its end.
		await this.#changed.after(seen);
		return true;
	}

	/** From the claim of a URL to its release. */
	async #visit(from: FrontierUrl): Promise<void> {
		const { context, budget, meter } = this.#run;
		meter.inFlight++;
		context.claims.begin(keyOf(from));
		// Until the commit: later visits look up in the store what this one learned.
		const endTurn = from.kind === 'page' ? await this.#judge?.turn(from) : undefined;
		let brought = false;
		try {
			brought = await this.#visitAndCommit(from);
		} catch (error) {
			this.#run.fail(error);
		} finally {
			meter.inFlight--;
			context.changes?.forget(from);
			this.#judge?.release(from);
			endTurn?.();
			context.claims.release(keyOf(from));
			if (from.kind === 'page') budget.finish(brought);
		}
	}

	/** Returns whether the visit brought a document. */
	async #visitAndCommit(from: FrontierUrl): Promise<boolean> {
		const { context, committer, scopeExpander } = this.#run;
		const { version } = context.scope;
		const seen = await this.#fetch(from);
		// The holder of the other host may wait for ours: one of the two has to give way.
		if (seen === 'held') this.#run.giveWay(this);
		if (typeof seen === 'string') return false;
		if (this.#limited.note(from.url, seen.visit.status)) this.#tryOthers();
		const visited = await this.#complete(from, context.changes?.conclude(from, seen) ?? seen);
		await committer.submit(visited, this.slot.host);
		await scopeExpander.judgeAgain(visited.visit.found, version);
		if (visited.visit.ending !== undefined) this.#pending--;
		await this.#applyToHost(visited);
		await this.#reopen(from, visited);
		return visited.visit.document === true;
	}

	/** Adds what the visit did not look for: the sitemaps of a new origin, and its exchanges for the archive. */
	async #complete(from: FrontierUrl, visited: Visited): Promise<Visited> {
		const { visit, results } = visited;
		const sitemaps = visit.ending?.reason === 'forgotten' ? [] : await this.#sitemapsOf(from);
		const document = results.some(({ outcome, reason }) => hasDocument(outcome) && reason !== 'redirected');
		const exchanges = archivable(visited) ? this.#run.context.recorder?.take(from) : undefined;
		const found = [...visit.found, ...sitemaps];
		return { ...visited, visit: { ...visit, found, document }, ...(exchanges && { exchanges }) };
	}

	async #fetchPage(from: FrontierUrl) {
		const { context } = this.#run;
		const leftOut = await this.#judge?.leaveOut(from);
		if (leftOut !== undefined) return withoutVisit(from, leftOut, context.clock.now());
		// A URL that the user named is never a trap, however many there are.
		const admitted = from.seed || this.#combinations.admit(from.url);
		if (!admitted) return trapped(from, context.clock.now());
		if (this.#limited.has(from.url)) return withoutVisit(from, limitedBelow(from.url), context.clock.now());
		return visitPage(from, this.slot, context);
	}

	/**
	 * Visits that wait for a slot start later: the host chooses again which URL best shows whether it refuses everything.
	 */
	#tryOthers(): void {
		this.#window.reorder();
		this.#run.dismiss(this.slot);
	}

	#fetch(from: FrontierUrl) {
		const { context, committer } = this.#run;
		if (from.kind === 'page') return this.#fetchPage(from);
		return visitSitemap(from, this.slot, context, async (found) => {
			// The sitemap waits on until it has been read as a whole: after a crash it is read again.
			const visit = { id: from.id, attempts: from.attempts, at: context.clock.now(), found };
			const { version } = context.scope;
			await committer.submit({ visit, results: [], keep: true, scopeExpansions: [], claims: [] }, this.slot.host);
			await this.#run.scopeExpander.judgeAgain(found, version);
		});
	}

	/** URLs skipped because of what similar ones were like, which this visit puts in doubt. */
	async #reopen({ last, url }: FrontierUrl, { reopen = [], visit }: Visited): Promise<void> {
		const { store } = this.#run.context;
		const { host } = this.slot;
		const count = reopen.length > 0 ? await store.frontier.reopen(host.id, reopen) : 0;
		const isOther = last !== undefined && (visit.ending?.outcome === 'fetched' || visit.ending?.outcome === 'gone');
		const more = isOther && this.#knowsAliases ? await store.frontier.reopenAliases([url]) : 0;
		if (count + more === 0) return;
		this.#run.meter.pending += count + more;
		this.notify(count + more);
	}

	get #knowsAliases(): boolean {
		return (this.#run.context.sites.of(this.slot.host.name)?.learned.aliases ?? 0) > 0;
	}

	/** With the first page of an origin come its sitemaps. */
	async #sitemapsOf(from: FrontierUrl): Promise<NewUrl[]> {
		const { context } = this.#run;
		const { origin, hostname } = new URL(from.url);
		if (from.kind !== 'page' || !context.settings.sitemaps || this.#origins.has(origin)) return [];
		if (context.settings.maxDepth < 1 || context.scope.check(from.url) !== undefined) return [];
		const named = await context.policyChecker.sitemaps(from.url, this.slot);
		if (named === undefined) return [];
		this.#origins.add(origin);
		const urls = [...named.map((value) => normaliseUrl(value, origin)), `${origin}/sitemap.xml`, origin + llmsPath];
		return [...new Set(urls)].flatMap((url) =>
			url === undefined
				? []
				: { url, kind: 'sitemap' as const, host: new URL(url).hostname || hostname, depth: 0, dates: 0 },
		);
	}

	/** Applies the end of a visit to the other URLs of the host. */
	async #applyToHost({ failure, everywhere, visit, scopeExpansions }: Visited): Promise<void> {
		if (scopeExpansions.length > 0) await this.#run.scopeExpander.widen(scopeExpansions);
		this.#failures = failure !== undefined && hostFailures.has(failure) ? this.#failures + 1 : 0;
		if (everywhere !== undefined && visit.ending !== undefined) await this.#endAll(visit.ending, everywhere);
		if (await this.#applyRetryAfter()) return;
		if (this.#failures >= maxFailures)
			await this.#endAll({ outcome: 'deferred', reason: 'host-unreachable', detail: failure ?? '' });
	}

	/** Puts off all URLs of a host that asked for a longer pause than the run waits for; returns whether it did. */
	async #applyRetryAfter(): Promise<boolean> {
		const { clock, pace, settings } = this.#run.context;
		const pause = this.slot.readyAt - pace.now();
		if (pause <= Math.max(settings.maxPause, this.slot.delay)) return false;
		const detail = `not before ${rfc3339(clock.now() + pause)}`;
		await this.#endAll({ outcome: 'deferred', reason: 'rate-limited', detail });
		return true;
	}

	async #endAll(ending: Ending, origin?: string): Promise<void> {
		const { host } = this.slot;
		const elsewhere = origin !== undefined && new URL(origin).hostname !== host.name;
		if (elsewhere) return;
		if (origin === undefined) this.#over = true;
		// Those in flight come to ends of their own.
		const where = { host: host.id, except: [...this.#flying.keys()], ...(origin !== undefined && { origin }) };
		const count = await this.#window.whileEnding(() => this.#run.endPending(ending, where));
		this.#pending = Math.max(0, this.#pending - count);
		if (count === 0) return;
		const { reason, detail } = ending;
		this.#run.emit({
			type: 'host',
			host: host.name,
			change: 'deferred',
			count,
			...(reason && { reason }),
			...(detail && { detail }),
		});
	}
}

const hasDocument = (outcome: string): boolean => outcome === 'fetched' || outcome === 'unchanged';

/** Not what must not be kept, nor a page that forbids its use when it has been read. */
function archivable({ keep, visit }: Visited): boolean {
	return keep && !(visit.ending?.outcome === 'refused' && visit.evidence !== undefined);
}

/** The combination counter refused it. */
function trapped(from: FrontierUrl, at: number): Visited {
	return withoutVisit(from, { ending: outOfScope('trap-query-permutation'), found: [] }, at);
}

function limitedBelow(url: string): LeftOut {
	const detail = `three addresses below ${familyOf(url)} were answered by 429 or 503, while the rest of the host responds`;
	return { ending: { outcome: 'deferred', reason: 'rate-limited', detail }, found: [] };
}

/** Ends the URL without a request. */
function withoutVisit(
	{ id, url, attempts, depth, foundOn }: FrontierUrl,
	{ ending, found }: LeftOut,
	at: number,
): Visited {
	const result = { url, ...ending, depth, at: rfc3339(at), ...(foundOn !== undefined && { foundOn }) };
	return {
		visit: { id, ending, attempts: attempts + 1, at, found },
		results: [result],
		keep: true,
		scopeExpansions: [],
		claims: [],
	};
}
