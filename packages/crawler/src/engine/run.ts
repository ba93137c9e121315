import { parseUrl } from '@wayleave/protocols/url';
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import type { CrawlOptions } from '../config/options.ts';
import type { Settings } from '../config/settings.ts';
import type { CrawlContext } from '../fetch/crawl-context.ts';
import type { Visited } from '../fetch/visited.ts';
import type { CrawlEvent, Stats, Summary } from '../model/events.ts';
import type { Ending } from '../model/outcome.ts';
import type { HostSlot } from '../politeness/host-slot.ts';
import type { ReadPage } from '../read/read-page.ts';
import type { Sink } from '../sinks/types.ts';
import type { EndWhere, RunState } from '../store/roles/frontier.ts';
import type { Store, StoreOptions } from '../store/roles/store.ts';
import { Recorder } from '../warc/write/recorder.ts';
import type { Watching } from '../watch/watching.ts';
import { ChangeNotifier } from './change-notifier.ts';
import { Committer, type OneCommitted } from './committer.ts';
import { createCrawlContext, type OwnCrawlContext } from './create-crawl-context.ts';
import { HostLoop } from './host-loop.ts';
import { LookPace } from './look-pace.ts';
import type { Meter } from './meter.ts';
import { openRun, storeOf } from './open-run.ts';
import type { Output } from './output.ts';
import { Budget, type PageBudget } from './page-budget.ts';
import { Roller } from './roller.ts';
import { RunSinks } from './run-sinks.ts';
import { ScopeExpander } from './scope-expander.ts';
import { SharedBudget } from './shared-budget.ts';
import { summarise } from './summary.ts';

/** Hosts whose URLs are visited at a time; most of them wait for their turn. The others wait in the store. */
const maxHosts = 1000;
/** Milliseconds of one step of `LookPace`. */
const step = 250;
/** Milliseconds for which a worker leaves a host alone that it gave back for others to go on; up to twice that. */
const leaveAlone = 2000;

export interface RunParts {
	readonly seeds: readonly string[];
	readonly options: CrawlOptions;
	readonly settings: Settings;
	readonly output: Output;
	readonly emit: (event: CrawlEvent) => void;
	/** In the place of our own. */
	readonly read: ReadPage | undefined;
	/** Undefined: the crawl does not watch. */
	readonly watching?: Watching | undefined;
	/** How the databases of a group are opened. */
	readonly storeOptions?: StoreOptions;
}

/** One run of a crawl, from opening the store to the table at the end. */
export class Run {
	readonly output: Output;
	readonly emit: (event: CrawlEvent) => void;
	readonly meter: Meter;
	readonly context: CrawlContext;
	readonly committer: Committer;
	readonly budget: PageBudget;
	readonly scopeExpander: ScopeExpander;
	readonly #parts: RunParts;
	readonly #clock: Clock;
	#endedAt: number | undefined;
	readonly #store: Store;
	readonly #state: RunState;
	/** Changes in the address rules since the last run. */
	readonly #rulesChanged: readonly string[];
	readonly #own: OwnCrawlContext;
	readonly #sinks: RunSinks;
	readonly #roller: Roller;
	readonly #loops = new Map<string, HostLoop>();
	/** Hosts that are left to others, by number, and until when. */
	readonly #left = new Map<number, number>();
	readonly #lookPace = new LookPace();
	readonly #changed = new ChangeNotifier();
	readonly #stop = new AbortController();
	#error: unknown;

	private constructor(parts: RunParts, store: Store, { state, scope, changed }: Awaited<ReturnType<typeof openRun>>) {
		const { options, settings, output, emit } = parts;
		this.#parts = parts;
		this.output = output;
		this.emit = emit;
		this.#store = store;
		this.#state = state;
		this.#rulesChanged = changed;
		const recorder = recorderFor(options.sinks);
		this.#own = createCrawlContext({
			options,
			settings,
			store,
			emit,
			scope,
			refreshScope: () => this.scopeExpander.refresh(),
			seeds: parts.seeds,
			read: parts.read,
			freshnessPolicy: state.mode === 'refresh' ? 'force_refresh' : 'cache_first',
			onRelease: (url) => this.#loopOf(url)?.notify(0),
			...(recorder && { recorder }),
			cycle: { everything: options.refresh === true, onAdded: (added) => this.#added(added) },
		});
		this.context = this.#own.context;
		this.scopeExpander = new ScopeExpander({
			store,
			scope,
			emit,
			discovery: this.context.discovery,
			onWaiting: (count) => {
				this.meter.pending += count;
				for (const loop of this.#loops.values()) loop.notify(0);
				this.#changed.notify();
			},
			onAdded: (added) => this.#added(added),
		});
		this.#clock = this.context.clock;
		this.meter = this.#own.meter;
		this.meter.pending = state.pending;
		this.budget =
			store.leases.shared && settings.maxPages !== Number.POSITIVE_INFINITY
				? new SharedBudget(settings.maxPages, store.leases, () => this.stopping)
				: new Budget(settings.maxPages, state.documents);
		this.committer = new Committer({
			store,
			sinks: (options.sinks ?? []).filter(({ whole }) => !whole),
			onCommit: (visited, committed) => this.#emitVisited(visited, committed),
			learned: () => this.context.sites.take(),
			policies: () => recorder?.takePolicies() ?? [],
			onSegments: (segments) => this.#roller.note(segments),
			busy: () => this.#own.scheduler.held,
			...(parts.watching && {
				watch: parts.watching.observer(),
				onChanges: (changes) => parts.watching?.committed(changes),
			}),
		});
		this.#roller = new Roller(store, options.sinks ?? []);
		this.#sinks = new RunSinks({ options, store, state, committer: this.committer, roller: this.#roller });
	}

	static async execute(parts: RunParts, onStart: (run: Run) => void): Promise<Summary> {
		const { options } = parts;
		const store = await storeOf(parts);
		try {
			for (;;) {
				let run: Run | undefined;
				try {
					run = new Run(parts, store, await openRun(parts, store, () => run?.poll()));
					onStart(run);
					return await run.#execute();
				} catch (error) {
					// Others go on with what this worker had; it takes part again like one that has just come.
					if (!(error instanceof CrawlError && error.code === 'lease-lost')) throw error;
					parts.emit({ type: 'store', state: 'lease-lost', detail: error.message });
					if (run !== undefined && !(await store.frontier.unfinished())) return await run.#endedByOthers();
				}
			}
		} finally {
			if (typeof options.store !== 'object') await store.close();
		}
	}

	get stopping(): boolean {
		return this.#stop.signal.aborted;
	}

	/** Ends the run as soon as what is in flight has ended; the rest waits in the store. */
	stop(): void {
		this.#stop.abort();
		this.#own.scheduler.stop();
		this.#changed.notify();
		for (const loop of this.#loops.values()) loop.notify(0);
	}

	/** Others may have left hosts that this worker could visit. */
	poll(): void {
		this.#changed.notify();
	}

	/** Ends the run with an error. */
	fail(error: unknown): void {
		this.#error ??= error;
		this.stop();
	}

	/**
	 * Sleeps until the time is over or something has changed since it was seen; that the run stops is such a change.
	 * Nothing of the sleep is left behind: a worker that waits for others does this for days.
	 */
	async sleep(ms: number, changed: ChangeNotifier, seen: number): Promise<void> {
		if (this.stopping) return;
		const over = new AbortController();
		await Promise.race([this.#clock.sleep(ms, over.signal), changed.after(seen, over.signal)]);
		over.abort();
	}

	async endPending(ending: Ending, where?: EndWhere): Promise<number> {
		const { urls, pages } = await this.#store.frontier.endPending(ending, this.#clock.now(), where);
		this.meter.countAtOnce(ending.outcome, pages);
		this.meter.pending = Math.max(0, this.meter.pending - urls);
		return urls;
	}

	stats(): Stats {
		const now = this.context.pace.now();
		const { outcomes, done, pending, inFlight, requests, bytes } = this.meter;
		return {
			mode: this.#state.mode,
			outcomes: { ...outcomes },
			done,
			pending,
			inFlight,
			requests,
			bytes,
			milliseconds: (this.#endedAt ?? now) - this.meter.startedAt,
			pagesPerSecond: this.meter.pagesPerSecond(now),
			hosts: [...this.#loops.values()].map((loop) => loop.stats()),
		};
	}

	async #execute(): Promise<Summary> {
		const { options } = this.#parts;
		const { mode, pending, known, workers } = this.#state;
		let closed = false;
		try {
			await this.#sinks.open();
			const changed = this.#rulesChanged;
			this.emit({ type: 'start', mode, pending, known, workers, ...(changed.length > 0 && { changed }) });
			await this.#visitAll().catch((error) => this.fail(error));
			await this.#endLoops();
			if (this.#error !== undefined) throw this.#error;
			await this.committer.flush();
			const complete = !this.stopping;
			await this.context.changes?.leaveAll(complete);
			if (complete && this.budget.exhausted) await this.endPending({ outcome: 'deferred', reason: 'max-pages' });
			if (complete && (options.everyOutcome || (mode === 'refresh' && !this.#store.leases.shared)))
				await this.#emitUnvisited(options.everyOutcome !== true);
			await this.#sinks.close(complete);
			closed = true;
			await this.#store.end(complete, this.#clock.now());
			if (complete) await this.#parts.watching?.release();
			const summary = await this.#summarise(complete);
			if (complete) await this.#sinks.writeWhole();
			this.emit({ type: 'done', summary });
			return summary;
		} finally {
			this.#endedAt = this.context.pace.now();
			await this.#own.close();
			if (!closed) await this.#sinks.drop();
		}
	}

	async #summarise(complete: boolean): Promise<Summary> {
		const { mode } = this.#state;
		return summarise(await this.#store.frontier.tally(), {
			mode,
			complete,
			meter: this.meter,
			now: this.context.pace.now(),
		});
	}

	/** The run of this worker is gone: beginning again would be another run. */
	async #endedByOthers(): Promise<Summary> {
		const summary = await this.#summarise(true);
		this.emit({ type: 'done', summary });
		return summary;
	}

	/** @param documents only what has one */
	async #emitUnvisited(documents: boolean): Promise<void> {
		await this.output.room();
		for await (const results of this.#sinks.emitUnvisited(documents)) {
			for (const { document: _, page: __, policy: ___, ...event } of results)
				this.emit({ type: 'page', ...event, newLinks: 0 });
			this.output.push(results);
			await this.output.room();
		}
	}

	/** A loop for every host that has URLs waiting, until no host has any. */
	async #visitAll(): Promise<void> {
		for (;;) {
			const seen = this.#changed.version;
			const room = this.#room();
			const claimed = room > 0 ? await this.context.hosts.claimWaiting(room, this.#leftAlone()) : [];
			// URLs may wait there because of a redirect that another worker followed.
			if (claimed.length > 0) await this.scopeExpander.refresh();
			for (const slot of claimed) void this.#visitHost(new HostLoop(slot, this));
			if (this.#loops.size === 0 && !(await this.#othersGoOn())) return;
			// Hosts that it leaves to others are to be looked for in time.
			const inVain = room > 0 && claimed.length === 0 && this.#left.size === 0;
			// A worker that stops only waits for requests in flight.
			if (this.#store.leases.shared && !this.stopping) await this.#share(seen, this.#lookPace.next(inVain));
			else await this.#changed.after(seen);
		}
	}

	/** Hosts that this worker takes on: of those that are shared, no more than it could visit now. */
	#room(): number {
		if (this.stopping || this.budget.exhausted) return 0;
		const room = maxHosts - this.#loops.size;
		return this.#store.leases.shared ? Math.min(room, this.#own.scheduler.free) : room;
	}

	/**
	 * This host needs one that another worker holds, which may be waiting for this one: the host goes back to the
	 * store for a while, unequally long for all, so that two do not wait for each other again and again.
	 */
	giveWay(loop: HostLoop): void {
		this.#left.set(loop.slot.host.id, this.context.pace.now() + leaveAlone * (1 + Math.random()));
		loop.handOver();
	}

	#leftAlone(): number[] {
		const now = this.context.pace.now();
		for (const [host, until] of this.#left) if (until <= now) this.#left.delete(host);
		return [...this.#left.keys()];
	}

	/** Whether URLs wait that other workers visit: what they find there, or leave, may be for us. */
	async #othersGoOn(): Promise<boolean> {
		if (!this.#store.leases.shared || this.stopping || this.budget.exhausted) return false;
		await this.budget.giveBack();
		await this.scopeExpander.refresh();
		if (await this.#store.frontier.unfinished()) return true;
		await this.scopeExpander.makeUp();
		return this.#store.frontier.unfinished();
	}

	/** Waits until the next look for hosts; meanwhile leaves hosts that wait for us in vain to workers who have nothing to do. */
	async #share(seen: number, steps: number): Promise<void> {
		for (let left = steps; left > 0; left--) {
			await this.sleep(step, this.#changed, seen);
			await this.#handOver();
			if (this.#changed.version !== seen || this.stopping) return;
		}
	}

	async #handOver(): Promise<void> {
		const starving = this.#own.scheduler.starving();
		if (starving.length === 0 || this.stopping) return;
		const wanted = await this.#store.leases.wanted();
		for (const { host } of starving.slice(0, wanted)) this.#loops.get(host.name)?.handOver();
	}

	async #endLoops(): Promise<void> {
		while (this.#loops.size > 0) await this.#changed.after(this.#changed.version);
	}

	/** Ends all waits for this host. */
	dismiss(slot: HostSlot): void {
		this.#own.scheduler.dismiss(slot);
	}

	async #visitHost(loop: HostLoop): Promise<void> {
		const { name } = loop.slot.host;
		this.#loops.set(name, loop);
		try {
			await loop.visitAll();
			await this.context.changes?.leave(name, !this.stopping);
		} catch (error) {
			this.fail(error);
		}
		this.context.sites.leave(name);
		await this.context.hosts.release(loop.slot).catch((error) => this.fail(error));
		// Its next URLs may have brought the host back before the store has told that it was given away.
		if (this.#loops.get(name) === loop) this.#loops.delete(name);
		this.#changed.notify();
	}

	/** New URLs wait in the store. */
	#added(added: ReadonlyMap<string, number>): void {
		for (const [host, count] of added) {
			this.meter.pending += count;
			this.#loops.get(host)?.notify(count);
			if (!this.#loops.has(host)) this.#changed.notify();
		}
	}

	#loopOf(url: string): HostLoop | undefined {
		const parsed = parseUrl(url);
		return parsed && this.#loops.get(parsed.hostname);
	}

	/** Stage 10: emits events and results after the commit. */
	#emitVisited(visited: Visited, { added, newLinks }: OneCommitted): void {
		const now = this.context.pace.now();
		this.#added(added);
		if (visited.visit.ending !== undefined) this.meter.pending = Math.max(0, this.meter.pending - 1);
		if (visited.visit.target !== undefined) this.context.claims.setEnded(visited.visit.target.url.url);
		for (const url of visited.claims) this.context.claims.release(url);
		for (const result of visited.results) {
			const { document: _, page: __, policy: ___, redirectedTo: ____, ...event } = result;
			this.meter.count(result.outcome, now);
			this.emit({ type: 'page', ...event, newLinks, ...(visited.bytes !== undefined && { bytes: visited.bytes }) });
		}
		if (visited.sitemap !== undefined) this.emit({ type: 'sitemap', ...visited.sitemap });
		this.output.push(visited.results);
	}
}

function recorderFor(sinks: readonly Sink[] = []): Recorder | undefined {
	const archives = sinks.filter(({ archive }) => archive).map(({ name }) => name);
	return archives.length === 0 ? undefined : new Recorder(archives.join(', '));
}
