import { setMaxListeners } from 'node:events';
import { crawlWith } from '../../packages/crawler/src/engine/crawl.ts';
import { type Distributions, usual } from './distributions.ts';
import { useLightAborts } from './light-abort.ts';
import { schedule } from './schedule.ts';
import { type DatabaseShare, SimulatedStore, type StoreCalls } from './store.ts';
import { VirtualClock } from './virtual-clock.ts';
import { type Seen, SimulatedWeb } from './web.ts';

const day = 86_400_000;

export interface SimulationOptions {
	readonly urls: number;
	readonly workers: number;
	readonly seed: number;
	/** Requests in flight of a worker. Default 8, that of a crawl. */
	readonly concurrency?: number;
	/** Milliseconds. Default 2,000, that of a crawl. */
	readonly delay?: number;
	/** `whole`: `crawl()` for each worker. `scheduler`: only what decides which host gets a request when. Default `whole`. */
	readonly engine?: 'whole' | 'scheduler';
	/** Cycles, one a day. Default 1: every page is fetched once. */
	readonly cycles?: number;
	/** Databases that the hosts are divided among. Default 1; more with the engine `scheduler` only. */
	readonly databases?: number;
	readonly shape?: Distributions;
	readonly onProgress?: (ended: number, seconds: number) => void;
}

export interface SimulationResult {
	readonly urls: number;
	readonly hosts: number;
	/** Simulated. */
	readonly seconds: number;
	/** Simulated seconds until so much of the pages had ended. */
	readonly until: Readonly<Record<'half' | 'most', number>>;
	readonly seen: Seen;
	readonly calls: StoreCalls;
	readonly endings: ReadonlyMap<string, number>;
	/** Pages that ended never, or more than once, in a crawl of one cycle; and documents that came twice. */
	readonly lost: number;
	readonly doubled: number;
	readonly jumps: number;
	readonly sleeps: number;
	/** Pages that the busiest and the laziest worker brought. */
	readonly shares: readonly [least: number, most: number];
	readonly databases: readonly DatabaseShare[];
	/** Of this machine: seconds that passed, and seconds of processor. */
	readonly realSeconds: number;
	readonly cpuSeconds: number;
	readonly megabytes: number;
}

/** Everything that the workers of a simulation share. */
export interface SimulatedFleet extends SimulationOptions {
	readonly clock: VirtualClock;
	readonly web: SimulatedWeb;
	readonly store: SimulatedStore;
	/** A worker has brought a page to its end. */
	readonly onPage: (worker: number) => void;
}

/** Crawls a simulated web. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
	const { urls, workers, seed, delay = 2000, cycles = 1, databases = 1, shape = usual, engine = 'whole' } = options;
	const isWhole = engine === 'whole';
	if (isWhole && databases > 1) throw new RangeError('several databases need the engine `scheduler`');
	const clock = new VirtualClock(isWhole ? 2 : 1);
	const began = clock.now();
	const realStart = performance.now();
	const cpuStart = process.cpuUsage();
	// A crawl of the whole engine stays on one domain; databases are chosen by the registrable domain.
	const domain = isWhole ? 'sim.test' : 'test';
	const web = new SimulatedWeb(urls, { seed, shape, clock, delay, changes: cycles > 1, domain });
	const store = new SimulatedStore(web, { keepsHistory: cycles > 1, databases });
	const until = { half: 0, most: 0 };
	const shares = new Array<number>(workers).fill(0);
	let ended = 0;
	const onPage = (worker: number) => {
		shares[worker] = (shares[worker] ?? 0) + 1;
		ended++;
		const seconds = (clock.now() - began) / 1000;
		if (ended === Math.ceil(urls / 2)) until.half = seconds;
		if (ended === Math.ceil(urls * 0.95)) until.most = seconds;
		if (ended % Math.max(1, Math.floor(urls / 20)) === 0) options.onProgress?.(ended, seconds);
	};
	const restoreTimers = ignoreSlowResponses();
	const restoreAborts = isWhole ? () => {} : useLightAborts();
	try {
		await (isWhole ? crawlWhole : schedule)({ ...options, clock, web, store, onPage });
	} finally {
		restoreTimers();
		restoreAborts();
	}
	const { user, system } = process.cpuUsage(cpuStart);
	const count = (list: Uint8Array, is: (times: number, page: number) => boolean) =>
		list.reduce((sum, times, page) => sum + (is(times, page) ? 1 : 0), 0);
	return {
		...{ urls, hosts: web.hosts, seconds: (clock.now() - began) / 1000, until, seen: web.seen, calls: store.calls },
		...{ endings: store.endings, jumps: clock.jumps, sleeps: clock.sleeps },
		lost: count(store.ends, (times, page) => times === 0 && web.isReachable(page)),
		doubled: cycles > 1 ? 0 : count(store.ends, (times) => times > 1) + count(web.answered, (times) => times > 1),
		shares: [Math.min(...shares), Math.max(...shares)],
		databases: store.shares,
		cpuSeconds: (user + system) / 1e6,
		realSeconds: (performance.now() - realStart) / 1000,
		megabytes: Math.round(process.memoryUsage().rss / 1e6),
	};
}

/**
 * The scheduler gives the slot of a response that takes five seconds of real time to another host. That means nothing in
 * simulated time, and the timers would be half of the work.
 */
function ignoreSlowResponses(): () => void {
	const { setTimeout, clearTimeout } = globalThis;
	const never = { unref: () => never, ref: () => never };
	Object.assign(globalThis, {
		setTimeout: (work: () => void, ms?: number) => (ms === 5000 ? never : setTimeout(work, ms)),
		clearTimeout: (timer: NodeJS.Timeout) => (timer === (never as never) ? undefined : clearTimeout(timer)),
	});
	return () => void Object.assign(globalThis, { setTimeout, clearTimeout });
}

/** The real engine: `crawl()` for each worker, with another clock, fetcher, reader and store. */
async function crawlWhole({
	workers,
	cycles = 1,
	clock,
	web,
	store,
	onPage,
	...options
}: SimulatedFleet): Promise<void> {
	const stop = new AbortController();
	// Each worker listens to it.
	setMaxListeners(0, stop.signal);
	const fetcher = web.fetcher();
	const common = {
		...{ scope: 'domain', sitemaps: false, threads: 0, clock, fetcher, signal: stop.signal },
		...{ concurrency: options.concurrency ?? 8, delay: options.delay ?? 2000 },
		...(cycles > 1 && { every: day }),
		identity: { botUrl: 'https://sim.test/bot' },
	} as const;
	const crawls = Array.from({ length: workers }, (_, worker) => {
		const crawl = crawlWith(web.reader(), [web.seedUrl], { ...common, store: store.worker(workers > 1) });
		crawl.on('page', () => onPage(worker));
		return crawl;
	});
	if (cycles > 1) void clock.sleep(cycles * day - 1, stop.signal).then(() => stop.abort());
	const summaries = await Promise.all(crawls.map((crawl) => crawl.run()));
	if (cycles === 1 && summaries.some(({ complete }) => !complete)) throw new Error('a worker did not finish');
}
