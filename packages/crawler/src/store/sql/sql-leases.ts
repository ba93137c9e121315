import { activeWorkers, hostState, waitingHosts } from '../fleet/host-state.ts';
import { Watch } from '../fleet/watch.ts';
import { forgetOutages } from '../policies/policy-files.ts';
import type { HostRecord, HostState, Leases, LeasesReader, WaitingHost } from '../roles/leases.ts';
import type { ReadAccess } from '../schema/access.ts';
import type { StoreSession } from './session.ts';

export function leasesReader(reading: ReadAccess): LeasesReader {
	const { dialect } = reading;
	return {
		activeWorkers: async () => (await reading.read((db) => activeWorkers(db, dialect))).size,
		stateOf: (host) => reading.read((db) => hostState(db, dialect, host)),
		waitingHosts: (limit) => reading.read((db) => waitingHosts(db, dialect, limit)),
	};
}

/** Whether what a worker said that it wants is true enough: then it is not written again. */
export const isNear = (wants: number, limit: number): boolean => wants <= 2 * limit && limit <= 2 * wants;

/** Hosts and the workers that hold them, in an SQL database. */
export class SqlLeases implements Leases {
	readonly shared: boolean;
	readonly #session: StoreSession;
	readonly #reader: LeasesReader;
	readonly #watch: Watch;
	/** Called when hosts of other workers may be free; undefined before `recover`. */
	#onFreed: (() => void) | undefined;
	/** Hosts that the row of this worker says it wants. */
	#wants = 0;

	constructor(session: StoreSession) {
		const { dialect, workers, lease, pace } = session;
		this.shared = dialect.shared;
		this.#session = session;
		this.#reader = leasesReader(session);
		this.#watch = new Watch(lease, {
			observe: () => session.read((db) => workers.observe(db)),
			takeOver: () => this.#takeOver(pace()),
			onFreed: () => this.#onFreed?.(),
			wake: () => session.wakeAll(),
		});
	}

	async recover(at: number, onFreed: () => void = () => {}): Promise<void> {
		const { dialect, workers } = this.#session;
		this.#session.run = 0;
		this.#wants = 0;
		await this.#session.awaitOthers();
		if (await this.#takeOver(at)) await this.#session.wakeAll();
		await this.#session.write(async (tx) => {
			await dialect.lookAtAll(tx);
			if ((await workers.others(tx)) === 0) await forgetOutages(tx);
		});
		if (!this.shared) return;
		this.#onFreed = onFreed;
		await this.beat();
	}

	/** Renews the lease, and finds out when that of the others expires. */
	async beat(): Promise<void> {
		const others = await this.#session.write((tx) => this.#session.workers.observe(tx));
		if (this.#onFreed !== undefined) this.#watch.see(others);
	}

	#takeOver(at: number): Promise<boolean> {
		return this.#session.write((tx, worker) => this.#session.workers.takeOver(tx, worker, at));
	}

	assure(): Promise<AbortSignal | undefined> {
		return this.#session.assure();
	}

	async claimHosts(limit: number, except: readonly number[] = []): Promise<HostRecord[]> {
		const { hosts, workers, held } = this.#session;
		if (await this.#looksInVain(limit, except)) return [];
		let wants = 0;
		const claimed = await this.#session.write(async (tx, worker) => {
			const records = await hosts.claim(tx, worker, limit, except);
			wants = records.length === 0 ? limit : 0;
			if (this.shared) await workers.want(tx, worker, wants);
			return records;
		});
		this.#wants = wants;
		for (const { id } of claimed) held.add(id);
		return claimed;
	}

	/** A worker that has said that it wants hosts asks for them only when there are any: one statement, which writes nothing. */
	async #looksInVain(limit: number, except: readonly number[]): Promise<boolean> {
		const { hosts, isLost } = this.#session;
		if (!this.shared || isLost || !isNear(this.#wants, limit)) return false;
		return !(await this.#session.read((db) => hosts.anyWaits(db, except)));
	}

	async claimHost(name: string): Promise<HostRecord | undefined> {
		const { ids, hosts, held } = this.#session;
		const id = await this.#session.read((db) => ids.host(db, name));
		const host = await this.#session.write((tx, worker) => hosts.claimOne(tx, worker, id));
		if (host !== undefined) held.add(id);
		return host;
	}

	async releaseHost(host: HostRecord): Promise<void> {
		const { hosts, held } = this.#session;
		// Before the write: by the time its response is here, the host may have been claimed again.
		held.delete(host.id);
		await this.#session.write((tx, worker) => hosts.release(tx, worker, host));
		if (this.shared) await this.#session.wake([host.id]);
	}

	async wanted(): Promise<number> {
		return this.shared ? this.#session.read((db) => this.#session.workers.wanted(db)) : 0;
	}

	/** @param elsewhere documents in other databases of the crawl */
	reserve(
		most: number,
		wanted: number,
		elsewhere?: () => Promise<number>,
	): Promise<{ granted: number; exhausted: boolean }> {
		const { workers, run } = this.#session;
		return this.#session.write((tx, worker) => workers.reserve(tx, worker, { run, most, wanted, elsewhere }));
	}

	activeWorkers(): Promise<number> {
		return this.#reader.activeWorkers();
	}

	stateOf(host: string): Promise<HostState | undefined> {
		return this.#reader.stateOf(host);
	}

	waitingHosts(limit: number): Promise<WaitingHost[]> {
		return this.#reader.waitingHosts(limit);
	}

	stop(): Promise<void> {
		return this.#watch.stop();
	}
}
