import type { Evidence } from '@wayleave/protocols';
import { urlKey } from '@wayleave/protocols/pagedigest';
import { type Kysely, sql } from 'kysely';
import type { ListedState } from '../change/records.ts';
import { rfc3339 } from '../engine/requester.ts';
import type { Outcome, Reason } from '../outcome.ts';
import type { PolicyNote } from '../result.ts';
import type { Representation } from '../som/representation.ts';
import { toListed } from '../store/change-rows.ts';
import { unpackContent } from '../store/content.ts';
import type { StoreDialect } from '../store/dialect.ts';
import type { StoreSchema } from '../store/schema.ts';
import type { Capture } from '../warc/exchange.ts';
import { holding, livingWorkers } from './living.ts';

/** All that a store knows of one URL. Times are RFC 3339. */
export interface UrlStory {
	readonly url: string;
	readonly kind: 'page' | 'sitemap';
	readonly seed: boolean;
	readonly depth: number;
	/** From the URL back to where the crawl began: what led to what. */
	readonly foundBy: readonly string[];
	/** Absent while it waits for a visit. */
	readonly outcome?: Outcome;
	readonly reason?: Reason;
	readonly detail?: string;
	readonly evidence?: readonly Evidence[];
	/** HTTP status of the last answer. */
	readonly status?: number;
	readonly redirectedTo?: string;
	/** For `alias`: the page whose other address this is. */
	readonly aliasOf?: string;
	/** When it ended as it did. */
	readonly at?: string;
	/** Visits since it was queued the last time. */
	readonly attempts: number;
	/** Not before this moment, where it waits. */
	readonly due?: string;
	readonly host?: {
		readonly name: string;
		readonly nextAt: string;
		/** Whether a crawl is visiting it. */
		readonly held: boolean;
		/** Whether a crawl that was killed visited it: the next one goes on with it. */
		readonly abandoned?: true;
		readonly waiting: number;
	};
	/** What is kept of its content. */
	readonly page?: {
		readonly fetchedAt: string;
		readonly checkedAt: string;
		readonly etag?: string;
		readonly lastModified?: string;
		/** Bytes in the store; 0 where nothing of it may be kept. */
		readonly bytes: number;
		readonly policy?: PolicyNote;
		readonly representation?: Representation;
		readonly capture?: Capture;
	};
	/** How often it was looked at and had changed, as far as that is weighed, and when the next look is due. */
	readonly revisit?: { readonly visits: number; readonly changes: number; readonly nextAt: string };
	/** The manifest of its site, as it was found at the last look. */
	readonly manifest?: {
		readonly state: string;
		readonly trust: string;
		readonly checkedAt: string;
		/** What it says of this URL; absent where it does not list it. */
		readonly entry?: {
			readonly state: ListedState;
			/** The revision that was last fetched, and the one that it names. */
			readonly rev?: number;
			readonly listedRev: number;
			readonly digest?: string;
		};
	};
	/** The files in which its site states its terms, as they were last fetched. */
	readonly policyFiles: readonly {
		readonly url: string;
		readonly status: number;
		readonly fetchedAt: string;
		readonly expiresAt: string;
		readonly unreachableSince?: string;
	}[];
}

/** Further back nobody looks; a chain has no loops, but a store may be damaged. */
const longestChain = 100;

const time = (value: number): string => rfc3339(Number(value));

/** The story of a URL: of the page, and where there is none, of the sitemap. */
export async function storyOf(
	db: Kysely<StoreSchema>,
	dialect: StoreDialect,
	url: string,
): Promise<UrlStory | undefined> {
	const row = await db.selectFrom('url').selectAll().where('key', '=', url).orderBy('kind').limit(1).executeTakeFirst();
	if (row === undefined) return undefined;
	const evidence =
		row.evidence === null
			? undefined
			: await db.selectFrom('evidence').select('json').where('id', '=', row.evidence).executeTakeFirst();
	const host = row.host === null ? undefined : await hostOf(db, dialect, row.host);
	const page = Number(row.kind) === 0 ? await pageOf(db, row.id) : undefined;
	const waits = Number(row.state) === 0;
	return {
		url,
		kind: Number(row.kind) === 0 ? 'page' : 'sitemap',
		seed: Number(row.seed) === 1,
		depth: Number(row.depth),
		foundBy: await chainOf(db, row.via),
		...(!waits && row.outcome !== null && { outcome: row.outcome as Outcome }),
		...(!waits && row.reason !== null && { reason: row.reason as Reason }),
		...(row.detail !== null && { detail: row.detail }),
		...(evidence && { evidence: JSON.parse(evidence.json) as Evidence[] }),
		...(row.status !== null && { status: Number(row.status) }),
		...(row.redirect !== null && { [row.reason === 'alias' ? 'aliasOf' : 'redirectedTo']: row.redirect }),
		...(row.at !== null && { at: time(row.at) }),
		attempts: Number(row.attempts),
		...(waits && Number(row.due) > 0 && { due: time(row.due) }),
		...(host && { host }),
		...(page && { page }),
		...(await changesOf(db, row.id, url)),
		policyFiles: await policyFilesOf(db, url),
	};
}

async function chainOf(db: Kysely<StoreSchema>, via: number | null): Promise<string[]> {
	const chain: string[] = [];
	for (let id = via; id !== null && chain.length < longestChain; ) {
		const row = await db.selectFrom('url').select(['key', 'via']).where('id', '=', id).executeTakeFirst();
		if (row === undefined) break;
		chain.push(row.key);
		id = row.via;
	}
	return chain;
}

async function hostOf(db: Kysely<StoreSchema>, dialect: StoreDialect, id: number) {
	const row = await db.selectFrom('host').select(['name', 'next_at', 'holder']).where('id', '=', id).executeTakeFirst();
	if (row === undefined) return undefined;
	const { rows } = await sql<{ count: number }>`
		select count(*) as count from url where host = ${id} and state = 0`.execute(db);
	const waiting = Number(rows[0]?.count ?? 0);
	return {
		name: row.name,
		nextAt: time(row.next_at),
		...holding(row.holder, await livingWorkers(db, dialect)),
		waiting,
	};
}

async function pageOf(db: Kysely<StoreSchema>, id: number): Promise<UrlStory['page']> {
	const row = await db.selectFrom('page').selectAll().where('url', '=', id).executeTakeFirst();
	if (row === undefined) return undefined;
	const { policy, representation, capture } = row.content === null ? {} : unpackContent(row.content);
	return {
		fetchedAt: time(row.fetched_at),
		checkedAt: time(row.checked_at),
		...(row.etag !== null && { etag: row.etag }),
		...(row.last_modified !== null && { lastModified: row.last_modified }),
		bytes: row.content?.length ?? 0,
		...(policy && { policy }),
		...(representation && { representation }),
		...(capture && { capture }),
	};
}

async function changesOf(
	db: Kysely<StoreSchema>,
	id: number,
	url: string,
): Promise<Pick<UrlStory, 'revisit' | 'manifest'>> {
	const page = await db.selectFrom('revisit').selectAll().where('url', '=', id).executeTakeFirst();
	const site = await db
		.selectFrom('site')
		.select(['id', 'state', 'trust', 'checked_at'])
		.where('origin', '=', new URL(url).origin)
		.executeTakeFirst();
	const entry = site && (await entryOf(db, site.id, url));
	return {
		...(page && {
			revisit: { visits: Number(page.visits), changes: Number(page.changes), nextAt: time(page.next_at) },
		}),
		...(site && {
			manifest: {
				state: site.state,
				trust: levelOf(site.trust),
				checkedAt: time(site.checked_at),
				...(entry && { entry }),
			},
		}),
	};
}

async function entryOf(db: Kysely<StoreSchema>, site: number, url: string) {
	const key = urlKey(url);
	if (key === undefined) return undefined;
	const row = await db
		.selectFrom('listed')
		.select(['key', 'state', 'rev', 'listed_rev', 'digest'])
		.where('site', '=', site)
		.where('key', '=', key)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { key: _, ...entry } = toListed(row);
	return entry;
}

async function policyFilesOf(db: Kysely<StoreSchema>, url: string): Promise<UrlStory['policyFiles']> {
	const { origin } = new URL(url);
	const rows = await db
		.selectFrom('policy_file')
		.select(['url', 'status', 'fetched_at', 'expires_at', 'unreachable_since'])
		.where('url', '>=', `${origin}/`)
		.where('url', '<', `${origin}0`)
		.orderBy('url')
		.execute();
	return rows.map((row) => ({
		url: row.url,
		status: Number(row.status),
		fetchedAt: time(row.fetched_at),
		expiresAt: time(row.expires_at),
		...(row.unreachable_since !== null && { unreachableSince: time(row.unreachable_since) }),
	}));
}

/** Of the trust in a manifest, the word for it. */
const levelOf = (trust: string): string => (JSON.parse(trust) as { level: string }).level;
