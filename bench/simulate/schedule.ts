import { lookOf, Schedule } from '../../packages/crawler/src/change/schedule.ts';
import { LookPace } from '../../packages/crawler/src/engine/look-pace.ts';
import type { Ending } from '../../packages/crawler/src/model/outcome.ts';
import type { HostSlot } from '../../packages/crawler/src/politeness/host-slot.ts';
import { Hosts } from '../../packages/crawler/src/politeness/hosts.ts';
import { RequestScheduler } from '../../packages/crawler/src/politeness/request-scheduler.ts';
import type { Visit } from '../../packages/crawler/src/store/roles/commit.ts';
import type { FrontierUrl, NewUrl } from '../../packages/crawler/src/store/roles/frontier.ts';
import type { Store } from '../../packages/crawler/src/store/roles/store.ts';
import { chance } from './random.ts';
import type { SimulatedFleet } from './simulation.ts';
import { Link } from './store.ts';
import type { SimulatedResponse } from './web.ts';

// The part of the engine that decides which worker asks which host when: `Hosts`, `HostSlot` and `RequestScheduler` as
// they are, over the frontier and the leases of a store; `Schedule` and `afterCheck` decide when a page is looked at again,
// and `HostGroups` which of several databases has a host. What the whole engine does with a page (policy, links, commit) is
// left out, so that ten million URLs take minutes.

/** As in the engine (engine/run.ts, engine/url-window.ts). */
const maxHosts = 1000;
const step = 250;
const windowSize = 40;
/** Milliseconds without a look of its own, at most. */
const maxSkip = 60_000;
/** Requests for policy files of a host; the whole engine makes so many in the same simulation. */
const policyRequests = 5;
const day = 86_400_000;

/** Runs all workers until no URL waits, once for each cycle. */
export async function schedule(fleet: SimulatedFleet): Promise<void> {
	const { clock, workers, databases = 1, cycles = 1, concurrency = 8 } = fleet;
	// As in the engine (engine/execute-group.ts): a worker crawls all databases, with a share of its requests for each.
	const share = Math.max(1, Math.ceil(concurrency / databases));
	const parts = Array.from({ length: workers }, (_, at) => {
		const reader = new Reader(at, fleet);
		return Array.from({ length: databases }, (_each, database) => new Worker(reader, database, share, fleet));
	}).flat();
	const began = clock.now();
	for (let cycle = 1; cycle <= cycles; cycle++) {
		const isLast = cycle === cycles;
		await Promise.all(parts.map((part) => part.run()));
		if (!isLast) await clock.sleep(Math.max(1, began + cycle * day - clock.now()));
	}
}

/** Reads the pages of a worker, one after the other. */
class Reader {
	readonly at: number;
	readonly #fleet: SimulatedFleet;
	#work: Promise<void> = Promise.resolve();

	constructor(at: number, fleet: SimulatedFleet) {
		this.at = at;
		this.#fleet = fleet;
	}

	async read(): Promise<void> {
		const { clock, shape } = this.#fleet;
		this.#work = this.#work.then(() => clock.sleep(shape?.pageWork ?? 12));
		await this.#work;
	}
}

/** A worker at one database. */
class Worker {
	readonly #reader: Reader;
	readonly #database: number;
	readonly #fleet: SimulatedFleet;
	readonly #store: Store;
	readonly #scheduler: RequestScheduler;
	readonly #hosts: Hosts;
	#schedule: Schedule | undefined;
	/** Hosts that it visits, by name. */
	readonly #visiting = new Set<string>();
	readonly #lookPace: LookPace;
	#wake = () => {};
	/** One alarm at a time: a sleep that ends early would leave its own behind. */
	#alarm: Promise<void> | undefined;
	#ring = () => {};

	constructor(reader: Reader, database: number, concurrency: number, fleet: SimulatedFleet) {
		const { clock, store, workers, delay = 2000 } = fleet;
		this.#reader = reader;
		this.#database = database;
		this.#fleet = fleet;
		this.#store = store.worker(workers > 1, database);
		this.#scheduler = new RequestScheduler(clock, concurrency, 300_000);
		let looks = 0;
		this.#lookPace = new LookPace(() => chance(fleet.seed, reader.at * 101 + database, ++looks));
		this.#hosts = new Hosts(this.#store.leases, () => ({ delay, own: false, connections: concurrency }), clock);
	}

	async run(): Promise<void> {
		const { clock, web, cycles = 1 } = this.#fleet;
		const seed: NewUrl = { url: web.seedUrl, kind: 'page', host: web.nameOf(0), depth: 0, dates: 0, seed: true };
		const at = clock.now();
		await this.#store.begin({ seeds: [seed], scope: '', refresh: false, at, reconsider: () => undefined });
		if (cycles > 1) this.#schedule = new Schedule({ every: day, budget: undefined }, at, unlimited);
		for (;;) {
			const room = Math.min(maxHosts - this.#visiting.size, this.#scheduler.free);
			const claimed = room > 0 ? await this.#hosts.claimWaiting(room, []) : [];
			for (const slot of claimed) void this.#visit(slot);
			if (this.#visiting.size === 0 && !(await this.#store.frontier.unfinished())) break;
			await this.#sleep(room > 0 && claimed.length === 0);
		}
		await this.#store.end(true, clock.now());
	}

	/**
	 * Until one of its hosts is done, it found URLs of another host, or the next look may find a host: one that surely finds
	 * none is counted, not made.
	 */
	async #sleep(inVain: boolean): Promise<void> {
		const { clock, store } = this.#fleet;
		const from = clock.now();
		let wake = () => {};
		let isOwn = false;
		await new Promise<void>((resolve) => {
			wake = resolve;
			this.#wake = () => {
				isOwn = true;
				resolve();
			};
			store.whenOffered(wake, this.#database);
			this.#ring = resolve;
			this.#alarm ??= clock.sleep(maxSkip).then(() => {
				this.#alarm = undefined;
				this.#ring();
			});
		});
		store.forgetOffer(wake, this.#database);
		const slept = clock.now() - from;
		let next = this.#lookPace.next(inVain) * step;
		for (; next <= slept; next += this.#lookPace.next(true) * step) store.calls.looks++;
		if (!isOwn) await clock.sleep(next - slept);
	}

	async #visit(slot: HostSlot): Promise<void> {
		this.#visiting.add(slot.host.name);
		try {
			if (await this.#readPolicy(slot)) while (await this.#visitWindow(slot));
		} finally {
			await this.#hosts.release(slot);
			this.#visiting.delete(slot.host.name);
			this.#wake();
		}
	}

	/** Policy files of a host, once a day; false if it does not answer. */
	async #readPolicy(slot: HostSlot): Promise<boolean> {
		const { web, clock } = this.#fleet;
		const host = slot.host.id - 1;
		slot.setSitePace({ crawlDelay: web.crawlDelay(host) / 1000 });
		if (clock.now() - (web.policyReadAt[host] ?? 0) < day) return true;
		for (let file = 0; file < policyRequests; file++) {
			const name = file === 0 ? 'robots' : `policy${file}`;
			if ((await this.#request(slot, `/${name}.txt`)) !== undefined) continue;
			const ending = { outcome: 'deferred', reason: 'robots-unreachable' } as const;
			await this.#store.frontier.endPending(ending, clock.now(), { host: slot.host.id, except: [] });
			return false;
		}
		web.policyReadAt[host] = clock.now();
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

	async #visitPage(slot: HostSlot, page: FrontierUrl): Promise<void> {
		const { web, clock, onPage } = this.#fleet;
		const { id, attempts, last } = page;
		const notNow = await this.#notDue(slot, page);
		if (notNow !== undefined) return this.#commit(slot, { id, attempts, at: clock.now(), found: [], ending: notNow });
		const response = await this.#request(slot, id - 1, last?.etag);
		const now = clock.now();
		const done = { id, attempts: attempts + 1, at: now };
		const isLater = response === undefined || response.status === 503;
		if (isLater && attempts < 2) return this.#commit(slot, { ...done, due: now + 60_000, found: [] });
		await this.#reader.read();
		const found = response?.status === 200 ? web.linkedPages(id - 1).map((link) => new Link(web, link)) : [];
		const ending = endingOf(isLater ? undefined : response);
		const look = this.#schedule && lookOf(ending);
		await this.#commit(slot, {
			...{ ...done, ending, found },
			...(response?.status === 200 && response.etag !== undefined && { content: { etag: response.etag } as never }),
			...(look !== undefined && this.#schedule && { check: { changed: look, rules: this.#schedule.rules } as never }),
		});
		onPage(this.#reader.at);
	}

	/** The ending of a page that the revisit policy does not look at in this cycle. */
	async #notDue(slot: HostSlot, { url, seed }: FrontierUrl): Promise<Ending | undefined> {
		if (this.#schedule === undefined) return undefined;
		const outlook = await this.#store.changes.outlook(url);
		const candidate = { host: slot.host.id, seed, outlook, hintsHold: false };
		const decision = await this.#schedule.admit({ request: true, why: 'ordinary' }, candidate);
		return decision.request ? undefined : decision.ending;
	}

	async #commit(slot: HostSlot, visit: Visit): Promise<void> {
		const batch = { visits: [visit], hosts: [slot.host], positions: new Map(), scopeExpansions: [] };
		const { added } = await this.#store.commit(batch);
		for (const host of added.keys()) if (!this.#visiting.has(host)) this.#wake();
	}

	async #request(slot: HostSlot, what: number | string, etag?: string): Promise<SimulatedResponse | undefined> {
		const turn = await this.#scheduler.take(slot);
		if (typeof turn === 'string') return undefined;
		const { clock, web } = this.#fleet;
		const sentAt = clock.now();
		try {
			const response = await web.request(slot.host.id - 1, what, { etag });
			// As in the engine (politeness/requester.ts).
			if (response?.status === 503) slot.refuse(clock.now(), 60_000, sentAt);
			else if (response !== undefined) slot.accept(sentAt);
			return response;
		} finally {
			turn.end();
		}
	}
}

/** Cycles have no budget. */
const unlimited = async (): Promise<number> => Number.NEGATIVE_INFINITY;

function endingOf(response: SimulatedResponse | undefined): Ending {
	if (response === undefined) return { outcome: 'failed', reason: 'timeout' };
	if (response.status === 304) return { outcome: 'unchanged', reason: 'not-modified' };
	return response.status === 404 ? { outcome: 'gone', reason: 'http-404' } : { outcome: 'fetched' };
}
