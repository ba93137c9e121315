import { sql } from 'kysely';
import { findComparable } from '../frontier/learned.ts';
import { isForgotten } from '../pages/forgotten.ts';
import { documentsAfter, replacedPages, versionsOf } from '../pages/former-pages.ts';
import { findLookalikes } from '../pages/near-duplicates.ts';
import { emittedResults, storedResults } from '../pages/results.ts';
import { documentsSince, forgetPages, loadSnapshot, pagesOf } from '../pages/site-pages.ts';
import { storeSize } from '../pages/size.ts';
import { storedPage } from '../pages/stored-page.ts';
import type { Pages, PagesReader } from '../roles/pages.ts';
import type { ReadAccess } from '../schema/access.ts';
import { removeWatched } from '../watch/remove.ts';
import { keepPage, packPage } from './commit-visits.ts';
import type { StoreSession } from './session.ts';

export function pagesReader(reading: ReadAccess): PagesReader {
	return {
		results: (options) => storedResults(reading, options),
		stored: (url) => reading.read((db) => storedPage(db, url)),
		size: () => reading.read(storeSize),
		versions: (url) => reading.read((db) => versionsOf(db, url)),
		documents: (after, limit) => reading.read((db) => documentsAfter(db, after, limit)),
		replaced: (request) => reading.read((db) => replacedPages(db, request)),
	};
}

export function sqlPages(session: StoreSession): Pages {
	return {
		...pagesReader(session),
		snapshot: (url, known) => session.read((db) => loadSnapshot(db, url, known)),
		async keep(page) {
			const packed = packPage(page);
			await session.read((db) => session.ids.host(db, page.url.host));
			await session.write((tx) => keepPage(tx, page, packed, session.tools()));
		},
		lookalikes: (minHash) => session.read((db) => findLookalikes(db, minHash)),
		comparable: (names, urls) => session.read((db) => findComparable(db, names, urls)),
		emitted: ({ otherRuns, upTo, outcomes }) =>
			emittedResults(session, { run: otherRuns ? session.run : undefined, upTo, outcomes }),
		pagesOf: (site, after, limit) => session.read((db) => pagesOf(db, site, after, limit)),
		documentsSince: (place, limit) => session.read((db) => documentsSince(db, place, limit)),
		async forgetPages(site, url, limit) {
			const isWatched = await session.watches();
			return session.write(async (tx) => {
				const urls = await forgetPages(tx, site, url, limit);
				if (isWatched && urls.length > 0)
					await removeWatched(tx, sql`select id from url where kind = 0 and key in (${sql.join(urls)})`);
				return urls;
			});
		},
		isForgotten: (url) => session.read((db) => isForgotten(db, url)),
	};
}
