import { present } from '@wayleave/protocols';
import { limitTexts, obligationTexts } from '@wayleave/protocols/policy';
import { normaliseRoute } from '../discover/normalise.ts';
import { historyOf } from '../inspect/url-history.ts';
import type { StoreReader, UrlHistory } from '../store/roles/reader.ts';
import type { HistoryPage, ShownUrl } from './api.ts';
import { endingOf, showUrl } from './show.ts';

/** Links of a chain that are shown: those next to the URL, and the seed. */
const maxLinks = 12;
const maxNear = 10;

/** Why a URL was or was not fetched: its own record, and how each page ended that led to it. */
export async function readHistory(store: StoreReader, address: string): Promise<HistoryPage> {
	const url = normaliseRoute(address) ?? address;
	const history = await historyOf(store, url);
	const policyFiles = history?.policyFiles ?? (await store.policies.filesOf(url));
	const files = policyFiles.map(({ url: file, status, fetchedAt, expiresAt }) => ({
		url: file,
		status,
		fetchedAt,
		expiresAt,
	}));
	if (history === undefined)
		return { url, chain: [], omitted: 0, policyFiles: files, near: await findNear(store, url) };
	const { foundBy } = history;
	const shown = foundBy.length > maxLinks ? [...foundBy.slice(0, maxLinks - 1), ...foundBy.slice(-1)] : foundBy;
	const links = await Promise.all([...shown].reverse().map((link) => findOne(store, link)));
	const target = history.redirectedTo ?? history.aliasOf;
	return {
		url,
		chain: [...links, await findOne(store, url)],
		omitted: foundBy.length - shown.length,
		...(target !== undefined && { leadsTo: await findOne(store, target) }),
		history: showHistory(history),
		policyFiles: files,
		near: [],
	};
}

/** Before a removal from the store, the URL was known: then only its address is left. */
async function findOne({ frontier }: StoreReader, url: string): Promise<ShownUrl> {
	const found = (await frontier.startingWith(url, 1)).find((each) => each.url === url);
	return found === undefined ? { url, kind: 'page', depth: 0 } : showUrl(found);
}

/** Known URLs that begin like an unknown one: the longest beginning that has any. */
async function findNear({ frontier }: StoreReader, url: string): Promise<ShownUrl[]> {
	const beginnings = [url, url.replace(/[^/?]*$/, ''), url.replace(/^([a-z]+:\/\/[^/]*\/).*$/i, '$1')];
	for (const beginning of new Set(beginnings)) {
		// A beginning of a few characters would show any URL.
		const found = beginning.length < 'http://a/'.length ? [] : await frontier.startingWith(beginning, maxNear);
		if (found.length > 0) return found.map(showUrl);
	}
	return [];
}

function showHistory(history: UrlHistory): NonNullable<HistoryPage['history']> {
	const { kind, seed, depth, outcome, reason, detail, evidence = [], status, at, attempts, due, host, page } = history;
	const { revisit, manifest } = history;
	return {
		...{ kind, isSeed: seed, depth, attempts, ...endingOf(outcome, reason) },
		...(detail !== undefined && { detail }),
		evidence: evidence.map(({ source, line, text }) => ({ source, line, text })),
		...present({ status, at, due }),
		...(host && { host: { name: host.name, nextAt: host.nextAt, isHeld: host.held, waiting: host.waiting } }),
		...(page && { page: showPage(page) }),
		...(revisit && { revisit }),
		...(manifest && { manifest: `${manifest.state}, trust: ${manifest.trust}, checked ${manifest.checkedAt}` }),
	};
}

function showPage(page: NonNullable<UrlHistory['page']>): NonNullable<NonNullable<HistoryPage['history']>['page']> {
	const { fetchedAt, checkedAt, etag, lastModified, bytes, policy, representation, capture } = page;
	return {
		...{ fetchedAt, checkedAt, bytes },
		...present({ etag, lastModified }),
		uses: policy?.uses ?? {},
		terms: [...obligationTexts(policy?.obligations ?? {}), ...limitTexts(policy?.limits ?? {})],
		...(representation && { readAs: `${representation.kind}: ${representation.why}` }),
		...(capture && { archive: capture.archive }),
	};
}
