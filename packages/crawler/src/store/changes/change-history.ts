import { urlKey } from '@wayleave/protocols/pagedigest';
import type { Kysely } from 'kysely';
import { time } from '../../base/time.ts';
import type { UrlStory } from '../roles/reader.ts';
import type { StoreSchema } from '../schema/tables.ts';
import { toListed } from './rows.ts';

export async function changesOf(
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

/** Of the trust in a manifest, the word for it. */
const levelOf = (trust: string): string => (JSON.parse(trust) as { level: string }).level;
