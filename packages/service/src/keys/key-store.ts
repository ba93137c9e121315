import { migrate, withoutNulls } from '@wayleave/io/sql';
import { type Kysely, sql } from 'kysely';
import type { BucketStore, StoredBucket } from './request-rates.ts';
import { type KeySchema, keyMigrations } from './schema.ts';
import { isScope, type Scope } from './scopes.ts';
import { formatToken, hashSecret, newKeyId, newSecret } from './token.ts';

/** An API key as its operator knows it: everything but the secret, which only its owner has. */
export interface ApiKey {
	readonly id: string;
	/** For people. */
	readonly name: string;
	readonly scopes: readonly Scope[];
	/** Requests per minute. */
	readonly rate?: number;
	/** Documents per day (UTC). */
	readonly quota?: number;
	/** Milliseconds since 1970. */
	readonly createdAt: number;
	readonly expiresAt?: number;
	readonly revokedAt?: number;
}

export type NewKey = Pick<ApiKey, 'name' | 'scopes' | 'rate' | 'quota' | 'expiresAt'>;

/** A key with the hashes of the secrets that are good for it now. */
export interface KnownKey {
	readonly key: ApiKey;
	readonly hashes: readonly string[];
	/** Requests that are left to a key with a rate; undefined before its first request. */
	readonly bucket?: StoredBucket;
}

type Row = KeySchema['api_key'];

/** The API keys of a service. Secrets are given out once and stored as hashes. */
export class KeyStore implements BucketStore {
	readonly #db: Kysely<KeySchema>;
	readonly #now: () => number;

	private constructor(db: Kysely<KeySchema>, now: () => number) {
		this.#db = db;
		this.#now = now;
	}

	static async open(db: Kysely<unknown>, now: () => number = Date.now): Promise<KeyStore> {
		await migrate(db, keyMigrations, { component: 'service-keys' });
		return new KeyStore(db as Kysely<KeySchema>, now);
	}

	/** Returns the token too, which cannot be had again. */
	async create({ name, scopes, rate, quota, expiresAt }: NewKey): Promise<{ key: ApiKey; token: string }> {
		const id = newKeyId();
		const row: Row = {
			id,
			name,
			scopes: scopes.join(' '),
			rate: rate ?? null,
			quota: quota ?? null,
			created_at: this.#now(),
			expires_at: expiresAt ?? null,
			revoked_at: null,
		};
		const token = await this.#db.transaction().execute(async (tx) => {
			await tx.insertInto('api_key').values(row).execute();
			return this.#addSecret(tx, id);
		});
		return { key: toKey(row), token };
	}

	/** All of them, the oldest first. */
	async list(): Promise<ApiKey[]> {
		const rows = await this.#db.selectFrom('api_key').selectAll().orderBy('created_at').orderBy('id').execute();
		return rows.map(toKey);
	}

	/** A key with its secrets; undefined if no key has this id. */
	async find(id: string): Promise<KnownKey | undefined> {
		const row = await this.#db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst();
		if (row === undefined) return undefined;
		const now = this.#now();
		const secrets = await this.#db.selectFrom('api_secret').selectAll().where('key', '=', id).execute();
		const good = secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
		const bucket = row.rate === null ? undefined : await this.#bucketOf(id);
		return { key: toKey(row), hashes: good.map(({ hash }) => hash), ...(bucket !== undefined && { bucket }) };
	}

	async #bucketOf(id: string): Promise<StoredBucket | undefined> {
		const row = await this.#db.selectFrom('api_rate').selectAll().where('key', '=', id).executeTakeFirst();
		return row === undefined ? undefined : toBucket(row);
	}

	/** Ends a key for good; returns whether there was one that was not revoked yet. */
	async revoke(id: string): Promise<boolean> {
		return this.#db.transaction().execute(async (tx) => {
			const { numUpdatedRows } = await tx
				.updateTable('api_key')
				.set({ revoked_at: this.#now() })
				.where('id', '=', id)
				.where('revoked_at', 'is', null)
				.executeTakeFirst();
			await tx.deleteFrom('api_secret').where('key', '=', id).execute();
			return Number(numUpdatedRows) > 0;
		});
	}

	/**
	 * Gives a key a new secret. The ones before stay good for `grace` milliseconds, so that nothing stands still while
	 * the new one is brought to where it is used.
	 *
	 * @returns the token; undefined where there is no such key, or it was revoked
	 */
	async rotate(id: string, grace: number): Promise<string | undefined> {
		const now = this.#now();
		return this.#db.transaction().execute(async (tx) => {
			const key = await tx.selectFrom('api_key').select('revoked_at').where('id', '=', id).executeTakeFirst();
			if (key === undefined || key.revoked_at !== null) return undefined;
			const end = now + grace;
			await tx.deleteFrom('api_secret').where('key', '=', id).where('expires_at', '<=', now).execute();
			await tx
				.updateTable('api_secret')
				.set({ expires_at: end })
				.where('key', '=', id)
				.where((at) => at.or([at('expires_at', 'is', null), at('expires_at', '>', end)]))
				.execute();
			return this.#addSecret(tx, id);
		});
	}

	async #addSecret(tx: Kysely<KeySchema>, key: string): Promise<string> {
		const secret = newSecret();
		const row = { hash: hashSecret(secret), key, created_at: this.#now(), expires_at: null };
		await tx.insertInto('api_secret').values(row).execute();
		return formatToken({ id: key, secret });
	}

	/** Adds to what a key has had on a day; returns how much that is now. */
	addUsage(key: string, day: string, documents: number): Promise<number> {
		return addUsage(this.#db, key, day, documents);
	}

	/** Takes tokens from those that a key has left, in all processes; they may become fewer than none. */
	async spendTokens(key: string, spent: number, rate: number): Promise<StoredBucket> {
		const now = this.#now();
		// The clocks of two machines may differ: the tokens of a time come once.
		const elapsed = sql<number>`case when ${now} > api_rate.at then ${now} - api_rate.at else 0 end`;
		const filled = sql<number>`api_rate.tokens + (${elapsed}) * cast(${rate / 60_000} as double precision)`;
		const row = await this.#db
			.insertInto('api_rate')
			.values({ key, tokens: rate - spent, at: now })
			.onConflict((conflict) =>
				conflict.column('key').doUpdateSet({
					tokens: sql`case when ${filled} < ${rate} then ${filled} else ${rate} end - ${spent}`,
					at: sql`case when ${now} > api_rate.at then ${now} else api_rate.at end`,
				}),
			)
			.returning(['tokens', 'at'])
			.executeTakeFirstOrThrow();
		return toBucket(row);
	}

	/**
	 * Adds up to `wanted` to what a key has had on a day, unless that is more than `quota`.
	 *
	 * @returns how many were added, and the count of the day now
	 */
	async takeUsage(
		key: string,
		day: string,
		wanted: number,
		quota: number,
	): Promise<{ taken: number; counted: number }> {
		return this.#db.transaction().execute(async (tx) => {
			// Adding nothing locks the row, until the end of the transaction.
			const before = await addUsage(tx, key, day, 0);
			const taken = Math.max(0, Math.min(wanted, quota - before));
			return { taken, counted: taken === 0 ? before : await addUsage(tx, key, day, taken) };
		});
	}
}

async function addUsage(db: Kysely<KeySchema>, key: string, day: string, documents: number): Promise<number> {
	const row = await db
		.insertInto('api_usage')
		.values({ key, day, documents })
		.onConflict((conflict) =>
			conflict.columns(['key', 'day']).doUpdateSet((at) => ({ documents: at('api_usage.documents', '+', documents) })),
		)
		.returning('documents')
		.executeTakeFirstOrThrow();
	return row.documents;
}

const toBucket = ({ tokens, at }: Pick<KeySchema['api_rate'], 'tokens' | 'at'>): StoredBucket => ({
	tokens: Number(tokens),
	at: Number(at),
});

function toKey({ id, name, scopes, rate, quota, created_at, expires_at, revoked_at }: Row): ApiKey {
	return {
		id,
		name,
		scopes: scopes.split(' ').filter(isScope),
		createdAt: Number(created_at),
		...withoutNulls({ rate, quota }),
		...(expires_at !== null && { expiresAt: Number(expires_at) }),
		...(revoked_at !== null && { revokedAt: Number(revoked_at) }),
	};
}
