import type { StoreReader } from '../roles/reader.ts';
import { placesOf } from '../sql/open.ts';
import { openSqlStoreForReading, type SqlStoreReader } from '../sql/open-for-reading.ts';
import { groupReader, type ReadMember } from './group-reader.ts';
import { HostGroups } from './host-groups.ts';
import { registerMembers } from './register.ts';

/**
 * Opens a store for reading, also while a crawl uses it: `sqlite:FILE`, `postgres://…`, or the databases of one crawl,
 * separated by commas. Creates, locks and migrates nothing; only `prune`, `forget` and `remember` open the store as a
 * crawl does.
 *
 * @throws CrawlError `store-unreadable` if there is no store, or one of another version
 */
export async function openStoreForReading(store: string): Promise<StoreReader> {
	const places = placesOf(store);
	if (places.length === 1) return openSqlStoreForReading(store);
	const opened: { readonly url: string; readonly reader: SqlStoreReader }[] = [];
	const neighbours = { elsewhere: () => undefined, ids: () => [] };
	try {
		for (const url of places) opened.push({ url, reader: await openSqlStoreForReading(url, neighbours) });
		const registered = await registerMembers(
			opened.map(({ url, reader }) => ({
				url,
				reader,
				record: () => reader.member.record(),
				// A reader registers nothing: a database without a record does not belong to the crawl.
				isUsed: async () => true,
				register: async () => undefined,
			})),
		);
		const members: ReadMember[] = registered.map(({ id, candidate }) => ({ id, reader: candidate.reader }));
		return groupReader(members, new HostGroups(members.map(({ id }) => id)));
	} catch (error) {
		for (const { reader } of opened) await reader.close();
		throw error;
	}
}
