import { present } from '@wayleave/protocols';
import { urlKey } from '@wayleave/protocols/pagedigest';
import { time } from '../../base/time.ts';
import type { ChangeHistory, ListedUrl } from '../roles/changes.ts';
import { isAddress } from '../schema/addresses.ts';
import type { Db } from '../schema/tables.ts';
import { toListed } from './rows.ts';

export async function changeHistory(db: Db, url: string): Promise<ChangeHistory> {
	const page = await db
		.selectFrom('revisit')
		.innerJoin('url', 'url.id', 'revisit.url')
		.select(['revisit.visits', 'revisit.changes', 'revisit.next_at'])
		.where(isAddress(db, url))
		.executeTakeFirst();
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
			manifest: present({
				state: site.state,
				trust: levelOf(site.trust),
				checkedAt: time(site.checked_at),
				entry,
			}),
		}),
	};
}

async function entryOf(db: Db, site: number, url: string) {
	const key = urlKey(url);
	const listed = key === undefined ? undefined : await listedUrl(db, site, key);
	if (listed === undefined) return undefined;
	const { key: _, ...entry } = listed;
	return entry;
}

export async function listedUrl(db: Db, site: number, key: string): Promise<ListedUrl | undefined> {
	const row = await db
		.selectFrom('listed')
		.select(['key', 'state', 'rev', 'listed_rev', 'digest'])
		.where('site', '=', site)
		.where('key', '=', key)
		.executeTakeFirst();
	return row && toListed(row);
}

/** Of the trust in a manifest, the word for it. */
const levelOf = (trust: string): string => (JSON.parse(trust) as { level: string }).level;
