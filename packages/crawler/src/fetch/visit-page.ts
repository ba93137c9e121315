import { hashRoute } from '../addresses/routes.ts';
import type { SiteKnowledge } from '../addresses/site-knowledge.ts';
import { rfc3339 } from '../base/time.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import { isSpent } from '../model/result.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import { isPutOff } from '../response/classify.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import { alternateNames } from './alternates.ts';
import { followCanonical } from './canonical.ts';
import type { CrawlContext } from './crawl-context.ts';
import { followRedirects } from './follow-redirects.ts';
import { processResponse, storedMetadata } from './process-response.ts';
import type { RedirectArrived, RedirectResult, RedirectStopped } from './redirect-result.ts';
import { studyPage } from './study-page.ts';
import { record, recordAlias, recordNamed } from './visit-result.ts';
import { followRouteRedirects, needsBrowser, notePage, studyRoute } from './visit-route.ts';
import type { Visited } from './visited.ts';

/**
 * One page, from the frontier to what is to be committed. The numbers are those of `docs/explanation/architecture.md`; stage 1 is
 * the host loop, 9 and 10 are the committer.
 */
export async function visitPage(
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
): Promise<Visited | NotScheduled> {
	// 2. Check the scope, which may have changed since the URL was found.
	const ending = from.seed ? undefined : await outOfScope(from, context);
	if (ending !== undefined) return record(from, home, context, undefined, { ending });
	const isRoute = hashRoute(from.url) !== undefined;
	if (isRoute && context.renderer?.hasBrowser !== true)
		return record(from, home, context, undefined, await withLastKnown(from, { ending: needsBrowser }, context));
	// 3. Check the policy. 4. Wait for the host. 5. Fetch. Every redirect repeats these stages.
	const chain = await (isRoute ? followRouteRedirects : followRedirects)(from, home, context);
	if (chain === 'too-long')
		return record(from, home, context, undefined, await withLastKnown(from, paused(home), context));
	if (typeof chain === 'string') return chain;
	// 6. Classify the response. 7. Extract. 8. Discover.
	const processed = await processedOf(from, chain, context);
	const isHere = chain.arrived === true && new URL(chain.url).hostname === home.host.name;
	const site = isHere ? context.sites.of(home.host.name) : undefined;
	if (site === undefined || chain.arrived !== true) return record(from, home, context, chain, processed);
	return compareWithSite(from, home, chain, processed, site, context);
}

async function processedOf(
	from: FrontierUrl,
	chain: RedirectResult,
	context: CrawlContext,
): Promise<ProcessedResponse> {
	const { arrived, url, revokedUrls } = chain;
	const processed =
		arrived === 'represented'
			? chain.processed
			: arrived
				? await processResponse(from, chain, context)
				: afterStop(from, chain, context);
	// A URL that only led elsewhere has no last known page.
	const isReached = (arrived || url === from.url) && !revokedUrls.includes(url);
	return isReached ? withLastKnown({ url }, processed, context) : processed;
}

/** Is the page an alias of one that is known? What does it show about similar URLs of its site? */
async function compareWithSite(
	from: FrontierUrl,
	home: HostSlot,
	chain: RedirectArrived,
	processed: ProcessedResponse,
	site: SiteKnowledge,
	context: CrawlContext,
): Promise<Visited> {
	const { url } = chain;
	const isRoute = hashRoute(from.url) !== undefined;
	const visited = (found = processed.found ?? []) => record(from, home, context, chain, { ...processed, found });
	if (!isRoute) notePage(url, chain, processed, context);
	const canonical = await followCanonical(from, home, chain, processed, site, context);
	const subject = canonical?.named ?? { url, processed };
	const { signature, found = [] } = subject.processed;
	if (signature === undefined)
		return { ...visited(), ...(isMissed(from, url, processed, site) && { reopen: ['soft-404'] }) };
	if (canonical !== undefined && canonical.named === undefined) return recordAlias(from, visited(), canonical.ending);
	const route = isRoute && canonical === undefined ? await studyRoute(url, processed, site, context) : undefined;
	if (route?.ending !== undefined) return endRoute(from, visited(), route.ending, context);

	const settled = canonical?.settled ?? [];
	const studied = await studyPage({ from, url: subject.url, signature, found, settled }, site, context);
	const study = { ...studied, names: [...studied.names, ...alternateNames(subject.processed)] };
	if (canonical?.named !== undefined) return recordNamed(from, visited(), canonical, study);
	if (study.alias !== undefined)
		return { ...recordAlias(from, visited(study.found), study.alias), reopen: study.reopen };
	const { visit, ...rest } = visited(study.found);
	const names = [...study.names, ...(route?.names ?? [])];
	return { ...rest, visit: { ...visit, names }, reopen: [...study.reopen, ...(route?.reopen ?? [])] };
}

/** A seed is a page of its own, whatever it shows. */
function endRoute(from: FrontierUrl, visited: Visited, ending: Ending, context: CrawlContext): Visited {
	if (from.seed && ending.aliasOf !== undefined) return visited;
	context.duplicates.forget(from.url);
	return recordAlias(from, visited, ending);
}

/** Whether links that were left out are wanted after all, because one that was followed led to nothing. */
const isMissed = ({ foundOn }: FrontierUrl, url: string, { ending }: ProcessedResponse, site: SiteKnowledge): boolean =>
	ending.outcome === 'gone' && foundOn !== undefined && site.miss(url, foundOn);

async function outOfScope(
	{ url, depth }: FrontierUrl,
	{ discovery, refreshScope }: CrawlContext,
): Promise<Ending | undefined> {
	if (discovery.check(url, depth) === undefined) return undefined;
	await refreshScope();
	return discovery.check(url, depth);
}

/** A page of which nothing was learned is given as it was last read, as long as that stands. */
async function withLastKnown(
	{ url }: Pick<FrontierUrl, 'url'>,
	processed: ProcessedResponse,
	context: CrawlContext,
): Promise<ProcessedResponse> {
	if (context.single || !isPutOff(processed.ending)) return processed;
	const snapshot = await context.store.pages.snapshot(url);
	if (snapshot === undefined || !snapshot.isCurrent || isSpent(snapshot.policy)) return processed;
	const { document, policy } = snapshot;
	const emitted = { document, ...(policy && { policy }), ...storedMetadata(snapshot) };
	return { ...processed, emitted };
}

function paused({ host }: HostSlot): ProcessedResponse {
	const detail = `not before ${rfc3339(host.nextAt)}`;
	return { ending: { outcome: 'deferred', reason: 'rate-limited', detail } };
}

function afterStop(
	{ depth, dates }: FrontierUrl,
	{ ending, evidence, leadsTo }: RedirectStopped,
	context: CrawlContext,
): ProcessedResponse {
	const processed: ProcessedResponse = { ending, ...(evidence && { evidence }) };
	if (leadsTo === undefined) return processed;
	const judged = context.discovery.endingOf(leadsTo, depth, dates);
	return { ...processed, found: [{ url: leadsTo, kind: 'page', host: new URL(leadsTo).hostname, depth, ...judged }] };
}
