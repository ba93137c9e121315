import type { Ending } from '../../packages/crawler/src/model/outcome.ts';
import { afterCheck } from '../../packages/crawler/src/model/revisit.ts';
import { Heap } from '../../packages/crawler/src/politeness/heap.ts';
import { HostGroups } from '../../packages/crawler/src/store/groups/host-groups.ts';
import type { Batch, Committed, Visit } from '../../packages/crawler/src/store/roles/commit.ts';
import type {
	EndWhere,
	Frontier,
	FrontierUrl,
	NewUrl,
	RunRecord,
} from '../../packages/crawler/src/store/roles/frontier.ts';
import type { HostRecord } from '../../packages/crawler/src/store/roles/leases.ts';
import type { PolicyFile } from '../../packages/crawler/src/store/roles/policies.ts';
import type { Store } from '../../packages/crawler/src/store/roles/store.ts';
import { isNear } from '../../packages/crawler/src/store/sql/sql-leases.ts';
import { Histories } from './histories.ts';
import type { SimulatedWeb } from './web.ts';

const unknown = 0;
const waiting = 1;
const ended = 2;

/** Calls that a shared database would get. */
export interface StoreCalls {
	/** Commits, and the visits in them. */
	commits: number;
	visits: number;
	/** Links that were looked up. */
	links: number;
	/** Links to hosts of another database, which go there by an outbox; and commits that have any. */
	handed: number;
	outboxes: number;
	/** Claims of hosts, and those that found none. */
	claims: number;
	emptyClaims: number;
	/** Looks by workers that had found none before, which found none again. */
	looks: number;
	/** Hosts that changed hands. */
	hosts: number;
	/** Reads of the frontier, of policy files and of pages. */
	reads: number;
	writes: number;
}

interface HostState {
	readonly record: HostRecord;
	readonly database: number;
	/** Number of the worker that holds it. */
	holder: number | undefined;
	/** Pages in the order found; those before `head` have ended. */
	readonly queue: number[];
	head: number;
	waiting: number;
	/** Entry of the heap that counts. */
	entry: number;
}

/** One of the databases that hosts are divided among. */
interface Database {
	readonly ready: Heap<{ host: HostState; entry: number }>;
	/** Workers that wait for a host. */
	readonly sleeping: Set<() => void>;
	hosts: number;
	urls: number;
	commits: number;
}

/** How much of a crawl a database has. */
export type DatabaseShare = Pick<Database, 'hosts' | 'urls' | 'commits'>;

interface StoreOptions {
	/** For crawls that look at pages again. */
	readonly keepsHistory?: boolean;
	/** Default 1. */
	readonly databases?: number;
}

/** A link by the number of its page; its address is made only if it is read. */
export class Link implements NewUrl {
	readonly kind = 'page';
	readonly depth = 1;
	readonly dates = 0;
	readonly ending = undefined;
	readonly page: number;
	readonly #web: SimulatedWeb;

	constructor(web: SimulatedWeb, page: number) {
		this.#web = web;
		this.page = page;
	}

	get url(): string {
		return this.#web.urlOf(this.page);
	}

	get host(): string {
		return this.#web.nameOf(this.#web.hostOf(this.page));
	}
}

/**
 * The frontier of a fleet in memory, as the contract of stores wants it, for the pages of a simulated web only: a page
 * takes a few bytes in arrays instead of a row. Each worker has a view of its own, as it has a connection to a database.
 */
export class SimulatedStore {
	readonly calls: StoreCalls = {
		...{
			commits: 0,
			visits: 0,
			links: 0,
			handed: 0,
			outboxes: 0,
			claims: 0,
			emptyClaims: 0,
			looks: 0,
			hosts: 0,
			reads: 0,
			writes: 0,
		},
	};
	/** How often each page has ended. */
	readonly ends: Uint8Array;
	readonly #web: SimulatedWeb;
	readonly #keepsHistory: boolean;
	readonly #state: Uint8Array;
	readonly #depth: Uint8Array;
	readonly #attempts: Uint8Array;
	readonly #due = new Map<number, number>();
	/** Endings that occur; a page has the number of its own, from 1. */
	readonly #kinds: Ending[] = [];
	readonly #endingOf: Uint8Array;
	/** How often each occurred. */
	readonly #endings: number[] = [];
	readonly #histories: Histories;
	/** Versions that the store has; 0 for none. */
	readonly #versions: Uint16Array;
	readonly #hosts: (HostState | undefined)[];
	readonly #databases: readonly Database[];
	readonly #groups: HostGroups;
	readonly #files = new Map<string, PolicyFile>();
	readonly #wants = new Map<number, number>();
	readonly #runs: RunRecord[] = [];
	#waiting = 0;
	#workers = 0;

	constructor(web: SimulatedWeb, { keepsHistory = false, databases = 1 }: StoreOptions = {}) {
		this.#web = web;
		this.#endingOf = new Uint8Array(web.pages);
		this.#histories = new Histories(keepsHistory ? web.pages : 0);
		this.#versions = new Uint16Array(keepsHistory ? web.pages : 0);
		this.#databases = Array.from({ length: databases }, () => ({
			...{ ready: new Heap<{ host: HostState; entry: number }>(), sleeping: new Set<() => void>() },
			...{ hosts: 0, urls: 0, commits: 0 },
		}));
		this.#groups = new HostGroups(this.#databases.map((_, number) => String(number)));
		this.#keepsHistory = keepsHistory;
		this.ends = new Uint8Array(web.pages);
		this.#state = new Uint8Array(web.pages);
		this.#depth = new Uint8Array(web.pages);
		this.#attempts = new Uint8Array(web.pages);
		this.#hosts = new Array(web.hosts);
	}

	/** Endings by outcome and reason. */
	get endings(): ReadonlyMap<string, number> {
		const name = ({ outcome, reason }: Ending) => (reason === undefined ? outcome : `${outcome} (${reason})`);
		return new Map(this.#kinds.map((kind, at) => [name(kind), this.#endings[at] ?? 0]));
	}

	/** The parts of the databases. */
	get shares(): readonly DatabaseShare[] {
		return this.#databases;
	}

	/** The store as one more worker sees it, or one of its databases. */
	worker(shared: boolean, number = 0): Store {
		const worker = ++this.#workers;
		const database = this.#databaseAt(number);
		return {
			...{ frontier: this.#frontier(), pages: this.#pages(), policies: this.#policies(), changes: this.#changes() },
			leases: this.#leases(worker, shared, database),
			begin: async ({ seeds, refresh, at }) => {
				const before = this.#runs.at(-1);
				const joins = before !== undefined && before.endedAt === undefined;
				const mode = before === undefined ? 'new' : joins ? before.mode : 'refresh';
				if (!joins) this.#begin(mode, refresh, at);
				this.#add(seeds, 0, undefined);
				return {
					...{ run: this.#runs.length, mode, pending: this.#waiting, known: 0, documents: 0, workers: worker - 1 },
					...{ scopeExpansions: [], positions: new Map(), ...(before && { scopeBefore: 'sim' }) },
				};
			},
			commit: (batch: Batch) => this.#commit(batch, number),
			end: async (complete: boolean, at: number) => {
				const run = this.#runs.pop();
				if (run !== undefined) this.#runs.push({ ...run, complete, endedAt: at });
			},
			close: async () => {},
		} as never;
	}

	#begin(mode: 'new' | 'refresh', _refresh: boolean, at: number): void {
		this.#runs.push({ mode, startedAt: at });
		if (mode === 'new') return;
		for (const host of this.#hosts) {
			if (host === undefined) continue;
			host.head = 0;
			host.waiting = host.queue.length;
			for (const page of host.queue) {
				this.#state[page] = waiting;
				this.#attempts[page] = 0;
			}
			this.#waiting += host.waiting;
			this.#offer(host);
		}
		this.#due.clear();
	}

	#databaseAt(number: number): Database {
		const database = this.#databases[number];
		if (database === undefined) throw new RangeError(`there is no database ${number}`);
		return database;
	}

	#hostAt(number: number): HostState {
		let host = this.#hosts[number];
		if (host === undefined) {
			const name = this.#web.nameOf(number);
			const record = { id: number + 1, name, nextAt: 0, delay: 0, https: false };
			const database = this.#databases.length === 1 ? 0 : Number(this.#groups.ownerOf(name));
			this.#databaseAt(database).hosts++;
			host = { record, database, holder: undefined, queue: [], head: 0, waiting: 0, entry: 0 };
			this.#hosts[number] = host;
		}
		return host;
	}

	/** A free host with URLs that wait can be claimed from its time on. */
	#offer(host: HostState): void {
		if (host.holder !== undefined || host.waiting === 0) return;
		host.entry++;
		const { ready, sleeping } = this.#databaseAt(host.database);
		ready.push(host.record.nextAt, { host, entry: host.entry });
		const [wake] = sleeping;
		if (wake === undefined) return;
		sleeping.delete(wake);
		wake();
	}

	/** Calls a worker that found no host in a database when there is one for it. */
	whenOffered(wake: () => void, number: number): void {
		if (this.#waiting === 0) wake();
		else this.#databaseAt(number).sleeping.add(wake);
	}

	forgetOffer(wake: () => void, number: number): void {
		this.#databaseAt(number).sleeping.delete(wake);
	}

	/**
	 * Links to hosts of another database are there at once: deliveries take no simulated time.
	 *
	 * @param from the database with the page that they are on
	 */
	#add(found: readonly NewUrl[], depth: number, from: number | undefined): Map<string, number> {
		const added = new Map<string, number>();
		const before = this.calls.handed;
		for (const link of found) {
			this.calls.links++;
			const page = this.#pageOf(link);
			if (page === undefined) continue;
			const host = this.#hostAt(this.#web.hostOf(page));
			if (from !== undefined && host.database !== from) this.calls.handed++;
			if (this.#state[page] !== unknown) continue;
			this.#state[page] = waiting;
			this.#databaseAt(host.database).urls++;
			this.#depth[page] = Math.min(255, depth);
			host.queue.push(page);
			host.waiting++;
			this.#waiting++;
			if (host.waiting === 1) this.#offer(host);
			added.set(host.record.name, (added.get(host.record.name) ?? 0) + 1);
		}
		if (this.calls.handed > before) this.calls.outboxes++;
		return added;
	}

	#pageOf(link: NewUrl): number | undefined {
		if (link instanceof Link) return link.page;
		return link.kind === 'page' && link.ending === undefined ? this.#web.pageOf(link.url) : undefined;
	}

	#end(page: number, ending: Ending): void {
		if (this.#state[page] === waiting) {
			this.#hostAt(this.#web.hostOf(page)).waiting--;
			this.#waiting--;
			if (this.#waiting === 0) for (const { sleeping } of this.#databases) for (const wake of sleeping) wake();
		}
		this.#state[page] = ended;
		this.ends[page] = Math.min(255, (this.ends[page] ?? 0) + 1);
		this.#due.delete(page);
		const kind = this.#kindOf(ending);
		this.#endingOf[page] = kind;
		this.#endings[kind - 1] = (this.#endings[kind - 1] ?? 0) + 1;
	}

	#kindOf({ outcome, reason }: Ending): number {
		const at = this.#kinds.findIndex((kind) => kind.outcome === outcome && kind.reason === reason);
		return at >= 0 ? at + 1 : this.#kinds.push(reason === undefined ? { outcome } : { outcome, reason });
	}

	async #commit({ visits, hosts }: Batch, database: number): Promise<Committed> {
		this.calls.commits++;
		this.#databaseAt(database).commits++;
		this.calls.visits += visits.length;
		const added = new Map<string, number>();
		const newLinks = visits.map((visit) => {
			this.#save(visit);
			const fresh = this.#add(visit.found, (this.#depth[visit.id - 1] ?? 0) + 1, database);
			let count = 0;
			for (const [name, some] of fresh) {
				added.set(name, (added.get(name) ?? 0) + some);
				count += some;
			}
			return count;
		});
		for (const { id, nextAt, delay } of hosts) Object.assign(this.#hostAt(id - 1).record, { nextAt, delay });
		return { added, newLinks };
	}

	#save({ id, ending, due, attempts, check, content, at }: Visit): void {
		const page = id - 1;
		this.#attempts[page] = attempts;
		if (ending === undefined) this.#due.set(page, due ?? 0);
		else this.#end(page, ending);
		if (!this.#keepsHistory) return;
		if (content?.etag !== undefined) this.#versions[page] = Number(content.etag.slice(1, -1));
		if (check !== undefined)
			this.#histories.set(page, afterCheck(this.#histories.get(page), at, check.changed, check.rules));
	}

	/** Undefined where no version is kept. */
	#etagOf(page: number): string | undefined {
		const version = this.#versions[page] ?? 0;
		return version > 0 ? `"${version}"` : undefined;
	}

	#toFrontierUrl(page: number): FrontierUrl {
		const etag = this.#etagOf(page);
		return {
			...{ id: page + 1, url: this.#web.urlOf(page), kind: 'page', depth: this.#depth[page] ?? 0, dates: 0 },
			...{ attempts: this.#attempts[page] ?? 0, seed: page === 0 },
			...(etag !== undefined && { last: { etag, kept: true } }),
		};
	}

	*#waitingOf(host: HostState): Generator<number> {
		const { queue } = host;
		while (host.head < queue.length && this.#state[queue[host.head] ?? 0] !== waiting) host.head++;
		for (let at = host.head; at < queue.length; at++) {
			const page = queue[at] ?? 0;
			if (this.#state[page] === waiting) yield page;
		}
	}

	#frontier(): Frontier {
		const { calls } = this;
		return {
			pending: async (id, kind, now, limit) => {
				calls.reads++;
				const found: FrontierUrl[] = [];
				if (kind !== 'page') return found;
				for (const page of this.#waitingOf(this.#hostAt(id - 1))) {
					if ((this.#due.get(page) ?? 0) > now) continue;
					found.push(this.#toFrontierUrl(page));
					if (found.length === limit) break;
				}
				return found;
			},
			nextDue: async (id) => {
				calls.reads++;
				const host = this.#hostAt(id - 1);
				if (host.waiting === 0) return undefined;
				let least = Number.POSITIVE_INFINITY;
				for (const page of this.#waitingOf(host)) least = Math.min(least, this.#due.get(page) ?? 0);
				return least;
			},
			waiting: async (id) => this.#hostAt(id - 1).waiting,
			unfinished: async () => {
				calls.reads++;
				return this.#waiting > 0;
			},
			find: async (url) => {
				calls.reads++;
				const page = this.#web.pageOf(url);
				if (page === undefined || this.#state[page] === unknown) return undefined;
				const ending = this.#state[page] === ended ? this.#kinds[(this.#endingOf[page] ?? 0) - 1] : undefined;
				return { id: page + 1, url, ...ending };
			},
			offer: async (found) => this.#add(found, 0, undefined),
			endPending: async (ending, _at, where) => this.#endPending(ending, where),
			reconsider: async () => 0,
			scopeExpansions: async () => [],
			hasUnjudged: async () => false,
			reopen: async () => 0,
			reopenAliases: async () => 0,
			learned: async () => undefined,
			unvisited: async () => ({ results: [], last: undefined }),
			setNextRun: async () => {},
			tally: async () => ({
				...{ pending: this.#waiting, rows: [], causes: [], seeds: [], sitemaps: { read: 0, failed: 0 } },
				...{ duplicates: { pages: 0, examples: [], aliases: [] }, learned: [], paused: { hosts: [] } },
			}),
			lastRun: async () => this.#runs.at(-1),
			size: async () => ({ urls: 0, hosts: 0 }),
		} as Partial<Frontier> as Frontier;
	}

	#endPending(ending: Ending, where: EndWhere | undefined): { urls: number; pages: number } {
		this.calls.writes++;
		const hosts = where === undefined ? this.#hosts : [this.#hosts[where.host - 1]];
		const except = new Set(where?.except);
		let count = 0;
		for (const host of hosts) {
			if (host === undefined) continue;
			for (const page of [...this.#waitingOf(host)]) {
				if (except.has(page + 1)) continue;
				this.#end(page, ending);
				count++;
			}
		}
		return { urls: count, pages: count };
	}

	#pages() {
		const { calls } = this;
		const read = async (): Promise<never[]> => {
			calls.reads++;
			return [];
		};
		return {
			...{ lookalikes: read, comparable: read, isForgotten: async () => false, keep: async () => {} },
			snapshot: async (url: string) => {
				const page = this.#web.pageOf(url);
				if (!this.#keepsHistory || page === undefined || this.#etagOf(page) === undefined) return undefined;
				const document = { source: { url }, cache: {}, identity: {}, content: { markdown: 'text' }, structure: {} };
				const times = { fetchedAt: 0, checkedAt: 0, isCurrent: true };
				return { url, ...times, document, page: { robots: [] }, etag: this.#etagOf(page) };
			},
			emitted: async function* () {},
			results: async function* () {},
		} as never;
	}

	#policies() {
		const { calls } = this;
		return {
			policyFile: async (url: string) => {
				calls.reads++;
				return this.#files.get(url);
			},
			savePolicyFile: async (file: PolicyFile) => {
				calls.writes++;
				this.#files.set(file.url, file);
			},
			askAnswers: async () => [],
			saveAskAnswer: async () => {},
		} as never;
	}

	#changes() {
		return {
			site: async () => undefined,
			saveSite: async () => 1,
			listed: async () => [],
			saveListed: async () => {},
			forgetListed: async () => {},
			unsettled: async () => 0,
			outlook: async (url: string) => {
				const page = this.#web.pageOf(url);
				if (page === undefined || !this.#keepsHistory) return { kept: false };
				const history = this.#histories.get(page);
				const former = this.#kinds[(this.#endingOf[page] ?? 0) - 1];
				return { kept: this.#etagOf(page) !== undefined, ...(history && { history }), ...(former && { former }) };
			},
			hint: async () => {},
			urgencyOfLast: async () => Number.NEGATIVE_INFINITY,
		} as never;
	}

	#leases(worker: number, shared: boolean, database: Database) {
		const { calls } = this;
		const hold = (host: HostState): HostRecord => {
			host.holder = worker;
			host.entry++;
			calls.hosts++;
			return { ...host.record };
		};
		return {
			shared,
			recover: async () => {},
			assure: async () => undefined,
			claimHosts: async (limit: number, except: readonly number[] = []) => {
				const claimed = this.#claim(database, limit, except).map(hold);
				if (shared && claimed.length === 0 && isNear(this.#wants.get(worker) ?? 0, limit)) {
					calls.looks++;
					return claimed;
				}
				calls.claims++;
				if (claimed.length === 0) calls.emptyClaims++;
				if (shared) this.#wants.set(worker, claimed.length === 0 ? limit : 0);
				return claimed;
			},
			claimHost: async (name: string) => {
				calls.writes++;
				const host = this.#hostAt(Number(name.slice(1, name.indexOf('.'))));
				return host.holder === undefined ? hold(host) : undefined;
			},
			releaseHost: async ({ id, nextAt, delay }: HostRecord) => {
				calls.writes++;
				const host = this.#hostAt(id - 1);
				Object.assign(host.record, { nextAt, delay });
				host.holder = undefined;
				this.#offer(host);
			},
			wanted: async () => {
				calls.reads++;
				let sum = 0;
				for (const [other, count] of this.#wants) if (other !== worker) sum += count;
				return sum;
			},
			reserve: async (_: number, wanted: number) => ({ granted: wanted, exhausted: false }),
			activeWorkers: async () => this.#workers,
		} as never;
	}

	#claim({ ready }: Database, limit: number, except: readonly number[]): HostState[] {
		const found: HostState[] = [];
		const left: { host: HostState; entry: number }[] = [];
		while (found.length < limit && ready.size > 0) {
			const next = ready.pop();
			if (next === undefined) break;
			const { host, entry } = next;
			if (entry !== host.entry || host.holder !== undefined || host.waiting === 0) continue;
			if (except.includes(host.record.id)) left.push(next);
			else found.push(host);
		}
		for (const entry of left) ready.push(entry.host.record.nextAt, entry);
		return found;
	}
}
