import type { Page } from '@wayleave/extract';
import { sha256 } from '@wayleave/io';
import type { Evidence } from '@wayleave/protocols';
import type { CacheStatus } from '@wayleave/protocols/aidocument';
import { metaRules, robotsTagRules } from '@wayleave/protocols/policy';
import { rfc3339 } from '../engine/requester.ts';
import type { NoTurn } from '../engine/turns.ts';
import type { HostSlot } from '../manners/slot.ts';
import type { Ending } from '../outcome.ts';
import type { Result } from '../result.ts';
import type { Content, FrontierUrl, NewUrl, Snapshot, Visit } from '../store/types.ts';
import { endingOfStatus, kindOfContent, mayPass } from './classify.ts';
import { type Arrived, type Stopped, travel } from './travel.ts';
import { isConditional, validatorsOf } from './validators.ts';
import type { Visited } from './visited.ts';
import type { World } from './world.ts';

/** Milliseconds before the first further try; each later one waits four times as long. */
const firstBackoff = 5000;

/** What was learned at the end of the way. */
interface Learned {
	readonly ending: Ending;
	readonly evidence?: readonly Evidence[];
	readonly content?: Content;
	readonly found?: readonly NewUrl[];
	readonly handed?: Pick<Result, 'document' | 'page' | 'policy'>;
}

/** One page, from the frontier to what is committed: the stages of `docs/architecture.md`. */
export async function visitPage(from: FrontierUrl, home: HostSlot, world: World): Promise<Visited | NoTurn> {
	// 2. Does it belong? Rules may have changed since it was found.
	const { ending } = world.discovery.endingOf(from.url, from.depth, from.dates);
	if (ending !== undefined && !from.seed) return record(from, home, world, undefined, { ending });
	// 3. May I? 4. Wait my turn. 5. Fetch. Redirects do all of it again.
	const journey = await travel(from, home, world);
	if (journey === 'too-long') return record(from, home, world, undefined, { ending: pausedHost(home) });
	if (typeof journey === 'string') return journey;
	// 6. What is the answer? 7. Extract. 8. Discover.
	const learned = journey.arrived ? await learn(from, journey, world) : afterStop(from, journey, world);
	// 9. The record, for the commit.
	return record(from, home, world, journey, learned);
}

function pausedHost({ host }: HostSlot): Ending {
	return { outcome: 'deferred', reason: 'rate-limited', detail: `not before ${rfc3339(host.nextAt)}` };
}

function afterStop(from: FrontierUrl, { ending, evidence, leadsTo }: Stopped, world: World): Learned {
	const { depth, dates } = from;
	const target =
		leadsTo === undefined ? undefined : { url: leadsTo, kind: 'page' as const, host: new URL(leadsTo).hostname, depth };
	const found = target === undefined ? [] : [{ ...target, ...world.discovery.endingOf(target.url, depth, dates) }];
	return { ending, found, ...(evidence && { evidence }) };
}

async function learn(from: FrontierUrl, journey: Arrived, world: World): Promise<Learned> {
	const { answer, last, url } = journey;
	if (answer.status === 304) {
		if (!isConditional(last)) return { ending: { outcome: 'failed', reason: '304-without-request' } };
		return revalidated(journey, await world.store.snapshot(url), world);
	}
	const refused = endingOfStatus(answer);
	if (refused !== undefined) return { ending: refused };
	if (answer.body.length === 0) return { ending: { outcome: 'failed', reason: 'no-content' } };
	const contentType = answer.headers.getAll('content-type').at(-1);
	const kind = kindOfContent(contentType, answer.body);
	if (kind === undefined)
		return { ending: { outcome: 'failed', reason: 'unsupported-type', detail: contentType ?? 'none stated' } };
	const bodyHash = sha256(answer.body);
	if (last?.bodyHash !== undefined && Buffer.compare(last.bodyHash, bodyHash) === 0) {
		const snapshot = await world.store.snapshot(url);
		if (snapshot !== undefined) return sameContent(journey, snapshot, world);
	}
	const at = world.clock.now();
	const status: CacheStatus = world.freshnessPolicy === 'force_refresh' ? 'refreshed' : 'miss';
	const reading = await world
		.read({
			kind,
			body: answer.body,
			contentType,
			contentLanguage: answer.headers.get('content-language'),
			economics: world.settings.economics,
			fetched: {
				url,
				fetchedAt: rfc3339(at),
				statusCode: answer.status,
				renderMode: 'static',
				freshnessPolicy: world.freshnessPolicy,
				cache: { status, origin_contacted: true, body_fetched: true },
			},
		})
		.catch((error: unknown) => error as Error);
	if (reading instanceof Error)
		return { ending: { outcome: 'failed', reason: 'extraction-failed', detail: reading.message } };
	const { document, page, links } = reading;
	const permit = judgePage(journey, page);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const kept = permit.store === 'yes';
	const policy = permit.note;
	const snapshot = { fetchedAt: at, ...(kept && { document, page, policy }) };
	return {
		ending: kept
			? { outcome: 'fetched' }
			: { outcome: 'fetched', reason: permit.store === 'no' ? 'store-no' : 'store-session-only' },
		content: { ...validatorsOf(answer), bodyHash, snapshot },
		found: world.discovery.links(links, from, forbidsFollowing(journey, page, world)),
		handed: { document, page, policy },
	};
}

/** The terms of the site together with what the page says about itself. */
function judgePage({ url, answer, permit }: Arrived, page: Page) {
	return permit.withPage({ source: url, headers: answer.headers, meta: page.robots ?? [] });
}

function forbidsFollowing({ answer }: Arrived, page: Page, { settings }: World): boolean {
	const names = [settings.agent.token, settings.agent.name ?? settings.agent.token];
	const rules = [...metaRules(page.robots ?? [], names), ...robotsTagRules(answer.headers, names)];
	return rules.some(({ rule }) => rule === 'nofollow' || rule === 'none');
}

/** 304: the snapshot stands as it was, `fetched_at` too (AMB-21). */
function revalidated(journey: Arrived, snapshot: Snapshot | undefined, world: World): Learned {
	const ending: Ending = { outcome: 'unchanged', reason: 'not-modified' };
	const content = validatorsOf(journey.answer);
	if (snapshot === undefined) return { ending, content };
	const document = withCache(snapshot, world, 'stale_revalidated', false);
	return { ending, content, handed: { ...snapshot, document, policy: journey.permit.note } };
}

function sameContent(journey: Arrived, snapshot: Snapshot, world: World): Learned {
	const at = world.clock.now();
	const { page } = snapshot;
	const fresh = withCache(snapshot, world, world.freshnessPolicy === 'force_refresh' ? 'refreshed' : 'miss', true);
	const document = { ...fresh, source: { ...fresh.source, fetched_at: rfc3339(at) } };
	const policy = journey.permit.note;
	const { bodyHash } = snapshot;
	const content = {
		...validatorsOf(journey.answer),
		...(bodyHash && { bodyHash }),
		snapshot: { fetchedAt: at, document, policy, ...(page && { page }) },
	};
	return {
		ending: { outcome: 'unchanged', reason: 'same-content' },
		content,
		handed: { ...snapshot, document, policy },
	};
}

function withCache({ document }: Snapshot, world: World, status: CacheStatus, bodyFetched: boolean) {
	return {
		...document,
		source: { ...document.source, freshness_policy: world.freshnessPolicy },
		cache: { status, origin_contacted: true, body_fetched: bodyFetched },
	};
}

function record(
	from: FrontierUrl,
	home: HostSlot,
	world: World,
	journey: Arrived | Stopped | undefined,
	learned: Learned,
): Visited {
	const now = world.clock.now();
	const attempts = from.attempts + 1;
	const { ending, content, evidence, found = [], handed } = learned;
	const status = journey?.arrived ? journey.answer.status : journey?.status;
	const common = { id: from.id, attempts, at: now, found, ...(status !== undefined && { status }) };
	const rest = {
		keep: ending.reason !== 'store-session-only' && ending.reason !== 'store-no',
		widened: journey?.widened ?? [],
		claims: journey?.claims ?? [],
		...(ending.outcome === 'failed' && ending.reason && { failure: ending.reason }),
		...(journey?.arrived && { bytes: journey.answer.body.length }),
		...(journey?.arrived === false && journey.everywhere && { everywhere: journey.everywhere }),
	};
	const waits = home.readyAt - now <= world.settings.maxPause;
	if (mayPass(ending) && attempts <= world.settings.retries && journey !== undefined && waits)
		return { visit: { ...common, due: now + firstBackoff * 4 ** from.attempts }, results: [], ...rest };
	const led = journey !== undefined && journey.url !== from.url ? journey.url : undefined;
	const moved = led !== undefined && journey!.arrived;
	const own = moved && ending.outcome !== 'gone' && handed !== undefined ? redirectedEnding : ending;
	const visit: Visit = {
		...common,
		ending: own,
		...(led && { redirectedTo: led }),
		...(evidence && { evidence }),
		...(content && { content }),
		...(moved && { target: { url: targetOf(from, led), ending } }),
	};
	const result = {
		depth: from.depth,
		at: rfc3339(now),
		...(status !== undefined && { status }),
		...(evidence && { evidence }),
	};
	const first: Result = {
		...result,
		url: from.url,
		...own,
		...(led && { redirectedTo: led }),
		...(from.foundOn !== undefined && { foundOn: from.foundOn }),
		...(!moved && pick(handed)),
	};
	const second: Result[] = moved ? [{ ...result, url: led, ...ending, foundOn: from.url, ...pick(handed) }] : [];
	return { visit, results: [first, ...second], ...rest };
}

const redirectedEnding: Ending = { outcome: 'fetched', reason: 'redirected' };

function targetOf({ depth, dates }: FrontierUrl, url: string): NewUrl {
	return { url, kind: 'page', host: new URL(url).hostname, depth, dates };
}

/** What goes out with a result; a stored snapshot has more. */
function pick(handed: Learned['handed']): Pick<Result, 'document' | 'page' | 'policy'> {
	if (handed === undefined) return {};
	const { document, page, policy } = handed;
	return { ...(document && { document }), ...(page && { page }), ...(policy && { policy }) };
}
