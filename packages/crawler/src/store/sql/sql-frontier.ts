import { addFound } from '../frontier/add-found.ts';
import { loadLearned, reopenAliasesOf, reopenLeftOut } from '../frontier/learned.ts';
import { learnedAddresses } from '../frontier/learned-addresses.ts';
import { countUrlsAfter, listUrls, urlsStartingWith } from '../frontier/list-urls.ts';
import { lastRun, setNextRun } from '../frontier/runs.ts';
import { hasUnjudged, loadScopeExpansions, reconsiderScope } from '../frontier/scope-expansions.ts';
import { tallyStore } from '../frontier/tally.ts';
import { countUrls, urlRecord } from '../frontier/url-record.ts';
import { countWaiting, dueUrls, endWaiting, findUrl, isWaiting, nextDue } from '../frontier/urls.ts';
import { unvisitedResults } from '../pages/results.ts';
import type { Frontier, FrontierReader } from '../roles/frontier.ts';
import type { ReadAccess } from '../schema/access.ts';
import type { StoreSession } from './session.ts';

export function frontierReader(reading: ReadAccess): FrontierReader {
	const { dialect, pace } = reading;
	return {
		tally: () =>
			reading.read((db) =>
				db.transaction().execute(async (tx) => {
					await dialect.lookAtAll(tx);
					return tallyStore(tx, { dialect, own: pace() });
				}),
			),
		size: () => reading.read(countUrls),
		historyOf: (url) => reading.read((db) => urlRecord(db, url)),
		learnedAddresses: (part) => reading.read((db) => learnedAddresses(db, part)),
		list: (request) => reading.read((db) => listUrls(db, request)),
		count: (after, rows, slices) => reading.read((db) => countUrlsAfter(db, after, rows, slices)),
		startingWith: (prefix, limit) => reading.read((db) => urlsStartingWith(db, prefix, limit)),
		lastRun: () => reading.read(lastRun),
	};
}

export function sqlFrontier(session: StoreSession): Frontier {
	const { dialect, ids, workers } = session;
	return {
		...frontierReader(session),
		pending: (host, kind, now, limit, last = []) =>
			session.read((db) => dueUrls(db, host, { kind, now, limit, last }, session.tools())),
		nextDue: (host) => session.read((db) => nextDue(db, host, session.tools())),
		waiting: (host) => session.read((db) => countWaiting(db, host)),
		async unfinished() {
			if (!dialect.shared) return session.read(isWaiting);
			const { waits, others } = await session.read((db) => workers.unfinished(db));
			if (waits && others === 0) await session.wakeAll();
			return waits;
		},
		find: (url, kind = 'page') => session.read((db) => findUrl(db, url, kind, session.tools())),
		async offer(urls) {
			await session.number([{ found: urls }]);
			const found = urls.map((url) => ({ url }));
			const at = session.now();
			const { added, hosts } = await session.write((tx) => addFound(tx, found, { ...session.tools(), at }));
			await session.wake(hosts);
			return added;
		},
		endPending: (ending, at, where) =>
			session.write(async (tx) => {
				if (where === undefined) await dialect.lookAtAll(tx);
				return endWaiting(tx, ending, { at, run: session.run, where });
			}),
		async reconsider(judge) {
			const count = await session.write(async (tx) => {
				await dialect.lookAtAll(tx);
				return reconsiderScope(tx, ids, judge);
			});
			await session.wakeAll();
			return count;
		},
		scopeExpansions: () => session.read(loadScopeExpansions),
		hasUnjudged: () => session.read(hasUnjudged),
		async reopen(host, reasons) {
			const count = await session.write((tx) => reopenLeftOut(tx, host, reasons));
			await session.wake([host]);
			return count;
		},
		async reopenAliases(pages) {
			const count = await session.write((tx) => reopenAliasesOf(tx, pages));
			if (count > 0) await session.wakeAll();
			return count;
		},
		learned: (host) => session.read((db) => loadLearned(db, host)),
		unvisited: (after, { thisRun, documents }) =>
			session.read((db) => unvisitedResults(db, after, thisRun ? session.run : undefined, documents, session.bodies)),
		setNextRun: (at) => session.read((db) => setNextRun(db, at)),
	};
}
