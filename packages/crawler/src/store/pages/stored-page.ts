import { present } from '@wayleave/protocols';
import { time } from '../../base/time.ts';
import type { StoredPage } from '../roles/pages.ts';
import type { DocumentBodies } from '../schema/access.ts';
import { isAddress } from '../schema/addresses.ts';
import type { Db } from '../schema/tables.ts';
import { readReference } from './document-bodies.ts';
import { unpackDate } from './validator-row.ts';

export async function storedPage(db: Db, url: string, bodies: DocumentBodies): Promise<StoredPage | undefined> {
	const row = await db
		.selectFrom('page')
		.innerJoin('url', 'url.id', 'page.url')
		.selectAll('page')
		.where(isAddress(db, url))
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { policy, representation, capture } = row.content === null ? {} : await bodies.unpack(row.content);
	return {
		fetchedAt: time(row.fetched_at),
		checkedAt: time(row.checked_at),
		...(row.etag !== null && { etag: row.etag }),
		...(row.last_modified !== null && { lastModified: unpackDate(row.last_modified) }),
		bytes: row.content === null ? 0 : (readReference(row.content)?.size ?? row.content.length),
		...present({ policy, representation, capture }),
	};
}
