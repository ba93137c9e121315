import { type Kysely, sql } from 'kysely';
import { isExhaustedForm, isIdlePart, SiteKnowledge } from '../../addresses/site-knowledge.ts';
import type { LearnedAddresses, LearnedHost } from '../../model/learned-addresses.ts';
import type { StoreSchema } from '../schema/tables.ts';

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

const hasAny = ({ idle, exhausted, shells, routes }: LearnedHost): boolean =>
	routes !== undefined || idle.length + exhausted.length + shells.length > 0;

function learnedOf(host: string, json: string): LearnedHost {
	const { parts, forms, shells, routes } = new SiteKnowledge(json).learned;
	return {
		host,
		...(routes.skipped > 0 && { routes: { same: routes.same, leftOut: routes.skipped } }),
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
