import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { HostRecord, Leases } from '../store/roles/leases.ts';
import { HostSlot, type Pace } from './host-slot.ts';

/** Milliseconds between two tries to get a host that another process has, and how many of them there are. */
const tryAgain = 250;
const maxTries = 8;

interface Held {
	readonly slot: HostSlot;
	holders: number;
}

/**
 * The hosts that this process holds. Every sender of a request holds the host meanwhile: the loop that visits its URLs,
 * a redirect that leads there, a policy file of another host. The last one to let go gives it back to the store.
 */
export class Hosts {
	readonly #leases: Leases;
	readonly #paceOf: (name: string) => Pace;
	readonly #clock: Clock | undefined;
	readonly #held = new Map<string, Held>();
	/** Hosts that are being claimed or given back: they cannot be claimed in between. */
	readonly #moving = new Map<string, Promise<unknown>>();
	/** The last claim of hosts for their own URLs, which names them only when it is over. */
	#claiming: Promise<unknown> = Promise.resolve();

	constructor(leases: Leases, paceOf: (name: string) => Pace, clock?: Clock) {
		this.#leases = leases;
		this.#paceOf = paceOf;
		this.#clock = clock;
	}

	/** The slot of a host that is held already, without holding it. */
	peek(name: string): HostSlot | undefined {
		return this.#held.get(name)?.slot;
	}

	/**
	 * Holds a host; undefined when another process does.
	 *
	 * @param forFile whether it is not for a visit
	 */
	async hold(name: string, forFile = false): Promise<HostSlot | undefined> {
		for (let moving = this.#moving.get(name); moving !== undefined; moving = this.#moving.get(name)) await moving;
		const held = this.#held.get(name);
		if (held !== undefined) {
			if (held.slot.host.guest && !forFile) return undefined;
			held.holders++;
			return held.slot;
		}
		return this.#move(name, this.#claim(name, forFile));
	}

	/** The same for requests other than visits: the holder of the host may be done with it soon. */
	async holdSoon(name: string): Promise<HostSlot | undefined> {
		for (let tries = maxTries; ; tries--) {
			const slot = await this.hold(name, true);
			if (slot !== undefined || tries === 0 || !this.#leases.shared) return slot;
			await sleep(tryAgain);
		}
	}

	/** Holds up to `limit` hosts that have URLs waiting. */
	async claimWaiting(limit: number, except: readonly number[]): Promise<HostSlot[]> {
		const claiming = this.#leases.claimHosts(limit, except).then((hosts) => hosts.map((host) => this.#adopt(host)));
		this.#claiming = claiming.catch(() => {});
		return claiming;
	}

	/** Held before its move is over, so that waiting callers find it. */
	async #claim(name: string, forFile: boolean): Promise<HostSlot | undefined> {
		const host = await this.#leases.claimHost(name, forFile);
		if (host !== undefined) return this.#adopt(host);
		// Its holder may be this process, whose claim is not yet confirmed.
		await this.#claiming;
		const held = this.#held.get(name);
		if (held !== undefined) held.holders++;
		return held?.slot;
	}

	#adopt(host: HostRecord): HostSlot {
		const slot = new HostSlot(host, this.#paceOf(host.name), this.#clock?.now());
		this.#held.set(host.name, { slot, holders: 1 });
		return slot;
	}

	async release(slot: HostSlot): Promise<void> {
		const { name } = slot.host;
		const held = this.#held.get(name);
		if (held === undefined || --held.holders > 0) return;
		this.#held.delete(name);
		await this.#move(name, this.#leases.releaseHost(slot.host));
	}

	async #move<Value>(name: string, work: Promise<Value>): Promise<Value> {
		this.#moving.set(name, work);
		try {
			return await work;
		} finally {
			this.#moving.delete(name);
		}
	}
}
