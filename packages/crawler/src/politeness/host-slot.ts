import type { WaitReason } from '../model/events.ts';
import type { HostRecord } from '../store/roles/leases.ts';

/** The pause cap of a host of others is at least this; milliseconds (AIWebIndex 2.0 §6.3). */
export const leastForeignPauseCap = 60_000;
/** Default of the longest pause of a whole host; milliseconds. */
export const defaultPauseCap = 3_600_000;

/** The pace of foreign sites is never faster (AIWebIndex 2.0 §6.2). */
export const leastForeignDelay = 2000;

export interface Pace {
	/** Milliseconds between two requests that the user wants. */
	readonly delay: number;
	/** The host was vouched for as the user's own. */
	readonly own: boolean;
	/** Requests at a time where nothing has to lie between them. */
	readonly connections: number;
	/** Longest pause of the whole host; milliseconds. Default: an hour. */
	readonly pauseCap?: number;
}

/** Pace wishes of the site: the slowest wins. */
export interface SitePace {
	/** Seconds. */
	readonly crawlDelay?: number | undefined;
	/** Requests per minute. */
	readonly rate?: number | undefined;
}

/**
 * The politeness towards one host, all of it: one request at a time, the cooldown from the end of one to the start of
 * the next, the longer delays that the site wants, and the pauses it asks for.
 */
export class HostSlot {
	readonly host: HostRecord;
	readonly #pace: Pace;
	#site: SitePace = {};
	#loopback = false;
	#busy = 0;
	#lastEnd: number;
	#pause: { until: number; why: WaitReason } | undefined;
	/** The pause that the host asked for; it holds until a request sent after it succeeds. */
	#refusal: { until: number; length: number } | undefined;

	/**
	 * @param now set when the host comes from a store: a pause of an earlier run that is longer than the cap ends with the
	 * cap
	 */
	constructor(host: HostRecord, pace: Pace, now?: number) {
		this.host = host;
		this.#pace = pace;
		if (now !== undefined) host.nextAt = Math.min(host.nextAt, now + Math.max(this.pauseCap, host.delay ?? 0));
		// The longer delay that a site turns out to want counts from there too: it may be another process that has asked.
		this.#lastEnd = host.nextAt > 0 ? host.nextAt - (host.delay ?? 0) : Number.NEGATIVE_INFINITY;
	}

	/** Whether the host belongs to the user, or is on this machine. */
	get own(): boolean {
		return this.#pace.own || this.#loopback;
	}

	/** Milliseconds from the end of one request to the start of the next. */
	get delay(): number {
		return this.#delay()[0];
	}

	/** Requests in flight. */
	get busy(): number {
		return this.#busy;
	}

	/** Longest pause of the whole host; milliseconds. */
	get pauseCap(): number {
		const { pauseCap = defaultPauseCap } = this.#pace;
		return this.own ? pauseCap : Math.max(pauseCap, leastForeignPauseCap);
	}

	/**
	 * Requests that may be in flight at a time: one if a delay has to lie between two of them, and after a 429 or
	 * 503 until a request succeeds.
	 */
	get connections(): number {
		return this.delay === 0 && this.#refusal === undefined ? this.#pace.connections : 1;
	}

	/** Whether another request may be in flight, as far as their number goes. */
	get free(): boolean {
		return this.#busy < this.connections;
	}

	/** The first moment at which a request may start; milliseconds since 1970. */
	get readyAt(): number {
		return Math.max(this.#lastEnd + this.delay, this.host.nextAt, this.#pause?.until ?? 0);
	}

	/** The reason why the host waits, if it does. */
	waiting(now: number): { why: WaitReason; until: number } | undefined {
		const until = this.readyAt;
		if (until <= now) return undefined;
		return { until, why: this.#pause?.until === until ? this.#pause.why : this.#delay()[1] };
	}

	begin(): void {
		this.#busy++;
	}

	end(now: number): void {
		this.#busy--;
		this.#lastEnd = now;
		this.#keep();
	}

	/** No request before `until`. A pause is only ever made longer. */
	pause(until: number, why: WaitReason): void {
		if (this.#pause === undefined || until > this.#pause.until) this.#pause = { until, why };
		this.#keep();
	}

	/**
	 * A request sent at `sentAt` got 429 or 503. The host pauses for as long as it asked, up to the cap; twice as long as
	 * before if the request had waited for the last pause to end.
	 */
	refuse(now: number, wait: number, sentAt: number): void {
		const last = this.#refusal;
		const least = last !== undefined && sentAt >= last.until ? 2 * last.length : 0;
		const length = Math.min(Math.max(wait, least), this.pauseCap);
		this.pause(now + length, 'retry-after');
		this.#refusal = { until: Math.max(now + length, last?.until ?? 0), length: Math.max(length, last?.length ?? 0) };
	}

	/** A request sent at `sentAt` succeeded, so that a paused host is as open as before. */
	accept(sentAt: number): void {
		if (this.#refusal !== undefined && sentAt >= this.#refusal.until) this.#refusal = undefined;
	}

	/** Whether the host sent 429 or 503, and no request has succeeded since. */
	get isRefusing(): boolean {
		return this.#refusal !== undefined;
	}

	/** Takes over what the site says about its pace; returns whether that has changed the delay. */
	setSitePace(site: SitePace): boolean {
		const before = this.delay;
		this.#site = site;
		this.#keep();
		return this.delay !== before;
	}

	/** The host is this machine: no other operator is affected. */
	setLoopback(): void {
		if (this.#loopback) return;
		this.#loopback = true;
		// A delay set before the host was known as loopback ends, unless the host asked for it.
		this.host.nextAt = 0;
		this.#keep();
	}

	/** The clock stored with the host, which goes with it to the next worker. */
	#keep(): void {
		this.host.delay = this.delay;
		this.host.nextAt = Math.max(this.host.nextAt, this.readyAt === Number.NEGATIVE_INFINITY ? 0 : this.readyAt);
	}

	#delay(): [milliseconds: number, why: WaitReason] {
		const { delay } = this.#pace;
		const usual = this.own ? delay : Math.max(delay, leastForeignDelay);
		const byDelay = (this.#site.crawlDelay ?? 0) * 1000;
		const byRate = this.#site.rate === undefined ? 0 : 60_000 / this.#site.rate;
		if (byDelay > usual && byDelay >= byRate) return [byDelay, 'crawl-delay'];
		return byRate > usual ? [byRate, 'rate'] : [usual, 'cooldown'];
	}
}

/**
 * Why a request is not scheduled: the crawl stops, the host wants a longer pause than the crawler waits, or another
 * process holds the host.
 */
export type NotScheduled = 'stopped' | 'too-long' | 'held';
