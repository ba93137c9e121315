import type { HostSlot } from '../../packages/crawler/src/politeness/host-slot.ts';
import { Hosts } from '../../packages/crawler/src/politeness/hosts.ts';
import { RequestScheduler } from '../../packages/crawler/src/politeness/request-scheduler.ts';
import type { FrontierUrl, NewUrl } from '../../packages/crawler/src/store/roles/frontier.ts';
import type { Store } from '../../packages/crawler/src/store/roles/store.ts';
import type { SimulatedFleet } from './simulation.ts';

// The part of the engine that decides which worker asks which host when: `Hosts`, `HostSlot` and `RequestScheduler` as
// they are, over the frontier and the leases of a store. What the whole engine does with a page (policy, links, commit)
// is left out, so that ten million URLs take minutes.

/** As in the engine (engine/run.ts, engine/url-window.ts). */
const maxHosts = 1000;
const pollInterval = 250;
const windowSize = 40;
/** Milliseconds without a look of its own, at most. */
const maxSkip = 60_000;
/** Requests for policy files of a host; the whole engine makes so many in the same simulation. */
const policyRequests = 5;

/** Runs all workers until no URL waits. */
export async function schedule(fleet: SimulatedFleet): Promise<void> {
	await Promise.all(Array.from({ length: fleet.workers }, (_, at) => new Worker(at, fleet).run()));
}

class Worker {
	readonly #at: number;
	readonly #fleet: SimulatedFleet;
	readonly #store: Store;
	readonly #scheduler: RequestScheduler;
	readonly #hosts: Hosts;
	/** Hosts that it visits. */
	#visiting = 0;
	#work: Promise<void> = Promise.resolve();
	#wake = () => {};

	constructor(at: number, fleet: SimulatedFleet) {
		const { clock, store, workers, concurrency = 8, delay = 2000 } = fleet;
		this.#at = at;
		this.#fleet = fleet;
		this.#store = store.worker(workers > 1);
		this.#scheduler = new RequestScheduler(clock, concurrency, 300_000);
		this.#hosts = new Hosts(this.#store.leases, () => ({ delay, own: false, connections: concurrency }), clock);
	}

	async run(): Promise<void> {
		const { clock, web } = this.#fleet;
		const seed: NewUrl = { url: web.seedUrl, kind: 'page', host: 'h0.sim.test', depth: 0, dates: 0, seed: true };
		await this.#store.begin({ seeds: [seed], scope: '', refresh: false, at: clock.now(), reconsider: () => undefined });
		for (;;) {
			const room = Math.min(maxHosts - this.#visiting, this.#scheduler.free);
			const claimed = room > 0 ? await this.#hosts.claimWaiting(room, []) : [];
			for (const slot of claimed) void this.#visit(slot);
			if (this.#visiting === 0 && !(await this.#store.frontier.unfinished())) return;
			await this.#sleep();
		}
	}

	/**
	 * Until one of its hosts is done, or another look may find something: a look that surely finds no host is counted, not
	 * made.
	 */
	async #sleep(): Promise<void> {
		const { clock, store } = this.#fleet;
		const from = clock.now();
		let wake = () => {};
		await new Promise<void>((resolve) => {
			wake = resolve;
			this.#wake = resolve;
			store.whenOffered(wake);
			void clock.sleep(maxSkip).then(resolve);
		});
		store.forgetOffer(wake);
		const skipped = Math.floor((clock.now() - from) / pollInterval);
		store.calls.claims += skipped;
		store.calls.emptyClaims += skipped;
		await clock.sleep(pollInterval - (clock.now() % pollInterval));
	}

	async #visit(slot: HostSlot): Promise<void> {
		this.#visiting++;
		try {
			if (await this.#readPolicy(slot)) while (await this.#visitWindow(slot));
		} finally {
			await this.#hosts.release(slot);
			this.#visiting--;
			this.#wake();
		}
	}

	/** Files of a new host; false if it does not answer. */
	async #readPolicy(slot: HostSlot): Promise<boolean> {
		const { web, clock } = this.#fleet;
		const host = slot.host.id - 1;
		slot.setSitePace({ crawlDelay: web.crawlDelay(host) / 1000 });
		if ((web.asked[host] ?? 0) >= policyRequests) return true;
		for (let file = 0; file < policyRequests; file++) {
			const response = await this.#request(
				slot,
				`http://${slot.host.name}/${file === 0 ? 'robots' : `policy${file}`}.txt`,
			);
			if (response?.ok) continue;
			const ending = { outcome: 'deferred', reason: 'robots-unreachable' } as const;
			await this.#store.frontier.endPending(ending, clock.now(), { host: slot.host.id, except: [] });
			return false;
		}
		return true;
	}

	/** The next URLs of the host; false when none is left. */
	async #visitWindow(slot: HostSlot): Promise<boolean> {
		const { clock } = this.#fleet;
		const { frontier } = this.#store;
		const pages = await frontier.pending(slot.host.id, 'page', clock.now(), windowSize);
		for (const page of pages) await this.#visitPage(slot, page);
		if (pages.length > 0) return true;
		const due = await frontier.nextDue(slot.host.id);
		if (due === undefined) return false;
		await clock.sleep(Math.max(1, due - clock.now()));
		return true;
	}

	async #visitPage(slot: HostSlot, { id, url, attempts }: FrontierUrl): Promise<void> {
		const { web, clock, shape, onPage } = this.#fleet;
		const response = await this.#request(slot, url);
		const now = clock.now();
		const isLater = response === undefined || !response.ok || response.status === 503;
		const done = { id, attempts: attempts + 1, at: now };
		if (isLater && attempts < 2) {
			const visit = { ...done, due: now + 60_000, found: [] };
			await this.#store.commit({ visits: [visit], hosts: [slot.host], positions: new Map(), scopeExpansions: [] });
			return;
		}
		// Pages are read one after the other.
		this.#work = this.#work.then(() => clock.sleep(shape?.pageWork ?? 12));
		await this.#work;
		const found = response?.status === 200 ? web.linksOf(id - 1).map(toNewUrl) : [];
		const ending = isLater
			? ({ outcome: 'failed', reason: 'timeout' } as const)
			: response.status === 404
				? ({ outcome: 'gone', reason: 'http-404' } as const)
				: ({ outcome: 'fetched' } as const);
		const visit = { ...done, ending, found };
		await this.#store.commit({ visits: [visit], hosts: [slot.host], positions: new Map(), scopeExpansions: [] });
		onPage(this.#at);
	}

	async #request(slot: HostSlot, url: string) {
		const turn = await this.#scheduler.take(slot);
		if (typeof turn === 'string') return undefined;
		const { clock, web } = this.#fleet;
		const sentAt = clock.now();
		try {
			const response = await web.fetcher().get(url, {});
			// As in the engine (politeness/requester.ts).
			if (response.status === 503) slot.refuse(clock.now(), 60_000, sentAt);
			else if (response.ok) slot.accept(sentAt);
			return response;
		} finally {
			turn.end();
		}
	}
}

const toNewUrl = (url: string): NewUrl => ({
	url,
	kind: 'page',
	host: url.slice(7, url.indexOf('/', 7)),
	depth: 1,
	dates: 0,
});
