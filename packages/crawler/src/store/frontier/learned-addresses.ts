import { sql } from 'kysely';
import { isExhaustedForm, isIdlePart, SiteKnowledge } from '../../addresses/site-knowledge.ts';
import type { LearnedAddresses, LearnedHost } from '../../model/learned-addresses.ts';
import type { LearnedPart } from '../roles/frontier.ts';
import { hasTable } from '../schema/has-table.ts';
import type { Db } from '../schema/tables.ts';

const maxExamples = 20;
/** Aliases that are counted for a part of the hosts. */
const maxCounted = 10_000;

export async function learnedAddresses(db: Db, part?: LearnedPart): Promise<LearnedAddresses> {
	const most = part === undefined ? sql`` : sql`limit ${sql.lit(maxCounted)}`;
	const { rows: counted } = await sql<{ count: number }>`select count(*) as count from (select 1 as one from url
		where reason = 'alias' and state = 1 ${most}) as aliases`.execute(db);
	const { rows: examples } = await sql<{ url: string; page: string }>`select key as url, redirect as page from url
		where reason = 'alias' and state = 1 order by id limit ${sql.lit(maxExamples)}`.execute(db);
	const rows = await learnedRows(db, part);
	const next = part !== undefined && rows.length === part.hosts ? rows.at(-1)?.name : undefined;
	return {
		hosts: rows.map(({ name, json }) => learnedOf(name, json)).filter(hasAny),
		...(next !== undefined && { next }),
		aliases: Number(counted[0]?.count ?? 0),
		examples,
	};
}

/** Hosts with learned patterns. */
export async function learnedHosts(db: Db): Promise<LearnedHost[]> {
	return (await learnedRows(db)).map(({ name, json }) => learnedOf(name, json)).filter(hasAny);
}

/** A store of an earlier version has none. */
async function learnedRows(db: Db, part?: LearnedPart): Promise<{ name: string; json: string }[]> {
	if (!(await hasTable(db, 'learned'))) return [];
	const all = db
		.selectFrom('learned')
		.innerJoin('host', 'host.id', 'learned.host')
		.select(['host.name', 'learned.json'])
		.orderBy('host.name');
	return (part === undefined ? all : all.where('host.name', '>', part.after).limit(part.hosts)).execute();
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
