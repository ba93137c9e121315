import type { WaitReason } from '../events.ts';
import type { HostRecord } from '../store/types.ts';

/** The pace of foreign sites is never faster (AIWebIndex 2.0 §6.2). */
export const leastForeignDelay = 2000;

export interface Pace {
	/** Milliseconds between two requests that the user wants. */
	readonly delay: number;
	/** The host was vouched for as the user's own. */
	readonly own: boolean;
	/** Requests at a time where nothing has to lie between them. */
	readonly connections: number;
}

/** What the site wants: the slowest wins (AMB-08). */
export interface SitePace {
	/** Seconds. */
	readonly crawlDelay?: number | undefined;
	/** Requests per minute. */
	readonly rate?: number | undefined;
}

/**
 * The politeness towards one host, all of it: one request at a time, the cooldown from the end of one to the start of
 * the next (AMB-35), the longer delays that the site wants, and the pauses it asks for.
 */
export class HostSlot {
	readonly host: HostRecord;
	readonly #pace: Pace;
	#site: SitePace = {};
	#loopback = false;
	#busy = 0;
	#lastEnd: number;
	#pause: { until: number; why: WaitReason } | undefined;

	constructor(host: HostRecord, pace: Pace) {
		this.host = host;
		this.#pace = pace;
		// The longer delay that a site turns out to want counts from there too: it may be another process that has asked.
		this.#lastEnd = host.nextAt > 0 ? host.nextAt - (host.delay ?? 0) : Number.NEGATIVE_INFINITY;
	}

	/** Whether the host is the user's own, or on this machine. */
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

	/** Requests that may be in flight at a time: one, where anything has to lie between two of them (AMB-35). */
	get connections(): number {
		return this.delay === 0 ? this.#pace.connections : 1;
	}

	/** Whether another request may be in flight, as far as their number goes. */
	get free(): boolean {
		return this.#busy < this.connections;
	}

	/** The first moment at which a request may start; milliseconds since 1970. */
	get readyAt(): number {
		return Math.max(this.#lastEnd + this.delay, this.host.nextAt, this.#pause?.until ?? 0);
	}

	/** What the host waits for, if it does. */
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

	/** Takes over what the site says about its pace; returns whether that has changed the delay. */
	setSitePace(site: SitePace): boolean {
		const before = this.delay;
		this.#site = site;
		this.#keep();
		return this.delay !== before;
	}

	/** The host answered from this machine: nobody else is there to be disturbed. */
	setLoopback(): void {
		if (this.#loopback) return;
		this.#loopback = true;
		// What a loopback host was due before it was known as one is not kept up, unless it asked for it.
		this.host.nextAt = 0;
		this.#keep();
	}

	/** The clock that is stored with the host and goes with it to whoever takes it next. */
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
