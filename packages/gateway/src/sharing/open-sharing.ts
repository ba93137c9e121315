import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Rate } from '@wayleave/io/rate';
import { databaseName, isUnreachable, migrate, openDatabase } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import type { ClientMemory, ClientState, Grant } from '../request/client-memory.ts';
import type { LimitName, SharedAnswer, Sharing, Spent } from '../request/sharing.ts';
import { PendingRows } from './pending-rows.ts';
import { format, type SharingSchema, sharingMigrations } from './schema.ts';
import { SharedLimits } from './shared-limits.ts';
import {
	addSite,
	beginWrite,
	type Member,
	markGrant,
	pruneRows,
	type ReadRows,
	readMembers,
	readRevision,
	readRows,
	removeMember,
	renewMember,
	spendTokens,
	writeClients,
	writeGrants,
} from './shared-rows.ts';

export interface SharingOptions {
	/** Clients that are remembered of each kind. Default 100,000. */
	readonly maxClients?: number;
	/** Milliseconds between two exchanges with the store. Default 100. */
	readonly interval?: number;
	/** Milliseconds without a response after which the store counts as lost. Default 2000. */
	readonly patience?: number;
	/** A note for the operator, in one line. */
	readonly onNote?: (text: string) => void;
	/** The format that this gateway announces; for tests of later ones. */
	readonly announced?: number;
}

/** The state of the shared store, for people and metrics. */
export interface SharingStatus {
	/** The database, without its password. */
	readonly store: string;
	readonly reachable: boolean;
	/** Since when it is or is not; milliseconds since 1970. */
	readonly since: number;
	/** Why it cannot be reached. */
	readonly fault?: string;
	/** Whether it was ever read since the start. */
	readonly wasRead: boolean;
	/** Running gateways, this one included, as far as is known. */
	readonly gateways: number;
	/** Those that share in another format, which this version cannot read. */
	readonly strangers: readonly string[];
	/** Clients whose requests the store does not know of yet. */
	readonly unsettled: number;
}

/** State shared through PostgreSQL. */
export interface OpenSharing extends Sharing {
	readonly db: Kysely<SharingSchema>;
	status(): SharingStatus;
	/** Settles what is left, and leaves. */
	close(): Promise<void>;
}

/** Milliseconds between two signs of life, for the other gateways. */
const memberPause = 2000;
const prunePause = 60_000;
/** Milliseconds between two exchanges, however many requests wait for one; and between two attempts to reach the store. */
const shortestPause = 100;
const retryPause = 500;
/** Milliseconds after which a connection that does not respond is given up for a new one. */
const hopeless = 10_000;

/**
 * Opens the store that the gateways of a site share. A server that cannot be reached does not keep the gateway from
 * starting: until it was read, agents wait.
 *
 * @param url `postgres://…`
 * @param site its origin: several sites may share one database
 * @throws DatabaseError for a database that cannot be used, such as `wrong-password`
 */
export async function openSharing(url: string, site: string, options: SharingOptions = {}): Promise<OpenSharing> {
	const sharing = new PostgresSharing(url, site, options);
	await sharing.start();
	return sharing;
}

class PostgresSharing implements OpenSharing {
	db: Kysely<SharingSchema>;
	readonly #url: string;
	readonly #site: string;
	readonly #options: Required<Omit<SharingOptions, 'onNote'>>;
	readonly #note: (text: string) => void;
	readonly #limits: SharedLimits;
	readonly #pending: PendingRows;
	readonly #member: Member;
	#memory: ClientMemory | undefined;
	/** Rows that were read before there was a memory for them. */
	#unread: ReadRows | undefined;
	#prepared = false;
	#seen = 0;
	#readAt: number | undefined;
	#reachable = true;
	#since = Date.now();
	#fault: string | undefined;
	#strangers: string[] = [];
	#renewedAt = 0;
	#prunedAt = Date.now();
	/** Permissions that are being spent here. */
	readonly #spending = new Set<string>();
	#waiting: Array<(known: boolean) => void> = [];
	#timer: NodeJS.Timeout | undefined;
	#dueAt = 0;
	#beganAt = 0;
	#running: Promise<void> | undefined;
	#closed = false;

	constructor(url: string, site: string, options: SharingOptions) {
		this.#url = url;
		this.#site = site;
		this.#options = { maxClients: 100_000, interval: 100, patience: 2000, announced: format, ...options };
		this.#note = options.onNote ?? (() => {});
		this.#limits = new SharedLimits(Date.now, this.#options.maxClients);
		this.#pending = new PendingRows(this.#options.maxClients);
		this.#member = { id: randomUUID(), name: `${hostname()}:${process.pid}`, format: this.#options.announced };
		this.db = this.#open();
	}

	#open(): Kysely<SharingSchema> {
		return openDatabase<SharingSchema>(this.#url, { connections: 3, statementTimeout: 5000 });
	}

	async start(): Promise<void> {
		try {
			await within(hopeless / 2, this.#exchange());
			this.#succeeded();
		} catch (error) {
			if (!isUnreachable(error) && !(error instanceof NoResponse)) {
				await this.db.destroy();
				throw error;
			}
			this.#lose(error);
		}
		this.#plan(this.#options.interval);
	}

	get readAt(): number | undefined {
		return this.#readAt;
	}

	status(): SharingStatus {
		return {
			store: databaseName(this.#url),
			reachable: this.#reachable,
			since: this.#since,
			...(this.#fault !== undefined && { fault: this.#fault }),
			wasRead: this.#readAt !== undefined,
			gateways: this.#limits.members,
			strangers: this.#strangers,
			unsettled: this.#limits.unsettled + this.#pending.size,
		};
	}

	limit(name: LimitName, rate: Rate): (client: string) => number {
		return this.#limits.limit(name, rate);
	}

	attach(memory: ClientMemory): void {
		this.#memory = memory;
		const rows = this.#unread;
		this.#unread = undefined;
		if (rows !== undefined) this.#apply(rows);
	}

	changed(client: string, state: ClientState): void {
		this.#pending.changed(client, state);
	}

	async answered(client: string, answer: SharedAnswer): Promise<boolean> {
		const row = this.#pending.answered(client, answer, Date.now());
		const known = await this.refresh();
		// This one was promised to no agent.
		if (!known && row.kind === 'once') this.#pending.drop(row);
		return known;
	}

	refresh(): Promise<boolean> {
		if (!this.#reachable || this.#closed) return Promise.resolve(false);
		const known = new Promise<boolean>((resolve) => void this.#waiting.push(resolve));
		this.#plan(Math.max(0, this.#beganAt + shortestPause - Date.now()));
		return known;
	}

	async spend({ id }: Grant): Promise<Spent> {
		if (id === undefined) return 'spent';
		if (!this.#reachable) return 'unreachable';
		this.#spending.add(id);
		try {
			return (await within(this.#options.patience, this.#mark(id, 1))) ? 'spent' : 'gone';
		} catch (error) {
			this.#lose(error);
			return 'unreachable';
		} finally {
			this.#spending.delete(id);
		}
	}

	giveBack({ id }: Grant): void {
		// Should this fail, the permission is lost: rather none than two.
		if (id !== undefined) this.#mark(id, 0).catch((error) => this.#lose(error));
	}

	#mark(id: string, spent: 0 | 1): Promise<boolean> {
		return this.db
			.transaction()
			.execute(async (tx) => await markGrant(tx, await beginWrite(tx, this.#site), id, spent));
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		const left = async () => {
			await this.#running;
			await this.#runExchange();
			if (this.#reachable) await removeMember(this.db, this.#site, this.#member.id);
		};
		await within(2 * this.#options.patience, left()).catch(() => {});
		for (const tell of this.#waiting.splice(0)) tell(false);
		await within(this.#options.patience, this.db.destroy()).catch(() => {});
	}

	/** The next exchange begins after `pause` milliseconds, unless one is planned for earlier. */
	#plan(pause: number): void {
		const dueAt = Date.now() + pause;
		if (this.#closed || this.#running !== undefined || (this.#timer !== undefined && this.#dueAt <= dueAt)) return;
		clearTimeout(this.#timer);
		this.#dueAt = dueAt;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			this.#running = this.#runExchange().finally(() => {
				this.#running = undefined;
				const wait = this.#waiting.length > 0 ? shortestPause : this.#options.interval;
				this.#plan(this.#reachable ? wait : Math.max(retryPause, this.#options.interval));
			});
		}, pause).unref();
	}

	/** One exchange: writes what is new here, and reads what is new elsewhere. Never rejects. */
	async #runExchange(): Promise<void> {
		this.#beganAt = Date.now();
		const waiting = this.#waiting.splice(0);
		const tell = (known: boolean) => {
			for (const resolve of waiting.splice(0)) resolve(known);
		};
		const silence = setTimeout(() => {
			this.#lose(new NoResponse(this.#options.patience));
			tell(false);
		}, this.#options.patience).unref();
		try {
			await this.#exchange();
			this.#succeeded();
			tell(true);
		} catch (error) {
			this.#lose(error);
			if (error instanceof NoResponse && !this.#closed) this.#replaceConnections();
		} finally {
			clearTimeout(silence);
			tell(false);
		}
	}

	#replaceConnections(): void {
		this.db.destroy().catch(() => {});
		this.db = this.#open();
	}

	/** @throws NoResponse, and errors of the database */
	async #exchange(): Promise<void> {
		await within(hopeless, this.#prepare());
		const taken = this.#limits.take();
		const changes = this.#pending.take();
		const nothing = taken.length === 0 && changes.clients.length === 0 && changes.grants.length === 0;
		let rows: ReadRows | undefined;
		try {
			rows = await within(hopeless, nothing ? this.#read() : this.#write(taken, changes));
		} catch (error) {
			this.#limits.notSettled(taken);
			this.#pending.giveBack(changes);
			throw error;
		}
		this.#limits.settled(taken);
		if (rows !== undefined) this.#apply(rows);
		this.#readAt ??= Date.now();
	}

	async #prepare(): Promise<void> {
		if (!this.#prepared) {
			await migrate(this.db, sharingMigrations, { component: 'gateway-sharing' });
			await addSite(this.db, this.#site);
			this.#prepared = true;
		}
		await this.#stayMember();
	}

	async #read(): Promise<ReadRows | undefined> {
		const state = await readRevision(this.db, this.#site);
		this.#pending.clockAhead = state.now - Date.now();
		return state.revision === this.#seen ? undefined : await readRows(this.db, state, this.#seen);
	}

	async #write(
		taken: ReturnType<SharedLimits['take']>,
		{ clients, grants }: ReturnType<PendingRows['take']>,
	): Promise<ReadRows> {
		return await this.db.transaction().execute(async (tx) => {
			// After a crash of the server, tokens of the last moment may be missing, but never an answer to an ask.
			if (grants.length === 0) await sql`set local synchronous_commit = off`.execute(tx);
			const write = await beginWrite(tx, this.#site);
			this.#pending.clockAhead = write.now - Date.now();
			const own = await spendTokens(tx, write, taken);
			await writeClients(tx, write, clients);
			await writeGrants(tx, write, grants);
			// Since no other write can come between, ours is the only one of this revision.
			const rows = await readRows(tx, write, this.#seen, write.revision - 1);
			return { ...rows, limits: [...rows.limits, ...own] };
		});
	}

	#apply(rows: ReadRows): void {
		for (const bucket of rows.limits) this.#limits.read(bucket);
		this.#seen = rows.revision;
		this.#count(rows.members);
		if (this.#memory === undefined) this.#unread = rows;
		else this.#pending.apply(rows, this.#memory, this.#spending);
	}

	async #stayMember(): Promise<void> {
		const now = Date.now();
		if (now - this.#renewedAt < memberPause) return;
		const isFirst = this.#renewedAt === 0;
		await this.db.transaction().execute(async (tx) => {
			// The others look at a new revision at once: their shares become smaller.
			const write = isFirst ? await beginWrite(tx, this.#site) : await readRevision(tx, this.#site);
			await renewMember(tx, this.#site, this.#member);
			this.#count(await readMembers(tx, this.#site, write.now));
		});
		this.#renewedAt = now;
		if (now - this.#prunedAt < prunePause) return;
		this.#prunedAt = now;
		await pruneRows(this.db, this.#site);
	}

	#count(members: readonly Member[]): void {
		this.#limits.members = Math.max(1, members.length);
		const known = new Set(this.#strangers);
		this.#strangers = members.filter((each) => each.format !== format).map(({ name }) => name);
		for (const name of this.#strangers) if (!known.has(name)) this.#note(strangerNote(name));
	}

	#succeeded(): void {
		this.#limits.find();
		if (this.#reachable) return;
		const seconds = Math.round((Date.now() - this.#since) / 1000);
		this.#note(
			`the shared store ${databaseName(this.#url)} is back after ${seconds} s: limits and permissions are shared again`,
		);
		this.#reachable = true;
		this.#since = Date.now();
		this.#fault = undefined;
	}

	#lose(error: unknown): void {
		this.#limits.lose();
		const fault = error instanceof Error ? error.message : String(error);
		if (this.#reachable) {
			this.#reachable = false;
			this.#since = Date.now();
			this.#note(this.#lossNote(fault));
		}
		this.#fault = fault;
	}

	#lossNote(fault: string): string {
		const store = databaseName(this.#url);
		const why = fault.includes(store) ? fault : `${store}: ${fault}`;
		if (this.#readAt === undefined)
			return `the shared store cannot be read (${why}): agents get 503 until it can be read; people get the site`;
		const { members } = this.#limits;
		const share = members === 1 ? 'all limits' : `one ${members === 2 ? 'half' : `of ${members} shares`} of each limit`;
		return `the shared store is lost (${why}): this gateway goes on with what it knows and ${share}, and grants and honours no allow-once`;
	}
}

function strangerNote(name: string): string {
	return `gateway ${name} shares its state in another format, of another version of Wayleave: its rows are ignored. Both count towards the number of gateways, so limits hold; update all gateways to share the rest`;
}

/** The store gave no response in time. */
class NoResponse extends Error {
	constructor(milliseconds: number) {
		super(`no response within ${milliseconds / 1000} s`);
		this.name = 'NoResponse';
	}
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new NoResponse(milliseconds)), milliseconds);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
		work.catch(() => {}); // reported by the race
	}
}
