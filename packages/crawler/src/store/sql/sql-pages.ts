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
import { isOneOf } from '../schema/addresses.ts';
import { removeWatched } from '../watch/remove.ts';
import { keepPage, packPage } from './commit-visits.ts';
import type { StoreSession } from './session.ts';

export function pagesReader(reading: ReadAccess): PagesReader {
	return {
		results: (options) => storedResults(reading, options),
		stored: (url) => reading.read((db) => storedPage(db, url, reading.bodies)),
		size: () => reading.read((db) => storeSize(db, reading.dialect)),
		versions: (url) => reading.read((db) => versionsOf(db, url, reading.bodies)),
		documents: (after, limit) => reading.read((db) => documentsAfter(db, after, limit, reading.bodies)),
		replaced: (request) => reading.read((db) => replacedPages(db, request)),
	};
}

export function sqlPages(session: StoreSession): Pages {
	return {
		...pagesReader(session),
		snapshot: (url, known) => session.read((db) => loadSnapshot(db, url, session.bodies, known)),
		async keep(page) {
			const packed = await packPage(page, session.bodies);
			await session.read((db) => session.ids.host(db, page.url.host));
			const references = await session.write((tx) => keepPage(tx, page, packed, session.tools()));
			await session.bodies.discard(references);
		},
		lookalikes: (minHash) => session.read((db) => findLookalikes(db, minHash)),
		comparable: (names, urls) => session.read((db) => findComparable(db, names, urls)),
		emitted: ({ otherRuns, upTo, outcomes }) =>
			emittedResults(session, { run: otherRuns ? session.run : undefined, upTo, outcomes }),
		pagesOf: (site, after, limit) => session.read((db) => pagesOf(db, site, after, limit)),
		documentsSince: (place, limit) => session.read((db) => documentsSince(db, place, limit, session.bodies)),
		async forgetPages(site, url, limit) {
			const isWatched = await session.watches();
			const { urls, references } = await session.write(async (tx) => {
				const forgotten = await forgetPages(tx, site, url, limit);
				if (isWatched && forgotten.urls.length > 0)
					await removeWatched(tx, sql`select id from url where ${isOneOf(tx, forgotten.urls)}`);
				return forgotten;
			});
			await session.bodies.discard(references);
			return urls;
		},
		isForgotten: (url) => session.read((db) => isForgotten(db, url)),
	};
}
