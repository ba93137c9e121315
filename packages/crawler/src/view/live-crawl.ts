import { present } from '@wayleave/protocols';
import type { Crawl } from '../engine/crawl.ts';
import type { CrawlEvent, HostEvent, HostStats, Stats, WaitEvent, WaitReason } from '../model/events.ts';
import type { CountedEnding, LiveHost, LiveState, ShownUrl } from './api.ts';
import { endingOf } from './show.ts';

/** Hosts, endings and events that are kept for the page, however long the crawl goes on. */
const most = { hosts: 1000, hostsShown: 200, endings: 500, recent: 50, notes: 50, points: 240 };

/** Milliseconds between two points of the speed, until there are too many. */
const firstStep = 1000;

const waitTexts = {
	cooldown: 'the pause between two requests to a host',
	'crawl-delay': 'the site asks for this pause between two requests (Crawl-delay)',
	rate: 'the site allows this rate (robots2.txt)',
	'retry-after': 'the server asked for a pause',
	backoff: 'the last requests to the host failed',
} as const satisfies Record<WaitReason, string>;

const isPause = (reason: WaitReason): boolean => reason === 'retry-after' || reason === 'backoff';

/** Follows a crawl for the page that shows it; costs a few map entries per event. */
export class LiveCrawl {
	readonly #crawl: Crawl;
	readonly #now: () => number;
	readonly #startedAt: number;
	readonly #done = new Map<string, number>();
	readonly #waits = new Map<string, WaitEvent>();
	readonly #deferred = new Map<string, HostEvent>();
	readonly #endings = new Map<string, CountedEnding>();
	readonly #recent: (ShownUrl & { readonly host: string })[] = [];
	readonly #notes: { readonly at: number; readonly text: string }[] = [];
	#speed: { readonly at: number; readonly pagesPerSecond: number; readonly pending: number }[] = [];
	#step = firstStep;
	#state: LiveState['state'] = 'starting';
	#next: string | undefined;
	#isComplete: boolean | undefined;
	readonly #timer: ReturnType<typeof setInterval>;
	readonly #ignore: () => void;

	constructor(crawl: Crawl, now: () => number = Date.now) {
		this.#crawl = crawl;
		this.#now = now;
		this.#startedAt = now();
		this.#ignore = crawl.on('*', (event) => this.#see(event));
		this.#timer = setInterval(() => this.#sample(), firstStep);
		this.#timer.unref();
	}

	/** Stops following. */
	close(): void {
		this.#ignore();
		clearInterval(this.#timer);
	}

	state(): LiveState {
		const stats = this.#crawl.stats();
		const hosts = this.#hosts(stats);
		return {
			...stats,
			state: this.#state,
			...present({ next: this.#next, isComplete: this.#isComplete }),
			now: this.#now(),
			startedAt: this.#startedAt,
			endings: [...this.#endings.values()].sort((a, b) => b.count - a.count),
			hosts: hosts.slice(0, most.hostsShown),
			otherHosts: Math.max(0, hosts.length - most.hostsShown),
			speed: this.#speed,
			step: this.#step,
			recent: this.#recent,
			notes: this.#notes,
		};
	}

	#see(event: CrawlEvent): void {
		if (event.type === 'page') this.#seePage(event);
		if (event.type === 'start') {
			this.#state = 'running';
			this.#next = undefined;
		}
		if (event.type === 'done') {
			this.#state = 'done';
			this.#isComplete = event.summary.complete;
		}
		if (event.type === 'cycle') {
			this.#state = 'pausing';
			this.#next = event.next;
		}
		if (event.type === 'wait') set(this.#waits, event.host, event);
		if (event.type === 'host' && event.change === 'deferred') this.#seeDeferred(event);
		const text = noteOf(event);
		if (text === undefined) return;
		this.#notes.unshift({ at: this.#now(), text });
		if (this.#notes.length > most.notes) this.#notes.pop();
	}

	#seePage({ url, outcome, reason, status, at, depth }: Extract<CrawlEvent, { type: 'page' }>): void {
		const host = new URL(url).hostname;
		set(this.#done, host, (this.#done.get(host) ?? 0) + 1);
		const ending = endingOf(outcome, reason);
		this.#count(ending, 1, url);
		this.#recent.unshift({ url, host, kind: 'page', depth, at, ...(status !== undefined && { status }), ...ending });
		if (this.#recent.length > most.recent) this.#recent.pop();
	}

	#seeDeferred(event: HostEvent): void {
		set(this.#deferred, event.host, event);
		if (event.count !== undefined) this.#count(endingOf('deferred', event.reason), event.count, `${event.host}`);
	}

	#count(ending: ReturnType<typeof endingOf>, count: number, example: string): void {
		const key = `${ending.outcome} ${ending.reason}`;
		set(this.#endings, key, { ...ending, count: (this.#endings.get(key)?.count ?? 0) + count, example }, most.endings);
	}

	#hosts({ hosts }: Stats): LiveHost[] {
		const active = new Map(hosts.map((host) => [host.host, host]));
		const finished = [...this.#done.keys()].filter((host) => !active.has(host));
		const all = [
			...hosts.map((host) => this.#host(host)),
			...finished.map((host) => this.#host({ host, pending: 0, inFlight: 0, delay: 0 })),
		];
		const isPaused = ({ waiting }: LiveHost) => Number(waiting?.isPause ?? false);
		return all.sort(
			(a, b) => isPaused(b) - isPaused(a) || b.inFlight - a.inFlight || b.pending - a.pending || b.done - a.done,
		);
	}

	#host({ host, pending, inFlight, delay, waiting }: HostStats): LiveHost {
		const { reason, detail, count } = this.#deferred.get(host) ?? {};
		return {
			...{ host, pending, inFlight, delay, done: this.#done.get(host) ?? 0 },
			...(waiting !== undefined && inFlight === 0 && { waiting: this.#waiting(host, waiting.why, waiting.until) }),
			...(count !== undefined && {
				deferred: { ...endingOf('deferred', reason), count, ...(detail !== undefined && { detail }) },
			}),
		};
	}

	#waiting(host: string, reason: WaitReason, until: number): NonNullable<LiveHost['waiting']> {
		const event = isPause(reason) ? this.#waits.get(host) : undefined;
		return {
			...{ reason, why: waitTexts[reason], until, isPause: isPause(reason) },
			...(event?.status !== undefined && { status: event.status }),
			...(event?.detail !== undefined && { detail: event.detail.replace(/^[:;,]?\s+/, '') }),
		};
	}

	#sample(): void {
		if (this.#state !== 'running') return;
		const now = this.#now();
		if (now - (this.#speed.at(-1)?.at ?? 0) < this.#step) return;
		const { pagesPerSecond, pending } = this.#crawl.stats();
		this.#speed.push({ at: now, pagesPerSecond, pending });
		if (this.#speed.length < most.points) return;
		// Every other point of a long crawl is enough for a picture of it.
		this.#speed = this.#speed.filter((_, at) => at % 2 === 1);
		this.#step *= 2;
	}
}

/** Sets an entry of a map that stays small: the oldest one gives way. */
function set<Value>(map: Map<string, Value>, key: string, value: Value, limit = most.hosts): void {
	if (!map.has(key) && map.size >= limit) {
		const [oldest] = map.keys();
		if (oldest !== undefined) map.delete(oldest);
	}
	map.set(key, value);
}

/** The sentence for an event that a person should know. */
function noteOf(event: CrawlEvent): string | undefined {
	const because = 'detail' in event && event.detail !== undefined ? `: ${event.detail}` : '';
	switch (event.type) {
		case 'robots':
			return event.state === 'unreachable' ? `${event.url} could not be fetched${because}` : undefined;
		case 'ask':
			return `${event.url} was asked for ${event.directive}: ${event.decision}${because}`;
		case 'manifest':
			return event.state === 'invalid' || event.state === 'anomalous'
				? `the manifest ${event.url} is ${event.state} and not used${because}`
				: undefined;
		case 'trust':
			return `the trust in the manifest of ${event.origin} changed from ${event.before} to ${event.level}`;
		case 'wait':
			return `${event.host} waits until ${event.until}: ${waitTexts[event.why]}${because}`;
		case 'host':
			return event.change === 'deferred' ? `${event.host} is put off to a later run${because}` : undefined;
		case 'problem':
			return `${event.code} at ${event.source}${because}`;
		case 'store':
			return `the database: ${event.detail}`;
		default:
			return undefined;
	}
}
