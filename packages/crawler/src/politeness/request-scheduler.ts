import type { Clock } from '../base/clock.ts';
import { Heap } from './heap.ts';
import type { HostSlot, NotScheduled } from './host-slot.ts';

/** The right to send one request to one host. `end` must be called when the response is complete. */
export interface RequestLease {
	/** Aborted when the response is no longer needed: the crawl is stopping, and the response is slow. */
	readonly signal: AbortSignal;
	end(): void;
}

type Waiter = (turn: RequestLease | NotScheduled) => void;

/** Milliseconds after which a response counts as slow and its slot goes to another host. */
const slowAfter = 5000;
/** Slow responses at a time, as a multiple of the slots; further ones keep their slots. */
const slowPerPlace = 4;

interface Queue {
	readonly slot: HostSlot;
	readonly waiters: Waiter[];
	/** The entry of the heap that counts; older ones are passed over. */
	entry: number;
}

/**
 * Schedules requests: hosts in the order in which their pace allows it, and no more at a time than there are permits.
 * A heap of hosts by time and one timer for the first of them: nothing polls, and a host that waits costs nothing.
 */
export class RequestScheduler {
	readonly #clock: Clock;
	readonly #heap = new Heap<{ queue: Queue; entry: number }>();
	readonly #queues = new Map<HostSlot, Queue>();
	readonly #patience: number;
	#permits: number;
	readonly #maxSlow: number;
	/** Requests that have given up their slots. */
	readonly #slow = new Set<AbortController>();
	#timer: { at: number; cancel: AbortController } | undefined;
	#held = false;
	#stopped = false;

	/** @param patience milliseconds; a host that wants a longer pause gets no request scheduled */
	constructor(clock: Clock, permits: number, patience: number = Number.POSITIVE_INFINITY) {
		this.#clock = clock;
		this.#permits = permits;
		this.#maxSlow = slowPerPlace * permits;
		this.#patience = patience;
	}

	/** Waits until the next request to a host may start; ends with `stopped` when `signal` is aborted. */
	take(slot: HostSlot, signal?: AbortSignal): Promise<RequestLease | NotScheduled> {
		if (this.#stopped || signal?.aborted) return Promise.resolve('stopped');
		return new Promise((resolve) => {
			signal?.addEventListener('abort', () => this.#leave(slot, resolve), { once: true });
			let queue = this.#queues.get(slot);
			if (queue === undefined) {
				queue = { slot, waiters: [], entry: 0 };
				this.#queues.set(slot, queue);
			}
			queue.waiters.push(resolve);
			if (queue.waiters.length === 1) this.#enter(queue);
			this.#pump();
		});
	}

	/** To be called when a host may go earlier than before. */
	hasten(slot: HostSlot): void {
		const queue = this.#queues.get(slot);
		if (queue === undefined) return;
		this.#enter(queue);
		this.#pump();
	}

	/** Starts no request while the pages fetched so far wait to be read. */
	hold(held: boolean): void {
		this.#held = held;
		this.#pump();
	}

	get held(): boolean {
		return this.#held;
	}

	/** Whether no further request starts. */
	get stopped(): boolean {
		return this.#stopped;
	}

	/** Requests that could begin now if any host were ready. */
	get free(): number {
		return this.#stopped || this.#held ? 0 : this.#permits;
	}

	/** Hosts that could be asked now but for the number of requests at a time, and that nothing is asked of. */
	starving(): HostSlot[] {
		if (this.#permits > 0) return [];
		const now = this.#clock.now();
		return [...this.#queues.keys()].filter((slot) => slot.busy === 0 && slot.readyAt <= now);
	}

	/** Ends all waits for this host without a request. */
	dismiss(slot: HostSlot): void {
		const queue = this.#queues.get(slot);
		if (queue !== undefined) this.#dismiss(queue, 'stopped');
	}

	/** Starts no further request and ends all waits. The owners of running requests wait for them. */
	stop(): void {
		this.#stopped = true;
		this.#timer?.cancel.abort();
		for (const queue of [...this.#queues.values()]) this.#dismiss(queue, 'stopped');
		for (const turn of this.#slow) turn.abort();
	}

	#leave(slot: HostSlot, waiter: Waiter): void {
		const queue = this.#queues.get(slot);
		const at = queue?.waiters.indexOf(waiter) ?? -1;
		if (queue === undefined || at === -1) return;
		queue.waiters.splice(at, 1);
		if (queue.waiters.length === 0) this.#queues.delete(slot);
		waiter('stopped');
	}

	#dismiss(queue: Queue, why: NotScheduled): void {
		this.#queues.delete(queue.slot);
		for (const resolve of queue.waiters.splice(0)) resolve(why);
	}

	#enter(queue: Queue): void {
		if (queue.waiters.length === 0 || !queue.slot.free) return;
		queue.entry++;
		const at = queue.slot.readyAt;
		if (at - this.#clock.now() > Math.max(this.#patience, queue.slot.delay)) this.#dismiss(queue, 'too-long');
		else this.#heap.push(at, { queue, entry: queue.entry });
	}

	#pump(): void {
		if (this.#held) return;
		const now = this.#clock.now();
		while (!this.#stopped && this.#permits > 0 && this.#heap.first !== undefined && this.#heap.first <= now) {
			const next = this.#heap.pop();
			if (next === undefined) break;
			const { queue, entry } = next;
			if (entry !== queue.entry) continue;
			// The host may have been paused since it was put in.
			if (queue.slot.readyAt > now || !queue.slot.free) this.#enter(queue);
			else this.#grant(queue);
		}
		if (this.#permits > 0) this.#arm();
	}

	#grant(queue: Queue): void {
		const resolve = queue.waiters.shift();
		if (resolve === undefined) return;
		const { slot } = queue;
		slot.begin();
		this.#permits--;
		if (queue.waiters.length === 0) this.#queues.delete(slot);
		else this.#enter(queue);
		const turn = new AbortController();
		const timer = setTimeout(() => this.#leavePlace(turn), slowAfter).unref();
		resolve({
			signal: turn.signal,
			end: () => {
				clearTimeout(timer);
				slot.end(this.#clock.now());
				if (!this.#slow.delete(turn)) this.#permits++;
				this.hasten(slot);
				this.#pump();
			},
		});
	}

	/** A slow response neither holds a slot that other hosts could use nor delays the end of the crawl. */
	#leavePlace(turn: AbortController): void {
		if (this.#stopped) turn.abort();
		if (this.#stopped || this.#slow.size >= this.#maxSlow) return;
		this.#slow.add(turn);
		this.#permits++;
		this.#pump();
	}

	/** One timer for the host that is ready first. */
	#arm(): void {
		const at = this.#heap.first;
		if (this.#stopped || at === undefined || (this.#timer !== undefined && this.#timer.at <= at)) return;
		this.#timer?.cancel.abort();
		const timer = { at, cancel: new AbortController() };
		this.#timer = timer;
		void this.#clock.sleep(Math.max(0, at - this.#clock.now()), timer.cancel.signal).then(() => {
			if (this.#timer !== timer) return;
			this.#timer = undefined;
			this.#pump();
		});
	}
}
