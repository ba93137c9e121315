import { hashRoute } from '../addresses/routes.ts';
import type { SiteKnowledge } from '../addresses/site-knowledge.ts';
import { rfc3339 } from '../base/time.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import { isSpent } from '../model/result.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import { isPutOff } from '../response/classify.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import { followCanonical } from './canonical.ts';
import type { CrawlContext } from './crawl-context.ts';
import { followRedirects } from './follow-redirects.ts';
import { processResponse, storedMetadata } from './process-response.ts';
import type { RedirectStopped } from './redirect-result.ts';
import { studyPage } from './study-page.ts';
import { record, recordAlias, recordNamed } from './visit-result.ts';
import { followRouteRedirects, needsBrowser, notePage, studyRoute } from './visit-route.ts';
import type { Visited } from './visited.ts';

/**
 * One page, from the frontier to what is to be committed. The numbers are those of `docs/architecture.md`; stage 1 is
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
	const journey = await (isRoute ? followRouteRedirects : followRedirects)(from, home, context);
	if (journey === 'too-long')
		return record(from, home, context, undefined, await withLastKnown(from, paused(home), context));
	if (typeof journey === 'string') return journey;
	// 6. Classify the response. 7. Extract. 8. Discover.
	const learned =
		journey.arrived === 'represented'
			? journey.learned
			: journey.arrived
				? await processResponse(from, journey, context)
				: afterStop(from, journey, context);
	// Where nobody has arrived, the address itself has led elsewhere.
	const { url, withdrawn, arrived } = journey;
	const isReached = (arrived || url === from.url) && !withdrawn.includes(url);
	const own = isReached ? await withLastKnown({ url }, learned, context) : learned;
	const site =
		arrived === true && new URL(url).hostname === home.host.name ? context.sites.of(home.host.name) : undefined;
	if (site === undefined || arrived !== true) return record(from, home, context, journey, own);
	if (!isRoute) notePage(url, journey, own, context);
	const canonical = await followCanonical(from, home, journey, own, site, context);
	const study = canonical?.named ?? { url, learned: own };
	const { signature, found = [] } = study.learned;
	if (signature === undefined)
		return {
			...record(from, home, context, journey, own),
			...(isMissed(from, url, own, site) && { reopen: ['soft-404'] }),
		};
	const settled = canonical?.settled ?? [];
	if (canonical !== undefined && canonical.named === undefined)
		return recordAlias(from, record(from, home, context, journey, own), canonical.ending);
	const route = isRoute && canonical === undefined ? await studyRoute(url, own, site, context) : undefined;
	if (route?.ending !== undefined)
		return endRoute(from, record(from, home, context, journey, own), route.ending, context);
	const lesson = await studyPage({ from, url: study.url, signature, found, settled }, site, context);
	const recorded = (links = own.found ?? []) => record(from, home, context, journey, { ...own, found: links });
	if (canonical?.named !== undefined) return recordNamed(from, recorded(), canonical, lesson);
	const visited = recorded(lesson.found);
	if (lesson.alias !== undefined) return { ...recordAlias(from, visited, lesson.alias), reopen: lesson.reopen };
	const names = [...lesson.names, ...(route?.names ?? [])];
	const reopen = [...lesson.reopen, ...(route?.reopen ?? [])];
	return { ...visited, reopen, visit: { ...visited.visit, names } };
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
	{ discovery, learnScope }: CrawlContext,
): Promise<Ending | undefined> {
	if (discovery.check(url, depth) === undefined) return undefined;
	await learnScope();
	return discovery.check(url, depth);
}

/** A page of which nothing was learned is given as it was last read, as long as that stands. */
async function withLastKnown(
	{ url }: Pick<FrontierUrl, 'url'>,
	learned: ProcessedResponse,
	context: CrawlContext,
): Promise<ProcessedResponse> {
	if (context.single || !isPutOff(learned.ending)) return learned;
	const snapshot = await context.store.snapshot(url);
	if (snapshot === undefined || !snapshot.stands || isSpent(snapshot.policy)) return learned;
	const { document, policy } = snapshot;
	const handed = { document, ...(policy && { policy }), ...storedMetadata(snapshot) };
	return { ...learned, handed };
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
	const learned: ProcessedResponse = { ending, ...(evidence && { evidence }) };
	if (leadsTo === undefined) return learned;
	const judged = context.discovery.endingOf(leadsTo, depth, dates);
	return { ...learned, found: [{ url: leadsTo, kind: 'page', host: new URL(leadsTo).hostname, depth, ...judged }] };
}
