import { sql } from 'kysely';
import { CrawlError } from '../../base/errors.ts';
import { addFound } from '../frontier/add-found.ts';
import { countOut, dropOut, type Handover, type Outgoing, putOut, takeOut } from '../frontier/outbox.ts';
import { saveScopeExpansions } from '../frontier/scope-expansions.ts';
import { isWaiting } from '../frontier/urls.ts';
import type { Db } from '../schema/tables.ts';
import { hasWaiting } from './begin-run.ts';
import type { StoreSession } from './session.ts';

/** One of the databases of a crawl. */
export interface MemberName {
	readonly id: string;
	/** For people: without a password. */
	readonly name: string;
}

/** The record of a database about the crawl that it is a part of. */
export interface MemberRecord {
	readonly id: string;
	/** All of them, in the order in which they were given first. */
	readonly members: readonly MemberName[];
}

/** Whether a database has anything to do. */
export interface MemberActivity {
	/** URLs wait, for a visit or for another database. */
	readonly waits: boolean;
	/** Deliveries so far. */
	readonly received: number;
}

/** Outgoing rows that are taken at a time. */
const maxTaken = 50;

/** A database among others that share the hosts of a crawl. */
export class GroupMember {
	readonly #session: StoreSession;

	constructor(session: StoreSession) {
		this.#session = session;
	}

	record(): Promise<MemberRecord | undefined> {
		return this.#session.read(memberRecord);
	}

	/** Whether it has URLs already. */
	async isUsed(): Promise<boolean> {
		const { rows } = await this.#session.read((db) => sql`select 1 from url limit 1`.execute(db));
		return rows.length > 0;
	}

	/** Records the databases of the crawl; the first process that does so decides. */
	async register(id: string, members: readonly MemberName[]): Promise<MemberRecord | undefined> {
		await this.#session.read((db) =>
			db
				.insertInto('crawl_group')
				.values({ id, members: JSON.stringify(members) })
				.onConflict((conflict) => conflict.doNothing())
				.execute(),
		);
		return this.record();
	}

	/** Redirected seeds widen the scope of all databases. */
	async tell(tx: Db, scopeExpansions: readonly string[]): Promise<void> {
		if (scopeExpansions.length === 0) return;
		for (const id of this.#session.neighbours?.ids() ?? []) await putOut(tx, id, { found: [], scopeExpansions });
	}

	/** @param except ids of databases that cannot be reached */
	take(except: readonly string[]): Promise<Outgoing[]> {
		const { dialect, pace } = this.#session;
		return this.#session.readAtOnce((db) => takeOut(db, except, maxTaken, dialect.now(pace())));
	}

	drop(ids: readonly number[]): Promise<void> {
		return this.#session.readAtOnce((db) => dropOut(db, ids));
	}

	/** Adds what another database hands over; the same again changes nothing. */
	async receive(handovers: readonly Handover[]): Promise<void> {
		const urls = handovers.flatMap(({ found }) => found);
		const expansions = handovers.flatMap(({ scopeExpansions = [] }) => scopeExpansions);
		const at = this.#session.now();
		await this.#session.number([{ found: urls }]);
		const { hosts } = await this.#session.write(async (tx) => {
			const result = await addFound(
				tx,
				urls.map((url) => ({ url })),
				{ ...this.#session.tools(), at },
			);
			await saveScopeExpansions(tx, expansions);
			await sql`update crawl_group set received = received + 1`.execute(tx);
			return result;
		});
		await this.#session.wake(hosts);
	}

	/** @throws DatabaseError where it cannot be reached now */
	activity(): Promise<MemberActivity> {
		return this.#session.readAtOnce(async (db) => {
			const { received = 0 } = (await db.selectFrom('crawl_group').select('received').executeTakeFirst()) ?? {};
			return { waits: (await hasOutgoing(db)) || (await isWaiting(db)), received };
		});
	}

	/**
	 * Whether the last run has left anything: URLs that wait or that a limit has put off, or links for another database.
	 *
	 * @throws DatabaseError where it cannot be reached now
	 */
	isLeft(): Promise<boolean> {
		return this.#session.readAtOnce(async (db) => (await hasOutgoing(db)) || hasWaiting(db));
	}

	/** Documents that the present run has brought. @throws DatabaseError where it cannot be reached now */
	brought(): Promise<number> {
		return this.#session.readAtOnce((db) => this.#session.workers.brought(db, this.#session.run));
	}

	/** How many URLs wait for other databases, by their ids. */
	outgoing(): Promise<ReadonlyMap<string, number>> {
		return this.#session.read(countOut);
	}
}

const hasOutgoing = async (db: Db): Promise<boolean> =>
	(await db.selectFrom('outbox').select('id').limit(1).executeTakeFirst()) !== undefined;

export async function memberRecord(db: Db): Promise<MemberRecord | undefined> {
	const row = await db.selectFrom('crawl_group').select(['id', 'members']).executeTakeFirst();
	return row && { id: row.id, members: JSON.parse(row.members) as MemberName[] };
}

/** One database of several does not do for the crawl. @throws CrawlError `store-unreadable` */
export async function refuseMember(db: Db): Promise<void> {
	const record = await memberRecord(db);
	if (record === undefined) return;
	const all = record.members.map(({ name }) => name).join(', ');
	const message = `it is one of ${record.members.length} databases of a crawl: pass --store for each of them (${all})`;
	throw new CrawlError('store-unreadable', message);
}
