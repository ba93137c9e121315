/** One piece of work that waits for its turn. */
export interface Entry {
	/** Takes it out of the queue; without effect once it has begun. */
	cancel(): void;
}

export interface FairQueueOptions {
	/** Pieces of work at a time. */
	readonly inFlight: number;
	/** Pieces of work of one caller at a time. */
	readonly perCaller: number;
	/** Pieces of work at a time for one host. Default 1: the crawler sends one request at a time anyway. */
	readonly perHost?: (host: string) => number;
}

interface Work {
	readonly caller: Caller;
	readonly host: Host;
	readonly start: () => Promise<unknown>;
}

class Caller {
	readonly id: string;
	busy = 0;
	waiting = 0;
	/** Hosts that are free, and for which this caller waits. */
	readonly ready = new Set<Host>();

	constructor(id: string) {
		this.id = id;
	}
}

class Host {
	readonly name: string;
	readonly width: number;
	busy = 0;
	/** By caller, those first whose turn is longest ago. */
	readonly waiting = new Map<Caller, Set<Work>>();

	constructor(name: string, width: number) {
		this.name = name;
		this.width = width;
	}
}

/**
 * Gives turns to callers one after the other, whatever the number of things each of them wants: a thousand pages for
 * one caller do not keep another one's page waiting, nor does a host that is slow keep the others. Every step costs as
 * much as there are callers that wait for the same host.
 */
export class FairQueue {
	readonly #options: FairQueueOptions;
	readonly #callers = new Map<string, Caller>();
	readonly #hosts = new Map<string, Host>();
	/** Callers that could be served now, in the order of their turns. */
	readonly #ring = new Set<Caller>();
	#busy = 0;

	constructor(options: FairQueueOptions) {
		this.#options = options;
	}

	/** Work that has begun. */
	get busy(): number {
		return this.#busy;
	}

	/** Work that waits. */
	get waiting(): number {
		let sum = 0;
		for (const { waiting } of this.#callers.values()) sum += waiting;
		return sum;
	}

	/** Queues work for a host in the name of a caller. `start` is called once, when its turn has come. */
	enter(callerId: string, hostName: string, start: () => Promise<unknown>): Entry {
		const caller = this.#caller(callerId);
		const host = this.#host(hostName);
		const work: Work = { caller, host, start };
		const queue = host.waiting.get(caller);
		if (queue === undefined) host.waiting.set(caller, new Set([work]));
		else queue.add(work);
		caller.waiting++;
		if (host.busy < host.width) this.#ready(caller, host);
		this.#pump();
		return { cancel: () => this.#remove(work) };
	}

	#caller(id: string): Caller {
		const caller = this.#callers.get(id) ?? new Caller(id);
		this.#callers.set(id, caller);
		return caller;
	}

	#host(name: string): Host {
		const host = this.#hosts.get(name) ?? new Host(name, this.#options.perHost?.(name) ?? 1);
		this.#hosts.set(name, host);
		return host;
	}

	#ready(caller: Caller, host: Host): void {
		caller.ready.add(host);
		if (caller.busy < this.#options.perCaller) this.#ring.add(caller);
	}

	#pump(): void {
		while (this.#busy < this.#options.inFlight) {
			const [caller] = this.#ring;
			if (caller === undefined) return;
			const [host] = caller.ready;
			const [work] = host?.waiting.get(caller) ?? [];
			if (work === undefined) throw new Error('a caller on the ring has no work that can begin');
			this.#begin(work);
		}
	}

	#begin(work: Work): void {
		const { caller, host } = work;
		// Before it is taken out of the queue: who is busy is not forgotten.
		this.#busy++;
		caller.busy++;
		host.busy++;
		this.#remove(work);
		if (host.busy >= host.width) for (const other of host.waiting.keys()) this.#notReady(other, host);
		// To the end of both queues.
		this.#ring.delete(caller);
		if (caller.ready.size > 0 && caller.busy < this.#options.perCaller) this.#ring.add(caller);
		const rest = host.waiting.get(caller);
		if (rest !== undefined) {
			host.waiting.delete(caller);
			host.waiting.set(caller, rest);
		}
		const end = () => this.#end(work);
		work.start().then(end, end);
	}

	#end({ caller, host }: Work): void {
		this.#busy--;
		caller.busy--;
		host.busy--;
		for (const other of host.waiting.keys()) this.#ready(other, host);
		if (caller.ready.size > 0) this.#ring.add(caller);
		this.#forget(caller, host);
		this.#pump();
	}

	#notReady(caller: Caller, host: Host): void {
		caller.ready.delete(host);
		if (caller.ready.size === 0) this.#ring.delete(caller);
	}

	#remove(work: Work): void {
		const { caller, host } = work;
		const queue = host.waiting.get(caller);
		if (queue?.delete(work) !== true) return;
		caller.waiting--;
		if (queue.size > 0) return;
		host.waiting.delete(caller);
		this.#notReady(caller, host);
		this.#forget(caller, host);
	}

	/** Nothing is remembered of who has nothing here. */
	#forget(caller: Caller, host: Host): void {
		if (caller.busy === 0 && caller.waiting === 0) this.#callers.delete(caller.id);
		if (host.busy === 0 && host.waiting.size === 0) this.#hosts.delete(host.name);
	}
}
