import { placeBelow } from '@wayleave/io/objects';
import { databaseName } from '@wayleave/io/sql';
import type { Neighbours } from '../frontier/outbox.ts';
import type { RunState } from '../roles/frontier.ts';
import type { Store, StoreOptions, StoreTrouble } from '../roles/store.ts';
import { openSqlStore } from '../sql/open.ts';
import type { SqlStore } from '../sql/sql-store.ts';
import { Courier } from './courier.ts';
import { databaseFolder } from './database-folder.ts';
import { HostGroups } from './host-groups.ts';
import { MemberStore } from './member-store.ts';
import type { MemberGroup, OpenMember } from './open-member.ts';
import { registerMembers } from './register.ts';

/** The databases of one crawl: each has the URLs of its hosts, and a crawl of its own, which work as one. */
export class StoreGroup implements MemberGroup {
	readonly members: readonly OpenMember[];
	/** For the crawls, in the same order. */
	readonly stores: readonly Store[];
	readonly #groups: HostGroups;
	readonly #couriers = new Map<string, Courier>();
	readonly #began = new Map<string, PromiseWithState>();

	private constructor(members: readonly OpenMember[], groups: HostGroups) {
		this.members = members;
		this.#groups = groups;
		for (const { id, sql } of members) {
			this.#began.set(id, promiseWithState());
			const memberOf = (target: string) => members.find((each) => each.id === target)?.sql.member;
			this.#couriers.set(id, new Courier({ from: sql.member, memberOf }));
		}
		this.stores = members.map((member) => new MemberStore(member, this));
	}

	/**
	 * @param onTrouble with the server of one of them
	 * @throws CrawlError `store-unreadable` where they are not the databases of one crawl
	 */
	static async open(urls: readonly string[], options: StoreOptions): Promise<StoreGroup> {
		let groups: HostGroups | undefined;
		const ids: string[] = [];
		const opened: { readonly url: string; readonly sql: SqlStore; id: string }[] = [];
		try {
			for (const url of urls) {
				const entry = { url, id: '' };
				const neighbours: Neighbours = {
					elsewhere: (host) => {
						const owner = groups?.ownerOf(host);
						return owner === entry.id ? undefined : owner;
					},
					ids: () => ids.filter((id) => id !== entry.id),
				};
				const onTrouble = options.onTrouble && troubleOf(url, options.onTrouble);
				const own = { ...options, neighbours, documentsLater: true, ...(onTrouble && { onTrouble }) };
				const sql = await openSqlStore(url, own);
				opened.push(Object.assign(entry, { sql }));
			}
			const registered = await registerMembers(opened.map((each) => candidateOf(each)));
			ids.push(...registered.map(({ id }) => id));
			groups = new HostGroups(ids);
			const members = registered.map(({ id, candidate: { entry } }) => Object.assign(entry, { id }));
			await openDocuments(members, options);
			return new StoreGroup(members, groups);
		} catch (error) {
			for (const { sql } of opened) await sql.close();
			throw error;
		}
	}

	elsewhere(from: OpenMember, host: string): OpenMember | undefined {
		const owner = this.#groups.ownerOf(host);
		return owner === from.id ? undefined : this.members.find(({ id }) => id === owner);
	}

	owns({ id }: OpenMember, host: string): boolean {
		return this.#groups.ownerOf(host) === id;
	}

	begin({ id }: OpenMember, beginning: Promise<RunState>): Promise<RunState> {
		const began = this.#began.get(id);
		beginning.then(began?.resolve, began?.reject);
		return beginning;
	}

	async firstRun(): Promise<RunState | undefined> {
		const [first] = this.members;
		return first && this.#began.get(first.id)?.promise;
	}

	async allBegan(): Promise<void> {
		await Promise.all([...this.#began.values()].map(({ promise }) => promise));
	}

	notify({ id }: OpenMember): void {
		this.#couriers.get(id)?.notify();
	}

	async isLeft(): Promise<boolean> {
		const left = await Promise.all(this.members.map(({ sql }) => sql.member.isLeft().catch(() => true)));
		return left.includes(true);
	}

	/**
	 * Whether no database has anything to do. They are asked twice: one that was idle both times, and has received nothing
	 * between, was idle at the moment between the two rounds, as were all others.
	 */
	async isQuiet(): Promise<boolean> {
		const before = await this.#activities();
		if (before === undefined) return false;
		const after = await this.#activities();
		return after?.every((received, at) => received === before[at]) === true;
	}

	/** How many deliveries each database has received; undefined unless all are idle. */
	async #activities(): Promise<number[] | undefined> {
		const received: number[] = [];
		for (const { sql } of this.members) {
			const activity = await sql.member.activity().catch(() => undefined);
			if (activity === undefined || activity.waits) return undefined;
			received.push(activity.received);
		}
		return received;
	}

	async broughtElsewhere(): Promise<number> {
		const counts = await Promise.all(this.members.slice(1).map(({ sql }) => sql.member.brought()));
		return counts.reduce((sum, count) => sum + count, 0);
	}

	/** Ends all deliveries and closes the databases; one that is away does not keep the others. */
	async close(): Promise<void> {
		for (const courier of this.#couriers.values()) await courier.stop();
		await Promise.all(this.members.map(({ sql }) => sql.close()));
	}
}

/** Each database has its documents in a folder of its own, so that it collects no others. */
async function openDocuments(members: readonly OpenMember[], options: StoreOptions): Promise<void> {
	const { documents: place } = options;
	for (const [at, { sql }] of members.entries())
		await sql.openDocuments({
			...options,
			...(place !== undefined && { documents: placeBelow(place, databaseFolder(at)) }),
		});
}

interface PromiseWithState {
	readonly promise: Promise<RunState>;
	readonly resolve: (state: RunState) => void;
	readonly reject: (error: unknown) => void;
}

function promiseWithState(): PromiseWithState {
	let resolve: (state: RunState) => void = () => {};
	let reject: (error: unknown) => void = () => {};
	const promise = new Promise<RunState>((...both) => {
		[resolve, reject] = both;
	});
	promise.catch(() => {}); // the run itself reports it
	return { promise, resolve, reject };
}

function candidateOf(entry: { readonly url: string; readonly sql: SqlStore; id: string }) {
	const { member } = entry.sql;
	return {
		entry,
		url: entry.url,
		record: () => member.record(),
		isUsed: () => member.isUsed(),
		register: member.register.bind(member),
	};
}

/** Several servers: the message says which, and what waits for it. */
const troubleOf = (url: string, tell: (trouble: StoreTrouble) => void) => (trouble: StoreTrouble) => {
	const name = databaseName(url);
	const detail =
		trouble.state === 'lost'
			? `${trouble.detail}; links to its hosts wait in the other databases`
			: `${trouble.detail} (${name})`;
	tell({ ...trouble, detail });
};
