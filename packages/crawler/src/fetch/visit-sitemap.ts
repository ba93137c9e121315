import { sha256 } from '@wayleave/io/hash';
import { parseDate } from '@wayleave/io/http';
import { gunzipAll } from '../discover/gunzip.ts';
import { isLlms } from '../discover/llms.ts';
import { readSitemap } from '../discover/sitemap.ts';
import type { SitemapEntry } from '../discover/sitemap-entry.ts';
import type { Ending } from '../model/outcome.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import { endingOfStatus, looksLikeHtml, mayPass } from '../response/classify.ts';
import { isConditional, validatorsOf } from '../response/validators.ts';
import type { FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';
import { followRedirects, largestSitemap } from './follow-redirects.ts';
import type { RedirectArrived, RedirectResult } from './redirect-result.ts';
import { putOffUntil, retriesOf } from './visit-result.ts';
import type { CommitFound, Visited } from './visited.ts';

/** An index of indexes of indexes: further down is no real site. */
const deepestIndex = 4;
/** Milliseconds before another try. */
const backoff = 20_000;

/** One sitemap: fetched like a page, read piece by piece, what it lists added to the frontier as it goes. */
export async function visitSitemap(
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
	commit: CommitFound,
): Promise<Visited | NotScheduled> {
	const chain = await followRedirects(from, home, context);
	if (chain === 'too-long')
		return record(from, home, context, undefined, { outcome: 'deferred', reason: 'rate-limited' });
	if (typeof chain === 'string') return chain;
	if (chain.arrived === 'represented') return record(from, home, context, chain, chain.processed.ending);
	if (!chain.arrived) return leadOn(from, chain.leadsTo, record(from, home, context, chain, chain.ending));
	// Everything it listed is still listed: those URLs are in the store.
	if (chain.response.status === 304 && isConditional(chain.last))
		return record(from, home, context, chain, { outcome: 'unchanged', reason: 'not-modified' });
	const ending = endingOfStatus(chain.response);
	if (ending !== undefined) return record(from, home, context, chain, ending);
	// Many sites respond to every address with their front page.
	if (isLlms(from.url) && looksLikeHtml(Buffer.from(chain.response.body.subarray(0, 1024)).toString('latin1')))
		return record(from, home, context, chain, { outcome: 'gone', reason: 'soft-404' });
	const { bytes, problem } = await gunzipAll(chain.response.body, largestSitemap);
	const say = (code: string, line: number) => context.emit({ type: 'problem', code, source: chain.url, line });
	if (problem !== undefined) {
		say(problem, 0);
		return record(from, home, context, chain, { outcome: 'failed', reason: 'sitemap-unreadable', detail: problem });
	}
	const listed = { urls: 0, sitemaps: 0 };
	const entries = readSitemap(bytes, chain.url);
	for (;;) {
		const { done, value } = entries.next();
		if (done) {
			for (const { code, line } of value) say(code, line);
			const unreadable = value.some(({ code }) => code === 'sitemap-unreadable');
			const read: Ending = unreadable ? { outcome: 'failed', reason: 'sitemap-unreadable' } : { outcome: 'fetched' };
			return withValidators(record(from, home, context, chain, read, listed), from, chain);
		}
		listed.urls += value.filter(({ kind }) => kind === 'page').length;
		listed.sitemaps += value.filter(({ kind }) => kind === 'sitemap').length;
		await commit(findings(value, from, context));
		await context.changes?.hint(datesIn(value));
	}
}

/** Validators for the next conditional request. A list that moved gets none: the next request goes to its old address. */
function withValidators(
	visited: Visited,
	{ url }: FrontierUrl,
	{ response, url: arrivedAt, permit }: RedirectArrived,
): Visited {
	const { ending, at } = visited.visit;
	if (ending?.outcome !== 'fetched' || arrivedAt !== url || permit.store !== 'yes') return visited;
	const content = { ...validatorsOf(response), bodyHash: sha256(response.body), snapshot: { fetchedAt: at } };
	return { ...visited, visit: { ...visited.visit, content } };
}

/** When pages are said to have changed; W3C dates of sitemaps and Atom, RFC 822 dates of RSS. */
function datesIn(entries: readonly SitemapEntry[]) {
	return entries.flatMap(({ url, kind, lastModified = '' }) => {
		const modifiedAt = parseDate(lastModified);
		return kind === 'page' && !Number.isNaN(modifiedAt) ? [{ url, modifiedAt }] : [];
	});
}

/** Pages count as linked from the place where the sitemap is named; sitemaps lie one deeper in the tree of indexes. */
function findings(entries: readonly SitemapEntry[], from: FrontierUrl, context: CrawlContext): NewUrl[] {
	const pages = entries.filter(({ kind }) => kind === 'page').map(({ url }) => url);
	const sitemaps = entries.filter(({ kind }) => kind === 'sitemap' && from.depth < deepestIndex);
	return [
		...context.discovery.links(pages, { depth: 0, dates: 0 }),
		...sitemaps.map(({ url }) => ({
			url,
			kind: 'sitemap' as const,
			host: new URL(url).hostname,
			depth: from.depth + 1,
			dates: 0,
		})),
	];
}

/** It lies on a host that others have, or that is not to be asked for a while: it is read when its own turn comes. */
function leadOn({ depth }: FrontierUrl, url: string | undefined, visited: Visited): Visited {
	if (url === undefined) return visited;
	const found: NewUrl[] = [{ url, kind: 'sitemap', host: new URL(url).hostname, depth, dates: 0 }];
	return { ...visited, visit: { ...visited.visit, found } };
}

function record(
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
	chain: RedirectResult | undefined,
	ending: Ending,
	listed = { urls: 0, sitemaps: 0 },
): Visited {
	const at = context.clock.now();
	const attempts = from.attempts + 1;
	const putOff = putOffUntil(chain, home, context);
	const retries = retriesOf(chain, context.settings.retries);
	const again = chain !== undefined && putOff === undefined && mayPass(ending) && attempts <= retries;
	const status = chain?.arrived === true ? chain.response.status : undefined;
	const facts = { id: from.id, attempts, at, found: [], ...(status !== undefined && { status }) };
	return {
		visit: {
			...facts,
			...(again ? { due: context.pace.now() + backoff } : { ending, ...(putOff !== undefined && { due: putOff }) }),
		},
		results: [],
		keep: true,
		scopeExpansions: [],
		claims: chain?.claims ?? [],
		...(chain?.arrived === false && chain.everywhere && { everywhere: chain.everywhere }),
		...(!again && { sitemap: { url: from.url, ...ending, ...listed } }),
	};
}
