import { present } from '@wayleave/protocols';
import { rfc3339 } from '../base/time.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import type { Result } from '../model/result.ts';
import type { HostSlot } from '../politeness/host-slot.ts';
import { mayPass } from '../response/classify.ts';
import { askedPause, isLimited } from '../response/retry-after.ts';
import type { Visit } from '../store/roles/commit.ts';
import type { FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import type { Canonical } from './canonical.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { RedirectResult } from './redirect-result.ts';
import type { PageStudy } from './study-page.ts';
import type { Visited } from './visited.ts';

/** Milliseconds before the first further try; each later one waits four times as long. */
const firstBackoff = 5000;

const redirected: Ending = { outcome: 'fetched', reason: 'redirected' };

/** Turns the end of a visit into the records that are committed and the results that are emitted. */
export function record(
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
	chain: RedirectResult | undefined,
	processed: ProcessedResponse,
): Visited {
	const due = putOffUntil(chain, home, context);
	const facts = factsOf(chain, processed);
	const ending =
		due === undefined ? processed.ending : { ...processed.ending, detail: detailOf(facts.status, due, context) };
	const attempt = attemptOf(from, chain, processed, context.clock.now());
	const effects = effectsOf(chain, processed, ending);
	if (chain !== undefined && due === undefined && triesAgain(ending, from, home, context, chain)) {
		const retryAt = context.pace.now() + firstBackoff * 4 ** from.attempts;
		return { visit: { ...attempt, ...facts, due: retryAt }, results: [], ...effects };
	}
	const ends = endsOf(from, chain, processed, ending);
	return {
		visit: {
			...attempt,
			...facts,
			...endingOf(from, ends, due),
			...(processed.content && { content: processed.content }),
		},
		results: resultsOf(from, ends, { depth: from.depth, at: rfc3339(attempt.at), ...facts }, processed),
		...effects,
	};
}

function factsOf(
	chain: RedirectResult | undefined,
	{ evidence }: ProcessedResponse,
): Pick<Visit, 'status' | 'evidence'> {
	const status = chain?.arrived === true ? chain.response.status : chain?.status;
	return { ...(status !== undefined && { status }), ...(evidence && { evidence }) };
}

function attemptOf(
	{ id, attempts }: FrontierUrl,
	chain: RedirectResult | undefined,
	{ found = [] }: ProcessedResponse,
	at: number,
): Visit {
	const revokedUrls = chain?.revokedUrls ?? [];
	return { id, attempts: attempts + 1, at, found, ...(revokedUrls.length > 0 && { revokedUrls }) };
}

/** Effects of the visit on other URLs. */
function effectsOf(
	chain: RedirectResult | undefined,
	{ secret = false }: ProcessedResponse,
	ending: Ending,
): Omit<Visited, 'visit' | 'results'> {
	const bytes = bytesOf(chain);
	return {
		keep: !secret,
		scopeExpansions: chain?.scopeExpansions ?? [],
		claims: chain?.claims ?? [],
		...(ending.outcome === 'failed' && ending.reason && { failure: ending.reason }),
		...(bytes !== undefined && { bytes }),
		...(chain?.permanent !== undefined && { permanent: chain.permanent }),
		...(chain?.arrived === false && chain.everywhere && { everywhere: chain.everywhere }),
	};
}

/** How the URL ends, and the page that it led to. */
interface Ends {
	readonly own: Ending;
	readonly redirectedTo?: string;
	/** The page at the end of redirects has its own outcome, and the document is its own. */
	readonly target?: { readonly url: string; readonly ending: Ending };
}

function endsOf(
	from: FrontierUrl,
	chain: RedirectResult | undefined,
	{ emitted }: ProcessedResponse,
	ending: Ending,
): Ends {
	if (chain === undefined || chain.url === from.url) return { own: ending };
	const { url: redirectedTo, arrived } = chain;
	if (arrived === false) return { own: ending, redirectedTo };
	const own = emitted?.document === undefined ? ending : (chain.priorEnding ?? redirected);
	return { own, redirectedTo, target: { url: redirectedTo, ending } };
}

/** @param due when a URL that asked for a long pause is visited again */
function endingOf(
	from: FrontierUrl,
	{ own, redirectedTo, target }: Ends,
	due: number | undefined,
): Pick<Visit, 'ending' | 'due' | 'redirectedTo' | 'target'> {
	const putOff = due !== undefined && { due };
	return {
		ending: own,
		...putOff,
		...(redirectedTo !== undefined && { redirectedTo }),
		...(target && { target: { url: targetOf(from, target.url), ending: target.ending, ...putOff } }),
	};
}

function resultsOf(
	{ url, foundOn }: FrontierUrl,
	{ own, redirectedTo, target }: Ends,
	common: Pick<Result, 'depth' | 'at' | 'status' | 'evidence'>,
	{ emitted = {} }: ProcessedResponse,
): Result[] {
	const first: Result = {
		...common,
		url,
		...own,
		...present({ redirectedTo, foundOn }),
		...(target === undefined && emitted),
	};
	return target ? [first, { ...common, url: target.url, ...target.ending, foundOn: url, ...emitted }] : [first];
}

/** The page was read, and is only another address of a known page. */
export function recordAlias(from: FrontierUrl, visited: Visited, ending: Ending): Visited {
	const { content: _, target: __, ...visit } = visited.visit;
	const [first] = visited.results;
	if (first === undefined) return visited;
	const { document: ___, page: ____, policy: _____, representation: ______, reason: _______, ...event } = first;
	return { ...visited, visit: { ...visit, ending }, results: [{ ...event, url: from.url, ...ending }] };
}

/** The same when the visit also read that page: like a redirect, the visit ends there. */
export function recordNamed(
	from: FrontierUrl,
	visited: Visited,
	{ ending, named }: Canonical,
	study: PageStudy,
): Visited {
	const alias = recordAlias(from, visited, ending);
	if (named === undefined) return alias;
	const { url, chain, processed } = named;
	const { content, emitted, secret = false } = processed;
	const { depth, at, status } = alias.results[0] ?? { depth: from.depth, at: '', status: undefined };
	const result: Result = {
		depth,
		at,
		...(status !== undefined && { status }),
		url,
		...processed.ending,
		foundOn: from.url,
		...emitted,
	};
	return {
		...alias,
		visit: {
			...alias.visit,
			found: [...alias.visit.found, ...study.found],
			names: study.names,
			target: { url: targetOf(from, url), ending: processed.ending },
			...(content && { content }),
		},
		results: [...alias.results, result],
		keep: alias.keep && !secret,
		claims: [...alias.claims, ...chain.claims, url],
		reopen: study.reopen,
	};
}

function bytesOf(chain: RedirectResult | undefined): number | undefined {
	if (chain?.arrived === 'represented') return chain.bytes;
	return chain?.arrived ? chain.response.body.length : undefined;
}

/** The longest time a URL is put off; milliseconds. */
const maxPutOff = 30 * 86_400_000;

/** Until when to leave alone a URL that asked for a longer pause than its host may have; by `pace`. */
export function putOffUntil(
	chain: RedirectResult | undefined,
	home: HostSlot,
	context: CrawlContext,
): number | undefined {
	if (chain?.arrived !== true || !isLimited(chain.response.status)) return undefined;
	const asked = askedPause(chain.response.headers, context.clock.now());
	const { pauseCap } = context.hosts.peek(new URL(chain.url).hostname) ?? home;
	return asked > pauseCap ? context.pace.now() + Math.min(asked, maxPutOff) : undefined;
}

const detailOf = (status: number | undefined, until: number, { clock, pace }: CrawlContext): string =>
	`${status}, not before ${rfc3339(clock.now() + until - pace.now())}`;

/**
 * Retries of a URL after such a response: one if it names no time, since other URLs have shown during the pause whether
 * the whole host is limited.
 */
export function retriesOf(chain: RedirectResult | undefined, retries: number): number {
	// A body that comes in drips holds a connection for long each time.
	if (chain?.arrived === false && chain.ending.reason === 'too-slow') return Math.min(retries, 1);
	if (chain?.arrived !== true || !isLimited(chain.response.status)) return retries;
	return chain.response.headers.get('retry-after') === undefined ? Math.min(retries, 1) : retries;
}

/** Not when the host wants a pause longer than the crawl waits. */
function triesAgain(
	ending: Ending,
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
	chain: RedirectResult,
): boolean {
	const { retries, maxPause } = context.settings;
	// A watch tells that a page is gone when a second request confirms it. A 410 is meant.
	if (ending.reason === 'http-404' && context.settings.watch !== undefined)
		return from.attempts === 0 && from.last?.kept === true && retries > 0;
	return (
		mayPass(ending) &&
		from.attempts < retriesOf(chain, retries) &&
		home.readyAt - context.pace.now() <= Math.max(maxPause, home.delay)
	);
}

function targetOf({ depth, dates }: FrontierUrl, url: string): NewUrl {
	return { url, kind: 'page', host: new URL(url).hostname, depth, dates };
}
