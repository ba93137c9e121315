import type { Batch, Committed } from '../roles/commit.ts';
import type { Frontier, RunRequest, RunState } from '../roles/frontier.ts';
import type { HostRecord, Leases } from '../roles/leases.ts';
import type { ForgetTarget, Forgotten, Pruned, PruneOptions } from '../roles/pages.ts';
import type { Store } from '../roles/store.ts';
import type { MemberGroup, OpenMember } from './open-member.ts';

/** A guest in one crawl, and the host of another database that it stands for. */
interface Guest {
	readonly owner: OpenMember;
	readonly record: HostRecord;
}

/**
 * The store of the hosts of one database, for the crawl of these hosts. What belongs to other databases goes there: the
 * clocks of hosts that only a file is wanted from, and places for documents, which the first database counts.
 */
export class MemberStore implements Store {
	readonly frontier: Frontier;
	readonly leases: Leases;
	readonly pages: Store['pages'];
	readonly policies: Store['policies'];
	readonly outputs: NonNullable<Store['outputs']>;
	readonly changes: Store['changes'];
	readonly #member: OpenMember;
	readonly #group: MemberGroup;
	readonly #guests = new Map<number, Guest>();
	#lastGuest = 0;
	/** Places for documents that this crawl holds in the first database; undefined without a limit. */
	#limit: number | undefined;
	#returning: Promise<unknown> = Promise.resolve();

	constructor(member: OpenMember, group: MemberGroup) {
		this.#member = member;
		this.#group = group;
		const { frontier, pages, policies, outputs, changes } = member.sql;
		this.pages = pages;
		this.policies = policies;
		this.outputs = outputs;
		this.changes = changes;
		this.frontier = {
			...frontier,
			unfinished: async () => (await frontier.unfinished()) || !(await this.#group.isQuiet()),
			offer: async (urls) => {
				const added = await frontier.offer(urls);
				this.#group.notify(this.#member);
				return added;
			},
		};
		this.leases = this.#leases();
	}

	/** Begins as the first database has begun, so that all are refreshed or none. */
	async begin(request: RunRequest): Promise<RunState> {
		const isFirst = this.#group.members[0] === this.#member;
		const first = isFirst ? undefined : await this.#group.firstRun();
		return this.#group.begin(
			this.#member,
			this.#member.sql.begin({
				...request,
				seeds: request.seeds.filter(({ host }) => this.#group.owns(this.#member, host)),
				...(first ? { following: first.mode } : { waitsElsewhere: await this.#group.isLeft() }),
			}),
		);
	}

	async commit(batch: Batch): Promise<Committed> {
		const committed = await this.#member.sql.commit(batch);
		this.#group.notify(this.#member);
		const documents = batch.visits.filter(({ document }) => document).length;
		if (documents > 0) this.#returnPlaces(documents);
		return committed;
	}

	/** The documents are counted where they are: their places in the first database are free. */
	#returnPlaces(count: number): void {
		const [first] = this.#group.members;
		const limit = this.#limit;
		if (limit === undefined || first === undefined || first === this.#member) return;
		this.#returning = this.#returning.then(() => first.sql.leases.reserve(limit, -count)).catch(() => {});
	}

	async end(complete: boolean, at: number): Promise<void> {
		await this.#returning;
		await this.#member.sql.end(complete, at);
	}

	prune(options: PruneOptions): Promise<Pruned> {
		return this.#member.sql.prune(options);
	}

	forget(target: ForgetTarget): Promise<Forgotten> {
		return this.#member.sql.forget(target);
	}

	remember(target: ForgetTarget): Promise<boolean> {
		return this.#member.sql.remember(target);
	}

	/** The group closes its databases. */
	async close(): Promise<void> {}

	#leases(): Leases {
		const { leases } = this.#member.sql;
		return {
			shared: true,
			recover: (at, onFreed) => leases.recover(at, onFreed),
			assure: () => leases.assure(),
			claimHosts: (limit, except) => leases.claimHosts(limit, except),
			claimHost: (name, forFile = false) => this.#claimHost(name, forFile),
			releaseHost: (host) => this.#releaseHost(host),
			wanted: () => leases.wanted(),
			reserve: (most, wanted) => this.#reserve(most, wanted),
			activeWorkers: () => leases.activeWorkers(),
			stateOf: (host) => leases.stateOf(host),
			waitingHosts: (limit) => leases.waitingHosts(limit),
		};
	}

	/** Redirects to hosts of another database are followed there. */
	async #claimHost(name: string, forFile: boolean): Promise<HostRecord | undefined> {
		const owner = this.#group.elsewhere(this.#member, name);
		if (owner === undefined) return this.#member.sql.leases.claimHost(name);
		const record = forFile ? await owner.sql.leases.claimHost(name) : undefined;
		if (record === undefined) return undefined;
		const id = --this.#lastGuest;
		this.#guests.set(id, { owner, record });
		return { ...record, id, guest: true };
	}

	async #releaseHost(host: HostRecord): Promise<void> {
		const guest = this.#guests.get(host.id);
		if (guest === undefined) return this.#member.sql.leases.releaseHost(host);
		this.#guests.delete(host.id);
		await guest.owner.sql.leases.releaseHost({ ...host, id: guest.record.id });
	}

	/** The first database has the places of all. */
	async #reserve(most: number, wanted: number): Promise<{ readonly granted: number; readonly exhausted: boolean }> {
		const [first] = this.#group.members;
		if (first === undefined) return { granted: 0, exhausted: true };
		this.#limit = most;
		await this.#group.allBegan();
		await this.#returning;
		const elsewhere = wanted > 0 ? () => this.#group.broughtElsewhere() : undefined;
		return first.sql.leases.reserve(most, wanted, elsewhere);
	}
}
