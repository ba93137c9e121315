import { rfc3339 } from '../base/time.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import type { Result } from '../model/result.ts';
import type { HostSlot } from '../politeness/host-slot.ts';
import { mayPass } from '../response/classify.ts';
import { askedPause, isLimited } from '../response/retry-after.ts';
import type { FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import type { Canonical } from './canonical.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { RedirectResult } from './redirect-result.ts';
import type { Lesson } from './study-page.ts';
import type { Visited } from './visited.ts';

/** Milliseconds before the first further try; each later one waits four times as long. */
const firstBackoff = 5000;

const redirected: Ending = { outcome: 'fetched', reason: 'redirected' };

/** What a visit has brought, in the form in which it is committed and told. */
export function record(
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
	journey: RedirectResult | undefined,
	learned: ProcessedResponse,
): Visited {
	const now = context.clock.now();
	const { content, evidence, found = [], handed = {}, secret = false } = learned;
	const putOff = putOffUntil(journey, home, context);
	const status = journey?.arrived === true ? journey.answer.status : journey?.status;
	const bytes = bytesOf(journey);
	const facts = { ...(status !== undefined && { status }), ...(evidence && { evidence }) };
	const withdrawn = journey?.withdrawn ?? [];
	const ending =
		putOff === undefined ? learned.ending : { ...learned.ending, detail: detailOf(status, putOff, context) };
	const gone = withdrawn.length > 0 && { withdrawn };
	const visit = { id: from.id, attempts: from.attempts + 1, at: now, found, ...facts, ...gone };
	const rest = {
		keep: !secret,
		widened: journey?.widened ?? [],
		claims: journey?.claims ?? [],
		...(ending.outcome === 'failed' && ending.reason && { failure: ending.reason }),
		...(bytes !== undefined && { bytes }),
		...(journey?.arrived === false && journey.everywhere && { everywhere: journey.everywhere }),
	};
	if (journey !== undefined && putOff === undefined && triesAgain(ending, from, home, context, journey))
		return { visit: { ...visit, due: context.pace.now() + firstBackoff * 4 ** from.attempts }, results: [], ...rest };
	const led = journey !== undefined && journey.url !== from.url ? journey.url : undefined;
	// The page at the end of redirects has its own outcome, and the document is its own.
	const target = led !== undefined && journey?.arrived ? led : undefined;
	const standing = journey?.arrived ? journey.standing : undefined;
	const own = target !== undefined && handed.document !== undefined ? (standing ?? redirected) : ending;
	const common = { depth: from.depth, at: rfc3339(now), ...facts };
	const first: Result = {
		...common,
		url: from.url,
		...own,
		...(led !== undefined && { redirectedTo: led }),
		...(from.foundOn !== undefined && { foundOn: from.foundOn }),
		...(target === undefined && handed),
	};
	return {
		visit: {
			...visit,
			ending: own,
			...(putOff !== undefined && { due: putOff }),
			...(led !== undefined && { redirectedTo: led }),
			...(content && { content }),
			...(target !== undefined && {
				target: { url: targetOf(from, target), ending, ...(putOff !== undefined && { due: putOff }) },
			}),
		},
		results:
			target === undefined ? [first] : [first, { ...common, url: target, ...ending, foundOn: from.url, ...handed }],
		...rest,
	};
}

/** The page was read, and is only another address of a known page. */
export function recordAlias(from: FrontierUrl, visited: Visited, ending: Ending): Visited {
	const { content: _, target: __, ...visit } = visited.visit;
	const [first] = visited.results;
	if (first === undefined) return visited;
	const { document: ___, page: ____, policy: _____, representation: ______, reason: _______, ...told } = first;
	return { ...visited, visit: { ...visit, ending }, results: [{ ...told, url: from.url, ...ending }] };
}

/** The same when the visit also read that page: like a redirect, the visit ends there. */
export function recordNamed(
	from: FrontierUrl,
	visited: Visited,
	{ ending, named }: Canonical,
	lesson: Lesson,
): Visited {
	const alias = recordAlias(from, visited, ending);
	if (named === undefined) return alias;
	const { url, journey, learned } = named;
	const { content, handed, secret = false } = learned;
	const { depth, at, status } = alias.results[0] ?? { depth: from.depth, at: '', status: undefined };
	const result: Result = {
		depth,
		at,
		...(status !== undefined && { status }),
		url,
		...learned.ending,
		foundOn: from.url,
		...handed,
	};
	return {
		...alias,
		visit: {
			...alias.visit,
			found: [...alias.visit.found, ...lesson.found],
			names: lesson.names,
			target: { url: targetOf(from, url), ending: learned.ending },
			...(content && { content }),
		},
		results: [...alias.results, result],
		keep: alias.keep && !secret,
		claims: [...alias.claims, ...journey.claims, url],
		reopen: lesson.reopen,
	};
}

function bytesOf(journey: RedirectResult | undefined): number | undefined {
	if (journey?.arrived === 'represented') return journey.bytes;
	return journey?.arrived ? journey.answer.body.length : undefined;
}

/** The longest time a URL is put off; milliseconds (AMB-36). */
const maxPutOff = 30 * 86_400_000;

/** Until when to leave alone a URL that asked for a longer pause than its host may have (AMB-36); by `pace`. */
export function putOffUntil(
	journey: RedirectResult | undefined,
	home: HostSlot,
	context: CrawlContext,
): number | undefined {
	if (journey?.arrived !== true || !isLimited(journey.answer.status)) return undefined;
	const asked = askedPause(journey.answer.headers, context.clock.now());
	const { pauseCap } = context.hosts.peek(new URL(journey.url).hostname) ?? home;
	return asked > pauseCap ? context.pace.now() + Math.min(asked, maxPutOff) : undefined;
}

const detailOf = (status: number | undefined, until: number, { clock, pace }: CrawlContext): string =>
	`${status}, not before ${rfc3339(clock.now() + until - pace.now())}`;

/**
 * Retries of a URL after such a response: one if it names no time, since other URLs have shown during the pause whether
 * the whole host is limited.
 */
export function retriesOf(journey: RedirectResult | undefined, retries: number): number {
	// A body that comes in drips holds a connection for long each time.
	if (journey?.arrived === false && journey.ending.reason === 'too-slow') return Math.min(retries, 1);
	if (journey?.arrived !== true || !isLimited(journey.answer.status)) return retries;
	return journey.answer.headers.get('retry-after') === undefined ? Math.min(retries, 1) : retries;
}

/** Not when the host wants a pause that nobody waits for. */
function triesAgain(
	ending: Ending,
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
	journey: RedirectResult,
): boolean {
	const { retries, maxPause } = context.settings;
	return (
		mayPass(ending) &&
		from.attempts < retriesOf(journey, retries) &&
		home.readyAt - context.pace.now() <= Math.max(maxPause, home.delay)
	);
}

function targetOf({ depth, dates }: FrontierUrl, url: string): NewUrl {
	return { url, kind: 'page', host: new URL(url).hostname, depth, dates };
}
