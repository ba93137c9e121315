import { type Kysely, sql } from 'kysely';
import { isExhaustedForm, isIdlePart, SiteKnowledge } from '../discover/site-knowledge.ts';
import type { StoreSchema } from '../store/schema.ts';

/** Address patterns that a crawl has learned for one host. */
export interface LearnedHost {
	readonly host: string;
	/** Parameters (`?ref`) and folders (`/shop/*`) that do not change a page. */
	readonly idle: readonly {
		readonly part: string;
		/** Comparisons with equal pages, and how many of those pages named the other address themselves. */
		readonly alike: number;
		readonly said: number;
		/** Addresses skipped. */
		readonly leftOut: number;
	}[];
	/** Address forms that have stopped bringing new content. */
	readonly exhausted: readonly {
		readonly form: string;
		readonly visits: number;
		readonly fresh: number;
		readonly leftOut: number;
	}[];
	/** Pages that the site also sends for other addresses. */
	readonly shells: readonly { readonly page: string; readonly copies: number; readonly leftOut: number }[];
}

/** All address patterns and aliases in a store. */
export interface LearnedAddresses {
	readonly hosts: readonly LearnedHost[];
	readonly aliases: number;
	readonly examples: readonly { readonly url: string; readonly page: string }[];
}

const maxExamples = 20;

export async function learnedAddresses(db: Kysely<StoreSchema>): Promise<LearnedAddresses> {
	const { rows: counted } = await sql<{ count: number }>`select count(*) as count from url
		where reason = 'alias' and state = 1`.execute(db);
	const { rows: examples } = await sql<{ url: string; page: string }>`select key as url, redirect as page from url
		where reason = 'alias' and state = 1 order by id limit ${sql.lit(maxExamples)}`.execute(db);
	return { hosts: await learnedHosts(db), aliases: Number(counted[0]?.count ?? 0), examples };
}

/** Hosts with learned patterns. A store of an earlier version has none. */
export async function learnedHosts(db: Kysely<StoreSchema>): Promise<LearnedHost[]> {
	const tables = await db.introspection.getTables();
	if (!tables.some(({ name }) => name === 'learned')) return [];
	const rows = await db
		.selectFrom('learned')
		.innerJoin('host', 'host.id', 'learned.host')
		.select(['host.name', 'learned.json'])
		.orderBy('host.name')
		.execute();
	return rows.map(({ name, json }) => learnedOf(name, json)).filter(hasAny);
}

const hasAny = ({ idle, exhausted, shells }: LearnedHost): boolean =>
	idle.length + exhausted.length + shells.length > 0;

function learnedOf(host: string, json: string): LearnedHost {
	const { parts, forms, shells } = new SiteKnowledge(json).learned;
	return {
		host,
		idle: Object.entries(parts)
			.filter(([name, belief]) => belief.folded > 0 || isIdlePart(name, belief))
			.map(([part, { alike, said, folded }]) => ({ part, alike, said, leftOut: folded })),
		exhausted: Object.entries(forms)
			.filter(([form, found]) => found.skipped > 0 || isExhaustedForm(form, found))
			.map(([form, { visits, fresh, skipped }]) => ({ form, visits, fresh, leftOut: skipped })),
		shells: Object.entries(shells)
			.filter(([, { held }]) => held > 0)
			.map(([page, { copies, held }]) => ({ page, copies, leftOut: held })),
	};
}
